# Common to the tests in this folder: a server with the extension and the functions of
# test/sql/compare.sql, and comparisons of index and table.
package SpqTest;

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Server;
use Test::More;

our @EXPORT = qw(primary_and_standby older_versions members prepare houses raised ranges_of fill catch_up index_ok rtree_ok check_ok rows_of seed scan_beside_replay);

my $compare = dirname(abs_path(__FILE__)) . '/../sql/compare.sql';

# Return and print the seed of all random numbers, as in the SQL tests: 1, or SPQTREE_SEED, or
# a new one if that is "time".
sub seed
{
	my $seed = $ENV{SPQTREE_SEED} || 1;

	$seed = time if $seed eq 'time';
	note "SPQTREE_SEED=$seed";
	srand($seed);
	return $seed;
}

# Start an empty primary and standby.  primary, standby: lines for their configuration;
# damage: for a test that damages pages: no checksums (see Checked.pm).
sub primary_and_standby
{
	my ($name, %option) = @_;
	my $primary = Server->new("${name}_primary");
	my $standby = Server->new("${name}_standby");

	$primary->init(allows_streaming => 1, checksums => !$option{damage});
	$primary->append_conf('postgresql.conf', join("\n", 'autovacuum = off', 'max_wal_size = 4GB', 'wal_keep_size = 4GB', 'log_statement = none', $option{primary} || '', ''));
	$primary->start;
	$primary->backup('backup');
	$standby->init_from_backup($primary, 'backup', has_streaming => 1);
	$standby->append_conf('postgresql.conf', join("\n", 'wal_receiver_status_interval = 1', $option{standby} || '', ''));
	$standby->start;
	return ($primary, $standby);
}

# Wait until the standby has replayed all commits of the primary, including asynchronous
# ones: wait_for_catchup only knows what has been written.
sub catch_up
{
	my ($primary, $standby) = @_;

	$primary->safe_psql('postgres', "SET synchronous_commit = on; SELECT pg_logical_emit_message(true, '', '')");
	$primary->wait_for_catchup($standby);
	return;
}

# Return the versions of the extension that can be created and then updated to the default
# one.  There are none until sql/ has an update script.
sub older_versions
{
	my ($node) = @_;
	return split /\n/, $node->safe_psql(
		'postgres', q(
		SELECT v.version
		FROM pg_available_extension_versions v
		     JOIN pg_available_extensions e USING (name)
		     JOIN pg_extension_update_paths('spqtree') u ON u.source = v.version AND u.target = e.default_version
		WHERE name = 'spqtree' AND u.path IS NOT NULL
		ORDER BY v.version COLLATE "C"));
}

