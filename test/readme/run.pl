# Runs the commands of README.md, docs/*.md and CONTRIBUTING.md, and compares the output
# with what they show: see Document.pm. Each document begins as its reader does: in the
# source directory, with an empty database mydb that lacks the extension, and in a new
# session, which no setting makes load the library. All of its SQL runs there, in its order:
# what it needs, it creates itself, and pages of docs say first what that takes ("You need").
# Only files are kept: README.md, the first, installs the extension.
#
#	perl test/readme/run.pl SANDBOX [DOCUMENT...]
#
# The environment names a server (PGHOST, PGUSER; scripts/test readme sets all of
# this), PG_CONFIG the PostgreSQL that "make" builds for, and DESTDIR the copy of it
# that the server runs from. SANDBOX is a directory that does not exist yet. In it,
#
#	spqtree     is a copy of the sources
#	make        is make, with PG_CONFIG, DESTDIR and MAKEFLAGS
#	sudo        runs the command as the same user
#
# and all other commands are real.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Basename;
use IO::Handle;
use IPC::Open3;
use lib dirname(abs_path(__FILE__));
use Document;
use Figures;

my $top = abs_path(dirname(abs_path(__FILE__)) . '/../..');
my ($sandbox, @documents) = @ARGV;
die "usage: perl test/readme/run.pl SANDBOX [DOCUMENT...]\n" if !$sandbox;

# The number of blocks, so that a lost block or a mistyped mark is noticed. A change of
# the documents changes this table.
my %blocks = (
	'CONTRIBUTING.md' => 'sh 5, sql 1, text 0',
	'README.md' => 'sh 3, sql 6, text 2',
	'docs/clients.md' => 'lua 1, python 4, sh 1, sql 4, text 0',
	'docs/clusters.md' => 'sh 0, sql 6, text 4',
	'docs/compare.md' => 'sh 0, sql 2, text 1',
	'docs/distribution.md' => 'sh 1, sql 11, text 0',
	'docs/faq.md' => 'sh 0, sql 1, text 0',
	'docs/five-minutes.md' => 'sh 1, sql 4, text 0',
	'docs/genomes.md' => 'sh 1, sql 23, text 3',
	'docs/index.md' => 'sh 0, sql 20, text 6',
	'docs/inspect.md' => 'sh 2, sql 9, text 4',
	'docs/install.md' => 'sh 0, sql 2, text 1',
	'docs/join.md' => 'sh 0, sql 22, text 10',
	'docs/migrate.md' => 'sh 0, sql 9, text 3',
	'docs/moving.md' => 'sh 2, sql 21, text 16',
	'docs/nearby.md' => 'sh 0, sql 8, text 7',
	'docs/networks.md' => 'sh 0, sql 10, text 7',
	'docs/own_types.md' => 'sh 0, sql 10, text 7',
	'docs/postgis.md' => 'sh 0, sql 6, text 1',
	'docs/production.md' => 'sh 0, sql 5, text 0',
	'docs/ranges.md' => 'sh 0, sql 28, text 19',
	'docs/recipes.md' => 'sh 0, sql 17, text 4',
	'docs/reliability.md' => 'sh 1, sql 3, text 0',
	'docs/space.md' => 'sh 0, sql 16, text 11',
	'docs/testing.md' => 'sh 9, sql 0, text 0',
	'docs/tuning.md' => 'sh 0, sql 2, text 1',
	'docs/tutorial.md' => 'sh 1, sql 11, text 2',
);
my $all = !@documents;
@documents = ('README.md', 'CONTRIBUTING.md', sort map { "docs/" . basename($_) } glob "$top/docs/*.md") if $all;

my $tests = 0;

# report(NAME, PROBLEM, SKIPPED)
sub report
{
	my ($name, $problem, $skipped) = @_;
	$tests++;
	printf "%s %d - %s%s\n", defined $problem ? 'not ok' : 'ok', $tests, $name, defined $skipped ? " # SKIP $skipped" : '';
	if (defined $problem)
	{
		chomp $problem;
		$problem =~ s/^/# /mg;
		print "$problem\n";
	}
	$| = 1;
	return !defined $problem;
}

