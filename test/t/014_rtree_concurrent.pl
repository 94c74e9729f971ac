# The access method spqtree: eight clients at once insert, move, delete, vacuum and
# search, for half a minute or SPQTREE_SECONDS.  Every search is done in one snapshot
# with plain, index-only and bitmap scans and without the index, and fails if the
# answers differ; a client that fails in any way fails the test.  Meanwhile the index
# is checked again and again, and never found at fault.
#
# In a library with assertions, insertions sleep now and then between the records of
# a split and of a widening, or give up there: that leaves splits which others
# have to finish.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Load;
use SpqTest;
use Test::More;

# Delays for all, and a client's script with errors, if this library injects them.
sub faults
{
	my ($node) = @_;
	my $injects = $node->psql('postgres', q(LOAD 'spqtree'; SHOW spqtree.inject)) == 0;

	note $injects ? 'with injected delays and errors' : 'this library injects nothing';
	return ({}, {}) if !$injects;
	$node->append_conf('postgresql.conf', q(spqtree.inject = 'split sleep 10, unposted sleep 10, posted sleep 10, grow sleep 1, widened sleep 20'));
	$node->reload;
	my $give_up = q(\set seed random(1, 1000000000)
SET spqtree.inject = 'split error 2, unposted error 2, posted error 2, grow error 1, widened error 20';
DO $$
DECLARE
  added int := 0;
BEGIN
  FOR i IN 1 .. 20 LOOP
    BEGIN
      INSERT INTO house SELECT nextval('id'), any_box(:seed, i * 100 + j) FROM generate_series(1, 10) j;
      added := added + 10;
    EXCEPTION WHEN triggered_action_exception THEN
      NULL;
    END;
  END LOOP;
  -- the table must not grow as long as the test runs
  DELETE FROM house WHERE id IN (SELECT id FROM house ORDER BY random() LIMIT added FOR UPDATE SKIP LOCKED);
END $$;
RESET spqtree.inject;);
	return ({ give_up => $give_up }, { give_up => 4 });
}

seed();
concurrent_load('rtree_concurrent',
	access => 'spqtree (b)',
	seconds => $ENV{SPQTREE_SECONDS} || 30,
	index_only => 1,
	ready => \&faults,
	sound => \&rtree_ok);

done_testing();