# Return a query for all members of an extension with their definitions, comments, owners,
# privileges and dependencies, by names.
sub members
{
	my ($extension) = @_;
	return qq(
	WITH member AS (
	  SELECT classid, objid FROM pg_depend WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
	    AND refobjid = (SELECT oid FROM pg_extension WHERE extname = '$extension')
	), part AS (
	  TABLE member
	  UNION SELECT 'pg_amop'::regclass, o.oid FROM pg_amop o JOIN member ON classid = 'pg_opfamily'::regclass AND objid = amopfamily
	  UNION SELECT 'pg_amproc'::regclass, p.oid FROM pg_amproc p JOIN member ON classid = 'pg_opfamily'::regclass AND objid = amprocfamily)
	SELECT pg_describe_object(classid, objid, 0) AS x FROM part
	UNION ALL SELECT format('%s depends on %s (%s)', pg_describe_object(d.classid, d.objid, d.objsubid), pg_describe_object(refclassid, refobjid, refobjsubid), deptype)
	FROM part JOIN pg_depend d USING (classid, objid)
	UNION ALL SELECT format('%s is %s', pg_describe_object(classid, objid, 0), coalesce(obj_description(objid, classid::regclass::name), 'without a comment')) FROM member WHERE NOT (classid = 'pg_type'::regclass AND objid IN (SELECT typarray FROM pg_type UNION ALL SELECT oid FROM pg_type WHERE typrelid <> 0))
	UNION ALL SELECT CASE prokind WHEN 'a' THEN format('%s: %s', oid::regprocedure, (SELECT concat_ws(', ', aggkind, aggtransfn, aggfinalfn, aggcombinefn, aggtranstype::regtype, agginitval) FROM pg_aggregate WHERE aggfnoid = p.oid)) ELSE pg_get_functiondef(oid) END FROM pg_proc p JOIN member ON oid = objid AND classid = 'pg_proc'::regclass
	UNION ALL SELECT format('%s %s of %s for %s', oid::regprocedure, prolang, proowner::regrole, proacl) FROM pg_proc JOIN member ON oid = objid AND classid = 'pg_proc'::regclass
	UNION ALL SELECT format('%s: %s', oid::regprocedure, to_jsonb(p) - '{oid,pronamespace,proowner,prorettype,proargtypes,proallargtypes,protrftypes,provariadic,prosupport,proargdefaults,prosqlbody}'::text[]) FROM pg_proc p JOIN member ON oid = objid AND classid = 'pg_proc'::regclass
	UNION ALL SELECT format('%s: %s', oid::regoperator, concat_ws(' ', oprcode::regprocedure, oprresult::regtype, oprcom::regoperator, oprnegate::regoperator, oprrest, oprjoin, oprcanhash, oprcanmerge)) FROM pg_operator JOIN member ON oid = objid AND classid = 'pg_operator'::regclass
	UNION ALL SELECT format('%s: strategy %s, %s, %s', pg_describe_object(classid, objid, 0), amopstrategy, amoppurpose, (SELECT opfname FROM pg_opfamily f WHERE f.oid = amopsortfamily)) FROM pg_amop o JOIN part ON oid = objid AND classid = 'pg_amop'::regclass
	UNION ALL SELECT format('%s: %s', pg_describe_object(classid, objid, 0), concat_ws(' ', opcintype::regtype, opckeytype::regtype, opcdefault, (SELECT opfname FROM pg_opfamily f WHERE f.oid = opcfamily))) FROM pg_opclass o JOIN member ON oid = objid AND classid = 'pg_opclass'::regclass
	UNION ALL SELECT format('%s: %s', oid::regtype, concat_ws(' ', to_jsonb(t) - '{oid,typnamespace,typowner,typrelid,typelem,typarray,typbasetype,typcollation,typdefaultbin}'::text[], typelem::regtype)) FROM pg_type t JOIN member ON oid = objid AND classid = 'pg_type'::regclass
	UNION ALL SELECT format('%s: %s', pg_describe_object(classid, objid, 0), concat_ws(' ', castfunc::regprocedure, castcontext, castmethod)) FROM pg_cast c JOIN member ON c.oid = objid AND classid = 'pg_cast'::regclass
	UNION ALL SELECT format('%s: %s for %s', oid::regclass, pg_get_viewdef(oid), relacl) FROM pg_class JOIN member ON oid = objid AND classid = 'pg_class'::regclass
	UNION ALL SELECT format('%s at first for %s', pg_describe_object(classoid, objoid, objsubid), initprivs) FROM pg_init_privs JOIN member ON classid = classoid AND objid = objoid
	UNION ALL SELECT format('version %s, %s, %s: %s', extversion, extrelocatable, extconfig, obj_description(oid, 'pg_extension')) FROM pg_extension WHERE extname = '$extension'
	ORDER BY x);
}

# Create the extension, the functions, a table with an index, and queries.  access: access
# method and operator class of the index.
sub prepare
{
	my ($node, $access) = @_;
	$access ||= 'spgist (b spqtree_box_ops)';

	$node->safe_psql('postgres', 'CREATE EXTENSION spqtree');
	# the file also proves by an error that a wrong plan is noticed, so continue after that
	$node->psql('postgres', slurp_file($compare), on_error_stop => 0);
	houses($node, $access);
	return;
}

