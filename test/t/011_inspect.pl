# The functions that inspect or draw an index.  For a damaged index they return an
# answer or raise an error that names spqtree_check; they never crash or loop endlessly.
# Beside writers, and on a standby, they always return an answer.
#
# As in 006_check.pl, all indexes get the file of one index, after insertions, deletions
# and vacuum.  It is damaged while the server is down.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Damage;
use IndexFile;
use Load;
use SpqTest;
use Test::More;
use Time::HiRes qw(time);

my $seed = seed();
my $n_random = $ENV{SPQTREE_DAMAGED} || 100;

my ($primary, $standby) = primary_and_standby('inspect', damage => 1);
hold_back_vacuum($standby);
prepare($primary);

#
# Beside writers
#

$primary->safe_psql('postgres', 'CREATE UNLOGGED TABLE fleeting (b box); CREATE INDEX fleeting_b ON fleeting USING spgist (b spqtree_box_ops)');
$primary->safe_psql('postgres', load_functions());
$primary->safe_psql('postgres', fill(1, 3000));
my $seconds = $ENV{SPQTREE_BESIDE} || 6;
my $load = start_load($primary, clients => 3, seconds => $seconds,
	scripts => { insert => 6, taken_back => 1, update => 4, delete => 3, vacuum => 2 });
my %calls = (
	stats => q(SELECT tuples > 0 AND used_bytes + dead_bytes + free_bytes = bytes FROM spqtree_stats('house_b')),
	nodes => q(SELECT count(*) > 10 AND bool_and(tuples >= 0) FROM spqtree_nodes('house_b')),
	explain => q(SELECT bool_and(e.rows <= e.leaf_tuples) FROM question q, LATERAL spqtree_explain('house_b', q.b, '&<') e),
	svg => q(SELECT bool_and(s ~ '^<svg .*</svg>$') FROM question q, LATERAL spqtree_svg('house_b', show_boxes => true, query => q.b) s));
my ($answers, $wrong) = (0, '');
my $end = time + $seconds;
while (time < $end)
{
	for my $node ($primary, $standby)
	{
		for my $call (sort keys %calls)
		{
			my ($failed, $out, $err) = $node->psql('postgres', $calls{$call});
			$wrong .= $node->name . " $call: $out $err\n" if $out ne 't' || $err ne '';
			$answers++;
		}
	}
}
my ($transactions, $error) = end_load($load);
is($error, '', 'writers had no error');
cmp_ok($transactions, '>', 0, "there were writers: $transactions transactions");
is($wrong, '', 'no error beside writers');
cmp_ok($answers, '>', 0, "there were answers: $answers");

# Without load, both return the same.
$primary->safe_psql('postgres', 'VACUUM house');
catch_up($primary, $standby);
my $all = q(SELECT s::text FROM spqtree_stats('house_b') s
	UNION ALL SELECT string_agg(n::text, E'\n' ORDER BY block, item) FROM spqtree_nodes('house_b') n
	UNION ALL SELECT string_agg(e::text, E'\n' ORDER BY qid) FROM question q, LATERAL spqtree_explain('house_b', q.b) e);
is($standby->safe_psql('postgres', $all), $primary->safe_psql('postgres', $all), 'the standby says the same');

# An unlogged index is empty during recovery.
my ($status, $out, $err) = $standby->psql('postgres', q(SELECT spqtree_stats('fleeting_b')));
like($err, qr/cannot inspect unlogged index "fleeting_b" during recovery/, 'unlogged index on a standby');
$standby->stop;
# now that the standby no longer holds back VACUUM
$primary->safe_psql('postgres', 'VACUUM house');
is($primary->safe_psql('postgres', q(SELECT s.tuples = (SELECT count(*) FROM house) FROM spqtree_stats('house_b') s)), 't', 'tuples are the rows');

