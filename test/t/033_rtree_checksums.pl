# The access method: a scan finds dead rows in a page that a checkpoint is writing at that
# time.  Up to PostgreSQL 18, which writes a copy, the scan marks them; from 19 on, which writes
# the page itself, it leaves that to the next scan.  The checksums on disk are right.
#
# A library that the server loads first holds the write:
#
#	checkpoint  --- checksum --- pwrite() | held         | --- ...
#	scan                                    finds dead rows

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;
use Time::HiRes qw(usleep);

plan skip_all => 'only Linux loads a library first, and names open files' if $^O ne 'linux';

my $node = Server->new('rtree_checksums');
$node->init;
$node->append_conf('postgresql.conf', qq(
autovacuum = off
log_statement = none
bgwriter_lru_maxpages = 0
));

# While a symbolic link "hold" to "/FILENODE BLOCK" exists, a write of this block makes a file
# "held", and waits until the link is gone.
my $directory = $node->basedir;
my ($hold, $held, $source, $library) = map { "$directory/$_" } qw(hold held writes.c writes.so);
append_to_file($source, qq(#define DIRECTORY "$directory"\n) . <<'C');
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Return what a symbolic link contains, or "" if there is none. */
static const char *
contents(const char *link, char *buffer, size_t size)
{
	ssize_t		length = readlink(link, buffer, size - 1);

	buffer[length > 0 ? length : 0] = '\0';
	return buffer;
}

static void
before_write(int file, size_t size, off64_t offset)
{
	char		link[64],
				path[4096],
				place[4200],
				order[256];
	size_t		length;

	if (size != 8192)
		return;
	length = strlen(contents(DIRECTORY "/hold", order, sizeof(order)));
	if (length == 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
	snprintf(place, sizeof(place), "%s %ld", contents(link, path, sizeof(path)), (long) (offset / 8192));
	if (strlen(place) < length || strcmp(place + strlen(place) - length, order) != 0)
		return;
	close(open(DIRECTORY "/held", O_CREAT | O_WRONLY, 0600));
	while (*contents(DIRECTORY "/hold", order, sizeof(order)))
		usleep(1000);
}

#define NEXT(name) \
	static __typeof__(name) *next; \
	if (!next) \
		next = (__typeof__(name) *) dlsym(RTLD_NEXT, #name)

ssize_t
pwrite(int file, const void *data, size_t size, off_t offset)
{
	NEXT(pwrite);
	before_write(file, size, offset);
	return next(file, data, size, offset);
}

ssize_t
pwrite64(int file, const void *data, size_t size, off64_t offset)
{
	NEXT(pwrite64);
	before_write(file, size, offset);
	return next(file, data, size, offset);
}

ssize_t
pwritev(int file, const struct iovec *parts, int count, off_t offset)
{
	NEXT(pwritev);
	before_write(file, count == 1 ? parts->iov_len : 0, offset);
	return next(file, parts, count, offset);
}

ssize_t
pwritev64(int file, const struct iovec *parts, int count, off64_t offset)
{
	NEXT(pwritev64);
	before_write(file, count == 1 ? parts->iov_len : 0, offset);
	return next(file, parts, count, offset);
}
C
system_or_bail('cc', '-shared', '-fPIC', '-O1', '-o', $library, $source, '-ldl');
{
	local $ENV{LD_PRELOAD} = join ':', $library, $ENV{LD_PRELOAD} || ();
	$node->start;
}
$node->safe_psql('postgres', 'CREATE EXTENSION spqtree');

# Tables whose index is one page, the root, in block 1.
my %scans = (
	index => q(SELECT count(id) FROM TABLE WHERE b && '((0,0),(1000,1000))'),
	'index only' => q(SELECT count(b) FROM TABLE WHERE b && '((0,0),(1000,1000))'),
	'in order' => q(SELECT count(id) FROM (SELECT id FROM TABLE ORDER BY b <-> '(0,0)'::point) s));
my @kinds = sort keys %scans;
my %table = map { $_ => 'place_' . (split ' ')[-1] } @kinds;
my $writes_copies = $node->pg_version < '19devel';

sub scan
{
	my ($kind) = @_;
	(my $query = $scans{$kind}) =~ s/TABLE/$table{$kind}/;
	my $settings = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;';
	my $plan = $kind eq 'index only' ? 'Index Only Scan' : 'Index Scan';
	like($node->safe_psql('postgres', "$settings EXPLAIN $query"), qr/$plan using $table{$kind}_b/, "$kind: uses the index");
	return $node->safe_psql('postgres', "$settings $query");
}

sub dead_rows
{
	my ($kind) = @_;
	return $node->safe_psql('postgres', "SELECT dead_tuples FROM spqtree_stats('$table{$kind}_b')");
}

for my $kind (@kinds)
{
	$node->safe_psql('postgres', qq(
		CREATE TABLE $table{$kind} (id int, b box);
		INSERT INTO $table{$kind} SELECT i, box(point(i, i), point(i, i)) FROM generate_series(1, 100) i;
		CREATE INDEX $table{$kind}_b ON $table{$kind} USING spqtree (b);
		DELETE FROM $table{$kind} WHERE id <= 50;
		CHECKPOINT;
		INSERT INTO $table{$kind} VALUES (101, '(101,101),(101,101)')));
	my $file = $node->safe_psql('postgres', "SELECT '/' || pg_relation_filenode('$table{$kind}_b')");
	symlink "$file 1", $hold or die $!;
	my $checkpoint = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', 'CHECKPOINT' ]);
	my $tries = 0;
	usleep(10_000) until -e $held || ++$tries > 100 * $PostgreSQL::Test::Utils::timeout_default;
	ok(-e $held, "$kind: the page is being written");
	is(scan($kind), 51, "$kind: the right rows");
	is(dead_rows($kind), $writes_copies ? 50 : 0, "$kind: the page is " . ($writes_copies ? 'marked, since a copy is written' : 'left as it is'));
	unlink $hold, $held;
	ok($checkpoint->finish, "$kind: the page is written");
}
$node->checksums_ok('pages written while a scan found dead rows in them');
$node->start;
for my $kind (@kinds)
{
	is(scan($kind), 51, "$kind: the same rows again");
	is(dead_rows($kind), 50, "$kind: the next scan marks them");
}

done_testing();