sub slurp
{
	my ($file) = @_;
	open my $in, '<', $file or die "cannot read $file: $!\n";
	local $/;
	return scalar <$in>;
}

sub write_file
{
	my ($file, $text) = @_;
	open my $out, '>', $file or die "cannot write $file: $!\n";
	print $out $text;
	close $out or die "cannot write $file: $!\n";
}

# output(FILE, COMMAND...): exit status and output of a command whose input is FILE.
sub output
{
	my ($input, @command) = @_;
	my $pid = open my $out, '-|';
	die "cannot fork: $!\n" if !defined $pid;
	if ($pid == 0)
	{
		open STDIN, '<', $input or die "cannot read $input: $!\n";
		open STDERR, '>&', \*STDOUT;
		exec @command or die "cannot run $command[0]: $!\n";
	}
	local $/;
	my $text = <$out>;
	close $out;
	return ($? >> 8 || $? & 127, defined $text ? $text : '');
}

my $sources = "$sandbox/home/spqtree";
my $directory = $sources;

# The session of a document: a psql, which lives until the next document, or until a block
# that begins a new session.
my ($session, $to_session, $from_session);
my $other_session;

sub open_session
{
	$session = open3($to_session, $from_session, undef, 'env', "--chdir=$directory", 'psql', '-X', '-q', '-P', 'pager=off', '-d', 'mydb');
	$to_session->autoflush(1);
}

sub close_session
{
	return if !$session;
	close $to_session;
	waitpid $session, 0;
	close $from_session;
	undef $session;
}

# run_sql(TEXT): in the session of the document. The last line of the file is reached if
# there was no error.
sub run_sql
{
	my ($text) = @_;
	my ($output, $whole, $ended) = ('', 0, 0);

	write_file("$sandbox/block.sql", "\\set ON_ERROR_STOP 1\n$text\n\\echo whole block\n");
	open_session() if !$session;
	local $SIG{PIPE} = 'IGNORE';
	local $SIG{ALRM} = sub { $output .= "more than 120 seconds\n"; kill 'KILL', $session; };
	alarm 120;
	print $to_session "\\i $sandbox/block.sql\n\\set ON_ERROR_STOP 0\n\\echo end of block\n";
	while (!$ended && defined(my $line = <$from_session>))
	{
		if ($line eq "whole block\n") { $whole = 1; }
		elsif ($line eq "end of block\n") { $ended = 1; }
		else { $output .= $line; }
	}
	alarm 0;
	close_session() if !$ended;
	open_other_session() if !$other_session && has_extension();
	return ($whole ? 0 : 1, $output);
}

sub run_sh
{
	write_file("$sandbox/block.sh", "trap 'pwd >\"$sandbox/pwd\"' EXIT\ncd '$directory'\n$_[0]");
	my @result = output('/dev/null', 'timeout', '900', 'env', "PATH=$sandbox/bin:$ENV{PATH}", 'PGDATABASE=mydb',
		"HOME=$sandbox/home", 'bash', '-e', '-o', 'pipefail', "$sandbox/block.sh");
	chomp($directory = slurp("$sandbox/pwd"));
	# a picture that it wrote is valid
	foreach my $file ($_[0] =~ /-o (\S+\.svg)\b/g)
	{
		my $picture = -e "$directory/$file" ? slurp("$directory/$file") : '';
		@result = (1, "$file is no picture") if $result[0] == 0 && $picture !~ m{\A<svg .*</svg>\s*\z}s;
	}
	return @result;
}

sub one_value
{
	my ($query) = @_;
	write_file("$sandbox/query.sql", $query);
	my ($status, $text) = output("$sandbox/query.sql", 'psql', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'mydb', '-f', '-');
	die "$query\n$text" if $status != 0;
	return $text;
}