# Create the table with an index, and queries, replacing existing ones.  type: of the column,
# box or box3.  In three dimensions boxes and points are raised (see there), and there is also
# an index on points.
sub houses
{
	my ($node, $access, $type) = @_;
	$type ||= 'box';
	my $solid = $type eq 'box3';
	my $point = $solid ? 'point3' : 'point';

	$node->safe_psql('postgres', 'DROP TABLE IF EXISTS house, question;' . ($solid ? raised() : ''));
	$node->safe_psql(
		'postgres', qq(
		CREATE TABLE house (id int, b $type) WITH (autovacuum_enabled = off);
		CREATE INDEX house_b ON house USING $access INCLUDE (id);
		CREATE TABLE question (qid int, b $type, p $point);
		INSERT INTO question
		SELECT i::int AS qid,
		       CASE i % 4 WHEN 0 THEN box(point(x, y), point(x + w, y + w)) WHEN 1 THEN box(point(x, y), point(x, y))
		                  WHEN 2 THEN CASE i WHEN 2 THEN '((60,60),(61,61))' ELSE box(point(-w, -w), point(x, y)) END
		                  ELSE box(point(x - w, 'NaN'), point('-Infinity', y)) END AS b,
		       point(x, y) AS p
		FROM generate_series(1, 8) i,
		     LATERAL (SELECT tst.rnd(1, i, 1) * 100 AS x, tst.rnd(1, i, 2) * 100 AS y, tst.rnd(1, i, 3) * 30 AS w) v));
	$node->safe_psql('postgres', q(
		ALTER TABLE question ADD s sphere3, ADD r ray3;
		UPDATE question SET s = sphere3(p, qid * 4), r = ray3(p, point3(sin(qid), cos(qid), sin(3 * qid)));
		CREATE INDEX house_p ON house USING spqtree ((id % 3), low(b)))) if $solid;

	# what is compared
	my $operators = '&&,@>,<@,~=,<<,>>,&<,&>,<<|,|>>,&<|,|&>,@> point' . ($solid ? ',<</,/>>,&</,/&>,&& q.s,<@ q.s,&& q.r' : '');
	my $orders = 't.b <-> q.p,t.b <-> q.b' . ($solid ? ',t.b <-> q.r' : '');
	$node->safe_psql('postgres', qq(
		CREATE OR REPLACE FUNCTION tst.operators() RETURNS text[] IMMUTABLE LANGUAGE sql RETURN '{$operators}'::text[];
		CREATE OR REPLACE FUNCTION tst.orders() RETURNS text[] IMMUTABLE LANGUAGE sql RETURN '{$orders}'::text[]));
	return;
}

# SQL for ranges of boxes: across, and up.
sub ranges_of
{
	return join '', map { qq(
	CREATE OR REPLACE FUNCTION tst.range_$_->[0](b box) RETURNS numrange IMMUTABLE PARALLEL SAFE LANGUAGE sql
	RETURN numrange(least((b[0])[$_->[1]], (b[1])[$_->[1]])::numeric, greatest((b[0])[$_->[1]], (b[1])[$_->[1]])::numeric, '[]');)
	} [ 'across', 0 ], [ 'up', 1 ];
}