# Temporary tables are in the local buffers of their session.
my $other = $primary->background_psql('postgres');
$other->query_safe('CREATE TEMP TABLE hers (b box)');
$other->query_safe('CREATE INDEX hers_b ON hers USING spgist (b spqtree_box_ops)');
($status, $out, $err) = $primary->psql('postgres', q(SELECT spqtree_stats(oid) FROM pg_class WHERE relname = 'hers_b'));
like($err, qr/cannot inspect an index of another session's temporary table/, 'temporary index of another session');
$other->quit;

#
# Damage
#

$primary->safe_psql('postgres', q(
	TRUNCATE house;
	) . fill(5, 2000) . q(
	-- a deep tree
	INSERT INTO house SELECT 800000 + i, box(point(s, s), point(s * 1.5, s * 1.5)) FROM generate_series(1, 2000) i, LATERAL (SELECT 2.0 ^ (-i / 20.0) AS s) v;
	INSERT INTO house SELECT 900000 + i, NULL FROM generate_series(1, 800) i;
	INSERT INTO house SELECT 910000 + i, '((7,7),(8,8))' FROM generate_series(1, 400) i;
	CREATE INDEX template ON house USING spgist (b spqtree_box_ops) INCLUDE (id);
	DELETE FROM house WHERE id % 7 = 3;
	VACUUM house;
	INSERT INTO house SELECT id + 1000000, b + point(0.5, 0.5) FROM house WHERE id % 5 = 1;
	) . inspect_function());

my $file;
my @inner;

# Return an inner tuple that splits, and one of its nodes, which points to a chain.
sub tuple_and_node
{
	my ($depth) = @_;
	for my $tuple (@inner)
	{
		next if $tuple->{same} || $tuple->{depth} < $depth;
		for my $node (@{ $tuple->{nodes} })
		{
			return ($tuple, $node) if $node->{chain};
		}
	}
	die 'the index has no such tuple';
}

# Kinds of damage.  Each returns the pattern of the error that a walk raises, if any.
my %damage = (
	to_itself => sub { my ($t, $n) = tuple_and_node(1); $file->put_downlink($t, $n, $t->{block}, $t->{item}); return qr/damaged/ },
	to_one_above => sub { my ($t, $n) = tuple_and_node(2); $file->put_downlink($t, $n, $t->{above}{block}, $t->{above}{item}); return qr/damaged/ },
	to_root => sub { my ($t, $n) = tuple_and_node(1); $file->put_downlink($t, $n, 1, 1); return qr/damaged/ },
	to_beyond_end => sub { my ($t, $n) = tuple_and_node(1); $file->put_downlink($t, $n, 1000000, 1); return qr/damaged/ },
	to_redirection_ring => sub {
		my ($t, $n) = tuple_and_node(1);
		my ($ring) = grep { $_->{state} != IndexFile::LIVE && !($file->flags($_->{block}) & IndexFile::NULLS) } $file->tuples;
		$file->put_bits($ring, 3, IndexFile::REDIRECT);
		$file->put($ring->{block}, $ring->{at} + 6, 'v3', 0, $ring->{block}, $ring->{item});
		$file->put_downlink($t, $n, $ring->{block}, $ring->{item});
		return qr/damaged/;
	},
	too_many_ways => sub {
		my ($child) = sort { $b->{depth} <=> $a->{depth} } @inner;
		for (my $above = $child->{above}; $above; ($child, $above) = ($above, $above->{above}))
		{
			my %seen;
			$seen{ $_->{number} }++ or $file->put_downlink($above, $_, $child->{block}, $child->{item}) for @{ $above->{nodes} };
		}
		return qr/damaged/;
	},
	page_zeroed => sub { my ($t, $n) = tuple_and_node(1); $file->{pages}[ $n->{block} ] = "\0" x 8192; return qr/damaged/ },
	root_zeroed => sub { $file->{pages}[1] = "\0" x 8192; return qr/damaged/ },
	null_root_zeroed => sub { $file->{pages}[2] = "\0" x 8192; return qr/damaged/ },
	file_truncated => sub { $#{ $file->{pages} } = int(@{ $file->{pages} } / 2); return qr/damaged/ },
	file_empty => sub { $file->{pages} = []; return qr/damaged/ },
	sound => sub { return undef });

# Write random bytes anywhere, or point downlinks anywhere.
sub random_damage
{
	my ($n) = @_;
	srand($seed * 1000 + $n);
	my @tuples = $n % 2 ? () : $file->tuples;
	for (0 .. int(rand(5)))
	{
		if ($n % 2 == 0)
		{
			my $tuple = $inner[ int(rand(@inner)) ];
			my $node = $tuple->{nodes}[ int(rand(@{ $tuple->{nodes} })) ];
			my $target = $tuples[ int(rand(@tuples)) ];
			$file->put_downlink($tuple, $node, $target->{block}, $target->{item});
			next;
		}
		my $block = int(rand(@{ $file->{pages} }));
		# line pointers and both ends of the page are hit as often as other places
		my $at = (sub { int(rand(8190)) }, sub { int(rand(400)) }, sub { 8100 + int(rand(90)) })[ int(rand(3)) ]->();
		$file->put($block, $at, rand() < 0.5 ? ('v', int(rand(65536))) : ('C', $file->get($block, $at, 'C') ^ 1 << int(rand(8))));
	}
	return;
}

my @names = (map({ "k_$_" } sort keys %damage), map({ sprintf('r_%04d', $_) } 1 .. $n_random));
$primary->safe_psql('postgres', join '', map { "CREATE INDEX $_ ON house USING spgist (b spqtree_box_ops) INCLUDE (id);\n" } @names);
my %path = index_paths($primary, 'spgist');
$primary->stop;
my $data = $primary->data_dir;
my $template = IndexFile->new("$data/$path{template}");
my %expected;
for my $name (@names)
{
	$file = bless { pages => [ @{ $template->{pages} } ] }, 'IndexFile';
	@inner = $file->tree(1);
	if ($name =~ /^k_(.*)/)
	{
		$expected{$name} = $damage{$1}->();
	}
	else
	{
		random_damage($name =~ /(\d+)/);
	}
	$file->write("$data/$path{$name}");
}
$primary->start;

my %found = inspected($primary);
is(scalar(keys %found), scalar(@names), 'each index was looked at');
my @calls = sort keys %{ $found{k_sound} };
cmp_ok(scalar(@calls), '>=', 3, "by @calls");
for my $name (sort keys %expected)
{
	for my $call (@calls)
	{
		my $answer = $found{$name}{$call};
		if ($expected{$name})
		{
			like($answer->{message}, $expected{$name}, "$name: $call says that it is damaged");
			like($answer->{hint}, qr/spqtree_check/, "$name: and what to do");
		}
		else
		{
			is($answer->{state}, '00000', "$name: $call answers");
		}
	}
}
my $errors = inspected_all([ grep { /^r_/ } @names ], \%found);
cmp_ok($errors, '>', $n_random / 2, "random damage is an error: $errors of " . @calls * $n_random . ' calls');
$primary->stop;
no_crash($primary, $standby);

done_testing();