sub has_extension
{
	return one_value("SELECT count(*) FROM pg_extension WHERE extname = 'spqtree'") == 1;
}

sub server_version { return int(one_value('SHOW server_version_num') / 10000); }

sub available
{
	return one_value("SELECT count(*) FROM pg_available_extensions WHERE name = '$_[0]'") == 1;
}

# Another session, which has a temporary table with an index: what a document does with all
# indexes of a database must work beside it. It begins when the database has the extension, and
# ends when the pipe is closed.
sub open_other_session
{
	open $other_session, '|-', 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'mydb' or die "cannot run psql: $!\n";
	$other_session->autoflush(1);
	print $other_session "CREATE TEMP TABLE of_another_session AS SELECT box '((0,0),(1,1))' AS b;\n",
		"CREATE INDEX ON of_another_session USING spqtree (b);\n";
	foreach (1 .. 600)
	{
		return if one_value("SELECT count(*) FROM pg_index WHERE indrelid IN (SELECT oid FROM pg_class WHERE relname = 'of_another_session')") == 1;
		select undef, undef, undef, 0.1;
	}
	die "the other session has no index\n";
}

# What a document would find that its reader does not have: extensions, tables and functions
# that a database does not have from the start, and settings that load the library.
sub already_there
{
	return one_value(<<'SQL');
SELECT 'extension ' || extname FROM pg_extension WHERE extname <> 'plpgsql'
UNION ALL SELECT format('%s', oid::regclass) FROM pg_class WHERE oid >= 16384 AND relnamespace NOT IN ('pg_toast'::regnamespace)
UNION ALL SELECT format('%s', oid::regprocedure) FROM pg_proc WHERE oid >= 16384
UNION ALL SELECT name || ' = ' || setting FROM pg_settings
WHERE name ~ 'preload_libraries$' AND setting LIKE '%spqtree%' OR name LIKE 'spqtree.%'
SQL
}

# What the next document begins with.
sub new_database
{
	close_session();
	close $other_session if $other_session;
	undef $other_session;
	$directory = $sources;
	foreach my $command ('DROP DATABASE IF EXISTS mydb WITH (FORCE)', 'CREATE DATABASE mydb')
	{
		write_file("$sandbox/query.sql", $command);
		my ($status, $text) = output("$sandbox/query.sql", 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'postgres', '-f', '-');
		die "$command\n$text" if $status != 0;
	}
}

sub make_sandbox
{
	foreach ($sandbox, "$sandbox/bin", "$sandbox/home") { mkdir $_ or die "cannot make $_: $!\n"; }
	write_file("$sandbox/bin/sudo", "#!/bin/sh\nexec \"\$@\"\n");
	# scripts unset MAKEFLAGS
	my $flags = $ENV{MAKEFLAGS} // '';
	write_file("$sandbox/bin/make", "#!/bin/sh\nPATH=\${PATH#*:}\n"
		. "MAKEFLAGS='$flags' exec make PG_CONFIG='$ENV{PG_CONFIG}' DESTDIR='$ENV{DESTDIR}' \"\$@\"\n");
	chmod 0755, glob "$sandbox/bin/*";
	mkdir $sources or die "cannot make $sources: $!\n";
	system("tar -C '$top' --exclude='*.o' --exclude='*.bc' --exclude='*.so' -cf - . | tar -C '$sources' -xf -") == 0
		or die "cannot copy the sources\n";
}

#
# Checks that run nothing.
#

# The anchor of a heading, as on GitHub.
sub anchor
{
	my ($heading) = @_;
	$heading = lc $heading;
	$heading =~ s/[^\w\- ]//g;
	$heading =~ tr/ /-/;
	return $heading;
}

