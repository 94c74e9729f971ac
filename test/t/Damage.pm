# Common to the tests with damaged index files: a primary and a standby without checksums,
# checks beside writers, and comparisons of the problems found with those expected.
package Damage;

use strict;
use warnings;

use Exporter 'import';
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;
use Time::HiRes qw(time);

our @EXPORT = qw(hold_back_vacuum look_function check_beside_writers index_paths found_as_expected inspect_function inspected inspected_all no_crash);

# From now on, queries of the standby are not canceled, and VACUUM keeps the rows they see.
sub hold_back_vacuum
{
	my ($standby) = @_;
	$standby->append_conf('postgresql.conf', qq(
hot_standby_feedback = on
max_standby_streaming_delay = -1
));
	$standby->reload;
	return;
}

# A function look(index): the check, which returns errors of these conditions as rows, because
# an error of the server must not end the other checks.
sub look_function
{
	my ($conditions) = @_;
	return qq(
	CREATE FUNCTION look(name text) RETURNS TABLE (index_name text, block bigint, item int, problem text) LANGUAGE plpgsql AS \$\$
	BEGIN
	  RETURN QUERY SELECT name, c.* FROM spqtree_check(name, true) c;
	EXCEPTION WHEN $conditions THEN
	  RETURN QUERY SELECT name, -1::bigint, NULL::int, SQLSTATE || ': ' || SQLERRM;
	END \$\$;);
}

# Check an index repeatedly on both servers while three clients write to its table: changes
# must not be reported as damage.  rows: rows that each transaction inserts; by: how far an
# update moves boxes, with :s for a random number; vacuum: the command; also: another query
# that must return no row.
sub check_beside_writers
{
	my ($primary, $standby, $table, %option) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $seconds = $ENV{SPQTREE_BESIDE} || 6;
	my $scripts = $primary->basedir;
	my $index = "${table}_b";
	(my $grow = fill(':s', $option{rows})) =~ s/INTO house/INTO $table/;
	my ($checks, $false_alarms, $end) = (0, '');

	append_to_file("$scripts/write.sql", q(\set s random(2, 200000)) . "\n" . $grow . qq(
UPDATE $table SET b = b + $option{by} WHERE id % 101 = :s % 101;
DELETE FROM $table WHERE id % 37 = :s % 37;
INSERT INTO $table SELECT i, '((60,60),(61,61))' FROM generate_series(1, 20) i;
));
	append_to_file("$scripts/vacuum.sql", "$option{vacuum} $table;\n");
	my $writers = IPC::Run::start(
		[
			'pgbench', '-n', '-c', '3', '-T', $seconds, '-f', "$scripts/write.sql\@9",
			'-f', "$scripts/vacuum.sql\@1", '-h', $primary->host, '-p', $primary->port, 'postgres'
		],
		'>', '/dev/null', '2>', "$scripts/writers.err");
	$end = time + $seconds;
	while (time < $end)
	{
		for my $node ($primary, $standby)
		{
			for my $query (qq(SELECT * FROM spqtree_check('$index', true)), $option{also} || ())
			{
				my ($failed, $rows, $error) = $node->psql('postgres', $query);
				$false_alarms .= $node->name . ": $rows $error" if $rows ne '' || $error ne '';
			}
			$checks++;
		}
	}
	$writers->finish;
	is($false_alarms, '', 'no false alarm beside writers');
	cmp_ok($checks, '>', 3, 'there were some checks beside writers');
	cmp_ok($primary->safe_psql('postgres', "SELECT count(*) FROM $table"), '>', 500, 'there were writers');
	note "$checks checks beside writers, index of " . $primary->safe_psql('postgres', qq(SELECT pg_relation_size('$index'))) . ' bytes';
	catch_up($primary, $standby);
	check_ok($_, $index, $_->name . ' after that', 1) for $primary, $standby;
	return;
}

# Return name => file, below the data directory, of the indexes of an access method.
sub index_paths
{
	my ($node, $method) = @_;
	return map { split /\|/ } split /\n/,
	  $node->safe_psql('postgres', qq(SELECT relname, pg_relation_filepath(oid) FROM pg_class
		WHERE relam = (SELECT oid FROM pg_am WHERE amname = '$method')));
}