# SQL that converts boxes and points to three dimensions: they get a pseudo-random position
# along z that depends only on the value, and boxes a height of about their size.
sub raised
{
	return q(
	CREATE OR REPLACE FUNCTION tst.place(p point) RETURNS float8 IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
	RETURN (hashfloat8extended(p[0], 1) # hashfloat8extended(p[1], 2) & 1023)::float8 / 10;
	CREATE OR REPLACE FUNCTION tst.raised(b box) RETURNS box3 IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
	RETURN (SELECT box3(b, CASE place WHEN 7 THEN 'NaN' ELSE place - size END, CASE place WHEN 8 THEN 'Infinity' ELSE place + size END)
	        FROM (SELECT tst.place(b[1]) AS place, greatest(width(b), height(b)) AS size) s);
	CREATE OR REPLACE FUNCTION tst.raised(p point) RETURNS point3 IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
	RETURN point3(p[0], p[1], tst.place(p));
	DROP CAST IF EXISTS (box AS box3);
	DROP CAST IF EXISTS (point AS point3);
	CREATE CAST (box AS box3) WITH FUNCTION tst.raised(box) AS IMPLICIT;
	CREATE CAST (point AS point3) WITH FUNCTION tst.raised(point) AS IMPLICIT;

	-- Of points, and of those with one key, by the index house_p.
	CREATE OR REPLACE FUNCTION tst.differing_points() RETURNS int LANGUAGE plpgsql AS $$
	DECLARE
	  condition text;
	  body text;
	  faults int := 0;
	BEGIN
	  FOREACH condition IN ARRAY '{t.id % 3 = 1 AND low(t.b) <@ q.b,low(t.b) <@ q.b,low(t.b) <@ q.s,low(t.b) <</ q.p}'::text[] LOOP
	    body := 'SELECT count(*) || '' '' || coalesce(bit_xor(hashint8extended(t.id, 1)), 0) AS answer FROM house t WHERE ' || condition;
	    faults := faults + (tst.answers(body, 'question', 'bitmap') IS DISTINCT FROM tst.answers(body, 'question', 'seq'))::int;
	  END LOOP;
	  RETURN faults;
	END $$;);
}

# SQL that inserts n rows: many in one place, a few that reach far, some that are
# identical in all calls, and some with NaN or infinite corners.  The seed determines the
# place and the ids, so no other call may have it.
sub fill
{
	my ($seed, $n) = @_;
	return qq(
		INSERT INTO house
		SELECT $seed * 10000 + i,
		       CASE WHEN i % 50 = 0 THEN box(point(x, y), point(x + w * 40, y + w * 50))
		            WHEN i % 97 = 0 THEN box(point(-x * $seed, -y), point(-x * $seed + w, -y + w))
		            WHEN i % 23 = 0 THEN '((60,60),(61,61))'
		            WHEN i % 301 = 0 THEN box(point(x, 'NaN'), point('Infinity', y))
		            WHEN i % 302 = 0 THEN NULL
		            ELSE box(point(x, y), point(x + w, y + w)) END
		FROM generate_series(1, $n) i,
		     LATERAL (SELECT tst.rnd(100, $seed, 1) * 60 + tst.rnd($seed, i, 1) * 40 AS x,
		                     tst.rnd(100, $seed, 2) * 60 + tst.rnd($seed, i, 2) * 40 AS y,
		                     tst.rnd($seed, i, 3) ^ 3 * 4 AS w) v;);
}

#
# Comparisons
#

# scan_beside_replay PRIMARY, STANDBY, PLAN: test a scan on the standby with this plan, begun
# before and ended after many splits, a deletion and a vacuum.
sub scan_beside_replay
{
	my ($primary, $standby, $plan) = @_;
	my $scan = q(SELECT id FROM house WHERE b && box '((20,20),(90,90))');
	my $sum = 0;

	# Remove rows first that are already dead.  Their removal would later wait for the pin that
	# the scan keeps, and the scan for that.
	my $xid = $primary->safe_psql('postgres', 'SELECT pg_current_xact_id()');
	$primary->poll_query_until('postgres', "SELECT backend_xmin::text::bigint > $xid FROM pg_stat_replication")
	  or die 'no feedback from the standby';
	$primary->safe_psql('postgres', 'VACUUM house');
	catch_up($primary, $standby);
	my $count = $standby->safe_psql('postgres', "SET enable_seqscan = off; SELECT count(*), sum(id::bigint) FROM ($scan) s");
	my $session = $standby->background_psql('postgres');
	$session->query_safe('SET enable_seqscan = off');
	$session->query_safe('SET enable_bitmapscan = off');
	like($session->query_safe("EXPLAIN (COSTS OFF) $scan"), qr/^\s*$plan using house_b/m, "scan on the standby: $plan");
	$session->query_safe("BEGIN ISOLATION LEVEL REPEATABLE READ; DECLARE c CURSOR FOR $scan");
	my @ids = split /\n/, $session->query_safe('FETCH 5 FROM c');
	$primary->safe_psql('postgres', fill(5, 5000));
	$primary->safe_psql('postgres', 'DELETE FROM house WHERE id % 5 = 0');
	$primary->safe_psql('postgres', 'VACUUM house');
	$primary->safe_psql('postgres', fill(6, 5000));
	$primary->safe_psql('postgres', 'VACUUM house');
	catch_up($primary, $standby);
	push @ids, split /\n/, $session->query_safe('FETCH ALL FROM c');
	$session->query_safe('COMMIT');
	$session->quit;
	$sum += $_ foreach @ids;
	is(scalar(@ids) . "|$sum", $count, 'a scan open on the standby yields what its snapshot holds');
	return;
}

# Compare every operator by three kinds of index scan, and the orders, with the sequential
# scan; fail if the index is not used.
sub index_ok
{
	my ($node, $name, $table) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	compare_ok($node, $name, $table || 'house', 'index', 'index only', 'bitmap');
	return;
}

# The same for these kinds of scans; orders are compared except for the last.
sub compare_ok
{
	my ($node, $name, $table, @plans) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($all, $ordered) = map { '{' . join(',', @$_) . '}' } \@plans, [ @plans[0 .. $#plans - 1] ];
	my ($sums, $ordered_sums) = map { join ', ', map { qq(sum("$_")) } @$_ } \@plans, [ @plans[0 .. $#plans - 1] ];

	is( $node->safe_psql(
			'postgres', qq(
			SELECT count(*) FILTER (WHERE rows > 0) = cardinality(tst.operators()), $sums
			FROM tst.compare('$table', 'question', '$all'))),
		join('|', 't', (0) x @plans),
		"$name: operators find rows, and the same as without the index");
	is( $node->safe_psql(
			'postgres', qq(
			SELECT count(*) FILTER (WHERE rows > 0) = cardinality(tst.orders()), $ordered_sums
			FROM tst.compare_order('$table', 'question', 200, orderings => tst.orders(), plans => '$ordered'))),
		join('|', 't', (0) x (@plans - 1)),
		"$name: nearest-neighbor orders are right");
	return;
}

# Check that the index is sound, and with heapallindexed that it has all rows of its table.
# schema: the extension's, with a dot, if it is not in the search path.
sub check_ok
{
	my ($node, $index, $name, $heapallindexed, $database, $schema) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $all = $heapallindexed ? 'true' : 'false';
	$database ||= 'postgres';
	$schema = '' unless defined $schema;

	return is($node->safe_psql($database, "SELECT * FROM ${schema}spqtree_check('$index', $all) LIMIT 20"), '', "$name: $index is sound");
}

# As index_ok(), for an index of the access method spqtree, which has no index-only scans on a
# standby.  Also check that the index is sound and has exactly the rows of the table, and in
# three dimensions the same of the index on points.
sub rtree_ok
{
	my ($node, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	compare_ok($node, $name, 'house', 'index', 'bitmap');
	is(rows_of($node), rows_of($node, 'enable_indexscan'), "$name: the index has the rows of the table");
	check_ok($node, 'house_b', $name, 1);
	if ($node->safe_psql('postgres', q(SELECT to_regclass('house_p'))) ne '')
	{
		is($node->safe_psql('postgres', 'SELECT tst.differing_points()'), '0', "$name: conditions on points find the same as without the index");
		check_ok($node, 'house_p', $name, 1);
	}
	return;
}

# Return a digest of the whole table, read through the index unless that is disabled.
sub rows_of
{
	my ($node, $off) = @_;
	$off ||= 'enable_seqscan';
	return $node->safe_psql(
		'postgres', qq(
		SET $off = off;
		SET enable_bitmapscan = off;
		SELECT count(*), sum(id::bigint), md5(string_agg(id || coalesce(b::text, ''), ',' ORDER BY id))
		FROM (SELECT id, b FROM house WHERE b IS NOT NULL UNION ALL SELECT id, b FROM house WHERE b IS NULL) h));
}

1;
