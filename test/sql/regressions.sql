--
-- Bugs that were found after the other tests had passed.
--
SET statement_timeout = '5min';
SET client_min_messages = warning;

-- Copies of one box, then one of the same place and another shape: the tuple
-- of the copies is pushed down under a tuple that was too short to be pushed
-- down itself.  Then the next box failed.
CREATE TABLE pushed (id serial, b box);
CREATE INDEX ON pushed USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO pushed (b) SELECT '((0,0),(Infinity,0))' FROM generate_series(1, 500);
INSERT INTO pushed (b) VALUES ('((0,-5),(Infinity,5))');
INSERT INTO pushed (b) VALUES ('((100,100),(101,101))');
INSERT INTO pushed (b) SELECT '((7,7),(3,3))' FROM generate_series(1, 500);
INSERT INTO pushed (b) SELECT box(point(5 - i / 600.0, 3), point(5 + i / 600.0, 7)) FROM generate_series(1, 500) i;
INSERT INTO pushed (b) VALUES ('((5,3),(5.25,7))');
SELECT * FROM tst.check_index('pushed', 9);
CREATE TEMP TABLE pushed_temporary (id serial, b box);
CREATE INDEX ON pushed_temporary USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO pushed_temporary (b) SELECT b FROM pushed ORDER BY id;
SELECT * FROM tst.check_index('pushed_temporary', 9);
DROP TABLE pushed_temporary;

-- Leaf tuples of which two do not fit a page: core makes an allTheSame tuple
-- of the first of two boxes, whatever picksplit says.
CREATE TABLE wide_leaf (id serial, b box, filler text);
ALTER TABLE wide_leaf ALTER filler SET STORAGE plain;
CREATE INDEX ON wide_leaf USING spgist (b spqtree_box_ops) INCLUDE (id, filler);
INSERT INTO wide_leaf (b, filler)
SELECT box(point(tst.rnd(80, i, 1) * 100, tst.rnd(80, i, 2) * 100), point(tst.rnd(80, i, 3) * 100, tst.rnd(80, i, 4) * 100)),
       repeat('x', tst.rndint(80, i, 5, 900, 7500))
FROM generate_series(1, 400) i;
SET enable_bitmapscan = off;
SET enable_indexscan = off;
SELECT count(*) FROM wide_leaf WHERE b && box '((10,10),(60,60))';
SET enable_seqscan = off;
SET enable_bitmapscan = on;
EXPLAIN (COSTS OFF) SELECT count(*) FROM wide_leaf WHERE b && box '((10,10),(60,60))';
SELECT count(*) FROM wide_leaf WHERE b && box '((10,10),(60,60))';

RESET enable_seqscan;
RESET enable_bitmapscan;
RESET enable_indexscan;
-- Copies of one box had labels without bounds, and every query read all of them.
CREATE FUNCTION pages_read(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT json) ' || query INTO plan;
  RETURN (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::int + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::int;
END $$;
CREATE TABLE copies (b box);
INSERT INTO copies SELECT '((0,0),(1,1))' FROM generate_series(1, 50000);
INSERT INTO copies SELECT box(point(1000 + i % 100, 1000 + i / 100), point(1001 + i % 100, 1001 + i / 100)) FROM generate_series(1, 10000) i;
CREATE INDEX ON copies USING spgist (b spqtree_box_ops);
VACUUM ANALYZE copies;
SELECT pages_read($$SELECT * FROM copies WHERE b && box '((500,500),(501,501))'$$) < 50 AS search,
       pages_read($$SELECT * FROM copies ORDER BY b <-> point '(1050.5,1050.5)' LIMIT 10$$) < 50 AS nearest;
