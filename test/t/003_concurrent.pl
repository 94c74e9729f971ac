# Eight clients at once insert, move, delete, vacuum and search, for a minute or
# SPQTREE_SECONDS.  Every search is done in one snapshot with plain and bitmap index
# scans and without the index, and fails if the answers differ; a client that
# fails in any way, by a deadlock for one, fails the test.  Meanwhile the index is
# checked again and again, and never found at fault.

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
