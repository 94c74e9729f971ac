# Eight clients insert, move, delete, vacuum and search at once, for a minute or
# SPQTREE_SECONDS.  A search runs plain and bitmap index scans and a sequential scan in one
# snapshot, and fails if the answers differ; any failure of a client, such as a deadlock,
# fails the test.  At the same time the index is checked repeatedly, and is always sound.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Load;
use SpqTest;
use Test::More;

seed();
concurrent_load('concurrent',
	seconds => $ENV{SPQTREE_SECONDS} || 60,
	sound => sub {
		my ($node, $when) = @_;
		check_ok($node, 'house_b', $when, 1);
		index_ok($node, $when);
	});

done_testing();
