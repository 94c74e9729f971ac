# The extension in a directory of its own: "make install prefix=DIR" installs there, and
# PostgreSQL 18 finds it by extension_control_path and dynamic_library_path: in a session,
# in one that preloads it, and in a worker.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Checked;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# Run in the build directory, so nothing is compiled again.
my $prefix = PostgreSQL::Test::Utils::tempdir_short . '/prefix';
command_ok([ 'make', '-s', '-C', $ENV{TESTDIR}, 'install', "prefix=$prefix" ], 'make install prefix=DIR');
my ($control) = grep { -e } glob("$prefix/share{,/postgresql}/extension/spqtree.control");
my ($library) = grep { -e } map { ("$prefix/$_.so", "$prefix/$_.dylib") } 'lib/spqtree', 'lib/postgresql/spqtree';
ok($control, 'the control file is below the prefix') or BAIL_OUT('there is no extension');
ok($library, 'so is the library') or BAIL_OUT('there is no library');
my ($version) = slurp_file('../spqtree.control') =~ /default_version = '(.*)'/;
ok(-e $control =~ s/\.control$/--$version.sql/r, 'and the script');

my ($major) = (run_command([ 'postgres', '--version' ]))[0] =~ /(\d+)/;
if ($major < 18)
{
	note "PostgreSQL $major has no extension_control_path";
	done_testing();
	exit;
}

# PostgreSQL's own directory may have another spqtree. So only the path of libraries includes it,
# for plpgsql, and only in the second place.
my $share = $control =~ s{/extension/.*}{}r;
my $lib = $library =~ s{/[^/]*$}{}r;
my $node = Checked->new('prefix');
$node->init;
$node->append_conf('postgresql.conf', qq(
extension_control_path = '$share'
dynamic_library_path = '$lib:\$libdir'
));
$node->start;

is($node->safe_psql('postgres', 'SELECT name, default_version FROM pg_available_extensions ORDER BY name'), join("\n", map { "$_|$version" } qw(spqtree spqtree_cube spqtree_ip4r spqtree_seg)), 'the server finds it and its companions, no other extension');
$node->safe_psql('postgres', q(
	CREATE EXTENSION spqtree;
	CREATE TABLE house AS SELECT i AS id, box(point(i % 100, i / 100), point(i % 100 + 1, i / 100 + 1)) AS b FROM generate_series(1, 10000) i;
	CREATE TABLE plain AS SELECT * FROM house;
	CREATE INDEX house_b ON house USING spgist (b spqtree_box_ops);
	ANALYZE));
is($node->safe_psql('postgres', q(SELECT DISTINCT probin FROM pg_proc WHERE probin ~ 'spqtree')), 'spqtree', 'its functions name the library without a directory');
is($node->safe_psql('postgres', q(SET enable_seqscan = off; SELECT count(*) FROM house WHERE b && box '((10.5,10.5),(12.5,11.5))')), '6', 'the index answers');

# The node, on a table without an index, since an index would load the library.
my $settings = 'SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET enable_nestloop = off;';
my $join = 'SELECT count(*) FROM plain a JOIN plain b ON a.b <@ b.b';
unlike($node->safe_psql('postgres', "$settings EXPLAIN $join"), qr/Spatial Hash Join/, 'without the library, no join node');
$node->safe_psql('postgres', q(ALTER DATABASE postgres SET session_preload_libraries = 'spqtree'));
my $plan = $node->safe_psql('postgres', "$settings EXPLAIN (ANALYZE) $join");
like($plan, qr/Custom Scan \(Spqtree Spatial Hash Join\)/, 'session_preload_libraries = spqtree loads it');
like($plan, qr/Workers Launched: [1-9]/, 'and workers run the node');
is($node->safe_psql('postgres', "$settings $join"), '10000', 'with the right answer');
$node->stop;

unlike(slurp_file($node->logfile), qr/PANIC|TRAP|terminated by signal/, 'nothing crashed');

done_testing();