# expected: index => pairs of a position ("block item", "block", "" for no block, "any")
# and a pattern, none for a sound index; found: index => rows of the check.
sub found_as_expected
{
	my ($expected, $found) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	for my $name (sort keys %$expected)
	{
		my @rows = @{ $found->{$name} || [] };
		my @pairs = @{ $expected->{$name} };
		my @missing;
		is(scalar(@rows), 0, "$name: nothing is found") unless @pairs;
		while (my ($place, $pattern) = splice @pairs, 0, 2)
		{
			push @missing, "'$place': $pattern"
			  unless grep { ($place eq 'any' || $_->[0] eq $place || "$_->[0] $_->[1]" eq $place) && $_->[2] =~ $pattern } @rows;
		}
		ok(!@missing, "damage is found: $name")
		  or diag join "\n", 'not found:', @missing, 'found:', map { "($_->[0] $_->[1]) $_->[2]" } @rows > 10 ? @rows[0 .. 9] : @rows;
	}
	return;
}

# A function inspect(index): the result of each function that inspects or draws an index.
sub inspect_function
{
	return q(
	CREATE FUNCTION inspect(index regclass, OUT name text, OUT call text, OUT state text, OUT message text, OUT hint text) RETURNS SETOF record LANGUAGE plpgsql AS $$
	DECLARE
	  other text;
	BEGIN
	  FOR name, call, other IN
	    SELECT index::text, proname, format('SELECT count(*) FROM %s($1%s)', oid::regproc,
	           CASE proname WHEN 'spqtree_explain' THEN ', ''((-Infinity,-Infinity),(Infinity,Infinity))'''
	                        WHEN 'spqtree_explain3' THEN ', ''((-Infinity,-Infinity,-Infinity),(Infinity,Infinity,Infinity))''' ELSE '' END)
	    FROM pg_proc WHERE proname IN ('spqtree_stats', 'spqtree_nodes', 'spqtree_svg',
	      CASE WHEN EXISTS (SELECT FROM pg_attribute WHERE attrelid = index AND atttypid = 'box3'::regtype) THEN 'spqtree_explain3' ELSE 'spqtree_explain' END) LOOP
	    state := '00000';
	    message := NULL;
	    hint := NULL;
	    BEGIN
	      EXECUTE other USING index;
	    EXCEPTION WHEN data_corrupted OR index_corrupted THEN
	      GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
	    END;
	    RETURN NEXT;
	  END LOOP;
	END $$;);
}

# Return index => function => { state, message, hint } for the indexes k_... and r_...
sub inspected
{
	my ($node) = @_;
	my %found;
	for (split /\n/, $node->safe_psql('postgres', q(SET statement_timeout = '600s'; SELECT i.* FROM pg_class c, LATERAL inspect(c.oid) i WHERE c.relname ~ '^[kr]_' AND c.relkind = 'i')))
	{
		my ($name, $call, $state, $message, $hint) = split /\|/, $_, 5;
		$found{$name}{$call} = { state => $state, message => $message, hint => $hint };
	}
	return %found;
}

# Check that each function returns an answer for each of these indexes, or an error that says
# what to do.  Return the number of errors.
sub inspected_all
{
	my ($names, $found) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my @answers = map { values %{ $found->{$_} } } @$names;
	my @errors = grep { $_->{state} ne '00000' } @answers;

	is(scalar(@answers), 4 * @$names, 'four functions were called for each index');
	is(join("\n", map { $_->{message} } grep { $_->{message} !~ /^index "\w+" is damaged\b|^invalid page in block \d+ of relation / } @errors),
		'', 'other errors are the server\'s');
	is(join("\n", map { $_->{message} } grep { $_->{message} =~ /is damaged/ && $_->{hint} !~ /spqtree_check/ } @errors),
		'', 'errors say what to do');
	return scalar(@errors);
}

sub no_crash
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	unlike(slurp_file($_->logfile), qr/PANIC:|TRAP:|was terminated by signal|statement timeout/, $_->name . ': no crash') for @_;
	return;
}

1;