sub check_links
{
	my ($document, $text) = @_;
	my $dir = dirname($document);
	my @dead;

	while ($text =~ /!?\[[^\]]*\]\(([^)\s]+)\)/g)
	{
		my $link = $1;
		next if $link =~ m{^https?://};
		my ($file, $place) = split /#/, $link, 2;
		my $path = $file eq '' ? "$top/$document" : "$top/$dir/$file";
		if (!-e $path) { push @dead, $link; }
		elsif (defined $place && $path =~ /\.md$/)
		{
			push @dead, $link if !grep { anchor($_) eq $place } slurp($path) =~ /^#+ (.*)$/mg;
		}
	}
	report("$document: what it links to is there", @dead ? "dead: @dead" : undef);
}

# Figures are those of the benchmark: see Figures.pm.
sub check_figures
{
	my ($document, $text) = @_;
	my $results = Figures::read_results("$top/bench/results/results.csv");
	my @rows = Figures::of_document($text);
	my %candidates = map { $_ => 1 } map { keys %$_ } values %{ $results // {} };

	my @unknown = Figures::without_source($text);
	report("$document has figures, with the rows that they are from in comments",
		!@rows ? 'none is between <!-- figures --> and <!-- end of figures -->' : @unknown ? join "\n", @unknown : undef);
	foreach (@rows)
	{
		my (undef, $what, $figure, $name, $candidate) = @$_;
		my $measured = $results ? $results->{$name}{$candidate} : undef;
		report("$document figure: $what",
			!$results ? (undef, 'nothing has been measured: there is no bench/results/results.csv')
			: !$candidates{$candidate} ? (undef, "the results are older than the candidate $candidate")
			: !defined $measured ? "there is no row \"$name\" of $candidate"
			: $measured ne $figure ? "shown: $figure\nmeasured: $measured\nperl test/readme/figures.pl writes what was measured" : undef);
	}
}

# A command that is not run must exist, with the options that it is given, or be a
# target of make.
sub check_commands
{
	my ($document, $text) = @_;
	my @wrong;

	foreach my $block (grep { $_->{kind} eq 'sh' && $_->{not_run} } Document::read_blocks($text))
	{
		foreach my $line (split /\n/, $block->{text})
		{
			$line =~ s/\s#.*//;
			if ($line =~ m{^(?:\w+=\S+ )*((?:scripts|bench|\.ci)/\S+)(.*)$})
			{
				my ($program, $rest) = ($1, $2);
				push @wrong, $program if !-x "$top/$program";
				my $source = -e "$top/$program" ? slurp("$top/$program") : '';
				push @wrong, "$program $_" foreach grep { index($source, $_) < 0 } $rest =~ /(--[a-z]\S*)/g;
			}
			elsif ($line =~ /^make ([\w-]+)$/)
			{
				my ($status) = output('/dev/null', 'make', '-n', '-C', $top, "PG_CONFIG=$ENV{PG_CONFIG}", $1);
				push @wrong, $line if $status != 0;
			}
		}
	}
	report("$document: commands that are not run exist", @wrong ? join ', ', @wrong : undef);
}

#
# The reference has everything that the extension has, but functions with an underscore.
#
sub check_reference
{
	my $text = slurp("$top/docs/reference.md");
	my %named = map { $_ => 1 } "$text" =~ /\b(?:_?spqtree(?:[\w.]*\w)?|(?:box|point|circle|polygon|lseg|path)_ops)\b/g;
	my $members = <<'SQL';
SET session_preload_libraries = 'spqtree';
LOAD 'spqtree';
WITH member AS (
  SELECT d.classid, d.objid
  FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
  WHERE d.refclassid = 'pg_extension'::regclass AND e.extname = 'spqtree' AND d.deptype = 'e'),
-- Classes of scalar columns have the names of btree's, which the reference says.
btree AS (
  SELECT opcname, opfname
  FROM pg_opclass c JOIN pg_opfamily f ON f.oid = c.opcfamily JOIN pg_am a ON a.oid = c.opcmethod AND a.amname = 'btree')
SELECT proname FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND p.oid = objid
-- but for input, output and comparisons of types of three dimensions
WHERE proname !~ '^(point|box|lseg|sphere|ray|frustum)3_(in|out|recv|send|eq|ne|lt|le|ge|gt|cmp|hash|hash_extended)$'
UNION SELECT opcname FROM member JOIN pg_opclass o ON classid = 'pg_opclass'::regclass AND o.oid = objid
WHERE opcname NOT IN (SELECT opcname FROM btree)
UNION SELECT opfname FROM member JOIN pg_opfamily o ON classid = 'pg_opfamily'::regclass AND o.oid = objid
WHERE opfname NOT IN (SELECT opfname FROM btree UNION SELECT opcname FROM btree)
UNION SELECT typname FROM member JOIN pg_type t ON classid = 'pg_type'::regclass AND t.oid = objid AND typelem = 0
UNION SELECT amname FROM member JOIN pg_am a ON classid = 'pg_am'::regclass AND a.oid = objid
UNION SELECT relname FROM member JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid AND relkind = 'v'
UNION SELECT name FROM pg_settings WHERE name LIKE 'spqtree.%'
SQL
	my @there = split /\n/, one_value($members);
	my %word = map { $_ => 1 } $text =~ /\w+/g;
	my @silent = grep { !$named{$_} && !$word{$_} } grep { !/^_/ } @there;
	report(scalar(grep { !/^_/ } @there) . ' objects and settings are in the reference', @silent ? "not there: @silent" : undef);
	my %elsewhere = map { $_ => 1 } map { /\b_?spqtree_\w*\w/g } map { slurp("$top/$_") } @documents;
	my $companion = qx(cd '$top/postgis' && awk -v templates=sql/templates:../sql/templates -f ../sql/expand.awk sql/*.sql.in);
	$companion .= qx(cd '$top' && awk -v templates=sql/templates -f sql/expand.awk sql/$_.sql.in) for qw(spqtree_cube spqtree_ip4r spqtree_seg);
	my @companion = $companion =~ /^CREATE (?:FUNCTION|OPERATOR CLASS) (_?spqtree_\w+)/mg;
	my @gone = sort grep { my $name = $_; !grep { $_ eq $name } @there, @companion, qw(spqtree _spqtree_ spqtree_cube spqtree_ip4r spqtree_seg spqtree_postgis _spqtree_f _spqtree_bounds_f _spqtree_try_f) } keys %{ { %named, %elsewhere } };
	report('what the documents name is there', @gone ? "not there: @gone" : undef);

	my @own = split /\n/, one_value(<<'SQL');
SELECT format('%s %s %s', oprleft::regtype, oprname, oprright::regtype)
FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid JOIN pg_operator o ON d.classid = 'pg_operator'::regclass AND o.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND e.extname = 'spqtree' AND d.deptype = 'e'
  AND oprname NOT IN ('=', '<>', '<', '<=', '>=', '>')
SQL
	my @missing = grep { index($text, "`$_`") < 0 } @own;
	report(scalar(@own) . ' operators of the extension are in the reference', @missing ? "not there: " . join(', ', @missing) : undef);

	# in `...`, as code
	my $other = one_value(<<'SQL');
SELECT count(*) FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
WHERE d.refclassid = 'pg_extension'::regclass AND e.extname = 'spqtree' AND d.deptype = 'e'
  AND d.classid NOT IN ('pg_proc'::regclass, 'pg_opclass'::regclass, 'pg_opfamily'::regclass, 'pg_type'::regclass, 'pg_cast'::regclass, 'pg_am'::regclass, 'pg_operator'::regclass)
  AND NOT (d.classid = 'pg_class'::regclass AND EXISTS (SELECT FROM pg_class c WHERE c.oid = d.objid AND c.relkind = 'v'))
SQL
	report('no object is of a kind that is not looked for', $other != 0 ? "$other are" : undef);
	my $code = join "\n", $text =~ /`([^`]+)`/g, $text =~ m{<code>(.*?)</code>}g;
	$code =~ s/&#124;/|/g;
	my @arguments = split /\n/, one_value(<<'SQL');
SELECT DISTINCT a.name
FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid JOIN pg_proc p ON p.oid = d.objid, unnest(p.proargnames) a(name)
WHERE d.refclassid = 'pg_extension'::regclass AND e.extname = 'spqtree' AND d.deptype = 'e'
  AND d.classid = 'pg_proc'::regclass AND a.name <> ''
SQL
	@silent = grep { $code !~ /\b\Q$_\E\b/ } @arguments;
	report(scalar(@arguments) . ' names of arguments and columns are in the reference', @silent ? "not there: @silent" : undef);
	my @operators = split /\n/, one_value(<<'SQL');
SELECT DISTINCT o.oprname || ' ' || format_type(o.oprright, NULL)
FROM pg_amop a JOIN pg_opfamily f ON f.oid = a.amopfamily JOIN pg_operator o ON o.oid = a.amopopr
WHERE f.opfname LIKE 'spqtree%'
SQL
	@silent = grep { my $o = $_; index($code, "b $o") < 0 } @operators;
	report(scalar(@operators) . ' operators of the classes are in the reference', @silent ? 'not there: ' . join ', ', @silent : undef);
}

#
# These checks notice faults: a test document with one of these faults each.
#
sub check_itself
{
	my $sound = "# A\n```sql\nSELECT 1 AS a, 0.25 AS ms;\n```\nprints\n```text\n a |  ms  \n---+------\n 1 | 0.25\n(1 row)\n```\n"
		. "<!-- test: fails -->\n```sql\nSELECT 1 / 0;\n```\n```text\nERROR:  division by zero\n```\n"
		. "<!-- test: in a.py -->\n```python\nif a:\n    b()\n```\n```sh\necho 17.5 ms\necho b\necho c\n```\n<!-- test: figures vary -->\n```text\n3 ms\n...\nc\n```\n"
		. "```sql\nSET work_mem = '5MB';\n```\n```sql\nSHOW work_mem;\n```\n```text\n work_mem \n----------\n 5MB\n(1 row)\n```\n";
	my %fault = (
		'another value' => sub { s/ 1 \| 0.25/ 2 | 0.25/ },
		'another word' => sub { s/3 ms/3 s/ },
		'another end' => sub { s/\.\.\.\nc/...\nd/ },
		'a line too few' => sub { s/\(1 row\)\n// },
		'a line too many' => sub { s/\(1 row\)/(1 row)\n\nb/ },
		'an error' => sub { s/SELECT 1 AS a/SELECT 1 AS a, nonsense()/ },
		'no error' => sub { s{1 / 0}{1 / 1} },
		'another error' => sub { s/by zero/by two/ },
		'a line that the file does not have' => sub { s/ b\(\)/ c()/ },
		'lines in another order' => sub { s/if a:\n    b\(\)/b()\nif a:/ },
		'a failed command' => sub { s/echo b/false/ },
		'a new session' => sub { s/```sql\nSHOW/<!-- test: new session -->\n```sql\nSHOW/ },
		'a language that nobody knows' => sub { s/```sh/```python/ });
	my %run = (sql => \&run_sql, sh => \&run_sh, file => sub { "if a:\n  # c\n  b()\nd()\n" }, new_session => \&close_session,
		available => \&available);
	my $problems;
	my $count = Document::check($sound, \%run, sub { $problems .= "$_[0]: $_[1]\n" if defined $_[1] });
	report('a sound document passes', $problems);
	report('blocks are counted', $count->{sql} == 4 && $count->{sh} == 1 && $count->{text} == 4 ? undef : 'wrongly');
	foreach my $fault (sort keys %fault)
	{
		my $noticed = 0;
		local $_ = $sound;
		$fault{$fault}->();
		Document::check($_, \%run, sub { $noticed = 1 if defined $_[1] });
		report("noticed in a document: $fault", $noticed ? undef : $_);
	}
	my %skipped;
	Document::check("<!-- test: needs plpgsql -->\n```sql\nSELECT 1;\n```\n<!-- test: needs no_such_extension -->\n```sql\nSELECT 1;\n```\n",
		\%run, sub { $skipped{ $_[0] } = $_[2] });
	report('skipped: what needs an extension that is not there', 1 == grep({ defined } values %skipped) && 2 == keys %skipped ? undef : join(', ', %skipped));
	run_sql('CREATE TABLE of_this_document ();');
	new_database();
	my ($status) = run_sql('TABLE of_this_document;');
	report('noticed in a document: a table of the one before', $status == 0 ? 'it is still there' : undef);
	run_sql("CREATE TABLE of_this_document (); ALTER DATABASE mydb SET session_preload_libraries = 'spqtree';");
	my $there = already_there();
	report('noticed before a document: a table, and a setting that loads the library',
		$there =~ /^of_this_document$/m && $there =~ /^session_preload_libraries = spqtree$/m ? undef : $there);
	new_database();
	my $says = "# A\n\n**You need** nothing.\n\n```sh\ntrue\n```\n";
	report('a document that says what it needs', Document::begins_with_needs($says) ? undef : $says);
	report('noticed: a document that does not say what it needs', Document::begins_with_needs($sound) ? $sound : undef);
	report('noticed: a document that says too late what it needs',
		Document::begins_with_needs("$sound\n**You need** nothing.\n") ? 'it is not' : undef);
	my $figures = "<!-- figures -->\n| what | times |\n| --- | --- |\n| a | 1.2 <!-- `b` --> |\n| c | 3 | `d` |\n<!-- end of figures -->\n";
	report('noticed: a figure without its row, or with one that readers see',
		join('', Figures::without_source($figures)) eq '| c | 3 | `d` |' && Figures::of_document($figures) == 1 ? undef : $figures);
}

make_sandbox();
new_database();
check_itself();
foreach my $document (@documents)
{
	new_database();
	my $text = slurp("$top/$document");
	report("$document begins with nothing", already_there() || undef);
	report("$document says first what it needs", $document !~ m{^docs/} || Document::begins_with_needs($text) ? undef : 'no paragraph before its first command begins with "**You need**"');
	my $count = eval {
		Document::check($text, { sql => \&run_sql, sh => \&run_sh, file => sub { slurp("$top/$_[0]") }, new_session => \&close_session,
				available => \&available, version => \&server_version },
			sub { my ($name, @rest) = @_; report("$document $name", @rest) });
	};
	report("$document can be read", $@ || undef);
	next if !$count;
	my $found = join ', ', map { "$_ " . ($count->{$_} // 0) } sort keys %{ { sh => 1, sql => 1, text => 1, %$count } };
	my $expected = $blocks{$document} // 'sh 0, sql 0, text 0';
	report("$document has the expected number of blocks", $found ne $expected ? "found: $found\nexpected: $expected" : undef);
	check_links($document, $text);
	check_commands($document, $text) if $text =~ /^<!-- test: not run/m;
	if ($document eq 'README.md')
	{
		# which has installed it
		new_database();
		one_value('CREATE EXTENSION spqtree');
		check_reference();
	}
	check_figures($document, $text) if $document eq 'README.md' || $text =~ /^<!-- figures -->/m;
}
# only the links of documents for developers
check_links($_, slurp("$top/$_")) foreach $all ? sort map { s{^\Q$top/\E}{}r } grep { -e } glob "$top/{src,sql,test,bench,data}/{,*/}README.md" : ();
my @lost = $all ? grep { !-e "$top/$_" } keys %blocks : ();
report('all documents exist', @lost ? "@lost" : undef);
print "1..$tests\n";
