--
-- spqtree_nearest_join against brute force in plain SQL: distances of all kinds of data in two and
-- three dimensions, ties, boxes that are not finite, parts that do not fit into memory; errors.
--
SET jit = off;
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '1min';
CREATE SCHEMA nearest_join;
SET search_path = nearest_join, public;

-- The distance between the closest points of two boxes, up to rounding.
CREATE FUNCTION gap(a_low float8, a_high float8, b_low float8, b_high float8) RETURNS float8 IMMUTABLE LANGUAGE sql
RETURN CASE WHEN a_low > b_high THEN a_low - b_high WHEN b_low > a_high THEN b_low - a_high ELSE 0 END;
CREATE FUNCTION apart(a box, b box) RETURNS float8 IMMUTABLE LANGUAGE sql
RETURN sqrt(gap((a[1])[0], (a[0])[0], (b[1])[0], (b[0])[0]) ^ 2 + gap((a[1])[1], (a[0])[1], (b[1])[1], (b[0])[1]) ^ 2);
CREATE FUNCTION apart(a box3, b box3) RETURNS float8 IMMUTABLE LANGUAGE sql
RETURN a <-> b;
CREATE FUNCTION equal(a float8, b float8) RETURNS boolean IMMUTABLE LANGUAGE sql
RETURN abs(a - b) <= 1e-12 * (1 + abs(a));

CREATE TABLE item (kind text, side text, id int, b box);
INSERT INTO item
SELECT kind, side, id, CASE kind
  WHEN 'uniform' THEN box(point(x * 1000, y * 1000), point(x * 1000 + w * 10, y * 1000 + h * 10))
  WHEN 'points' THEN box(point(x * 1000, y * 1000), point(x * 1000, y * 1000))
  WHEN 'grid' THEN box(point(floor(x * 20), floor(y * 20)), point(floor(x * 20), floor(y * 20)))
  WHEN 'same' THEN box(point(5, 5), point(6, 6))
  WHEN 'clusters' THEN box(point(floor(x * 4) ^ 5 * 1e4 + y, floor(y * 9) * 1e5 + x), point(floor(x * 4) ^ 5 * 1e4 + y + w, floor(y * 9) * 1e5 + x + h))
  WHEN 'sizes' THEN box(point(x * 1000 - 10 ^ (w * 6 - 3), y * 1000 - 10 ^ (w * 6 - 3)), point(x * 1000 + 10 ^ (w * 6 - 3), y * 1000 + 10 ^ (w * 6 - 3)))
  WHEN 'far' THEN box(point(CASE WHEN id % 50 = 0 THEN 1e12 * x ELSE x END, y), point(CASE WHEN id % 50 = 0 THEN 1e12 * x ELSE x END, y))
  ELSE box(point(x * 1000, 7), point(x * 1000 + w, 7)) END
FROM unnest('{uniform,points,grid,same,clusters,sizes,far,line}'::text[]) WITH ORDINALITY AS k(kind, nr),
     (VALUES ('l', 40), ('r', 400)) s(side, n), generate_series(1, n) id,
     LATERAL (SELECT tst.rnd(nr * 10 + ascii(side), id, 1) AS x, tst.rnd(nr * 10 + ascii(side), id, 2) AS y,
                     tst.rnd(nr * 10 + ascii(side), id, 3) AS w, tst.rnd(nr * 10 + ascii(side), id, 4) AS h) v;
CREATE VIEW item3 AS SELECT kind, side, id, box3(b, z, z + (id % 3)) AS b FROM (SELECT *, (tst.rnd(77, id, 5) * 100)::int AS z FROM item) i;

CREATE TABLE truth AS
SELECT 'item' AS tab, l.kind, l.id AS left_id, array_agg(apart(l.b, r.b) ORDER BY apart(l.b, r.b)) AS distances
FROM item l JOIN item r ON r.kind = l.kind AND r.side = 'r' WHERE l.side = 'l' GROUP BY l.kind, l.id
UNION ALL
SELECT 'item3', l.kind, l.id, array_agg(apart(l.b, r.b) ORDER BY apart(l.b, r.b))
FROM item3 l JOIN item3 r ON r.kind = l.kind AND r.side = 'r' WHERE l.side = 'l' GROUP BY l.kind, l.id;

-- For each left row: the distances found, and those of brute force; pairs have their distance, and no
-- pair is there twice.
CREATE FUNCTION differ(tab text, k int, most float8, OUT pairs bigint, OUT differ bigint) LANGUAGE plpgsql AS $$
DECLARE
  side text := format('SELECT id, b FROM %I WHERE side = %%L AND kind = %%L', tab);
BEGIN
  CREATE TEMP TABLE found ON COMMIT DROP AS
  SELECT n.kind, j.* FROM (SELECT DISTINCT kind FROM item) n, LATERAL spqtree_nearest_join(format(side, 'l', n.kind), format(side, 'r', n.kind), k, most) j;
  EXECUTE format($q$
    SELECT count(f.pairs), count(*) FILTER (WHERE NOT coalesce(f.sound, true) OR coalesce(f.rights, 0) <> cardinality(t.wanted)
                                     OR EXISTS (SELECT FROM unnest(t.wanted, f.distances) u(x, y) WHERE NOT equal(x, y)))
    FROM (SELECT kind, left_id, ARRAY(SELECT d FROM unnest(distances[1:%2$s]) d WHERE %3$L IS NULL OR d <= %3$L::float8) AS wanted FROM truth WHERE tab = %1$L) t
    LEFT JOIN (SELECT f.kind, left_id, count(*) AS pairs, array_agg(distance ORDER BY distance) AS distances, count(DISTINCT right_id) AS rights, bool_and(equal(distance, apart(l.b, r.b))) AS sound
               FROM found f JOIN %1$I l ON l.kind = f.kind AND l.side = 'l' AND l.id = f.left_id JOIN %1$I r ON r.kind = f.kind AND r.side = 'r' AND r.id = f.right_id
               GROUP BY f.kind, left_id) f USING (kind, left_id)$q$, tab, k, most) INTO pairs, differ;
  pairs := (SELECT count(*) FROM found);
  DROP TABLE found;
END $$;
SELECT v.*, d.* FROM (VALUES (1, NULL::float8), (3, NULL), (17, NULL), (100, NULL), (1000, NULL), (0, NULL), (5, 20.0), (1000, 3.0), (1, 0)) v(k, most), LATERAL differ('item', k, most) d;
SELECT v.*, d.* FROM (VALUES (1, NULL::float8), (4, NULL), (40, NULL), (6, 30.0), (2, 0)) v(k, most), LATERAL differ('item3', k, most) d;
-- In parts: memory for 1,024 rows of the right side.
CREATE TABLE many AS SELECT id, box(point(tst.rnd(5, id, 1) * 300, tst.rnd(5, id, 2) * 300), point(tst.rnd(5, id, 1) * 300, tst.rnd(5, id, 2) * 300)) AS b FROM generate_series(1, 6000) id;
CREATE TABLE whole AS SELECT * FROM spqtree_nearest_join('SELECT id, b FROM many WHERE id % 2 = 0', 'SELECT id, b FROM many', 12, 9);
CREATE TABLE whole3 AS SELECT * FROM spqtree_nearest_join('SELECT id, box3(b, id % 9, id % 9) FROM many WHERE id % 3 = 0', 'SELECT id, box3(b, id % 7, id % 7) FROM many', 5);
CREATE TABLE level AS SELECT id, box(point((id * 37) % 500, 0), point((id * 37) % 500, 0)) AS b FROM generate_series(1, 3000) id;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT count(*) AS pairs, count(*) FILTER (WHERE w.left_id IS NULL OR p.left_id IS NULL) AS differ
FROM whole w FULL JOIN spqtree_nearest_join('SELECT id, b FROM many WHERE id % 2 = 0', 'SELECT id, b FROM many', 12, 9) p
  ON p.left_id = w.left_id AND p.right_id = w.right_id AND p.distance = w.distance;
SELECT count(*) AS pairs, count(*) FILTER (WHERE w.left_id IS NULL OR p.left_id IS NULL) AS differ
FROM whole3 w FULL JOIN spqtree_nearest_join('SELECT id, box3(b, id % 9, id % 9) FROM many WHERE id % 3 = 0', 'SELECT id, box3(b, id % 7, id % 7) FROM many', 5) p
  ON p.left_id = w.left_id AND p.right_id = w.right_id AND p.distance = w.distance;
-- ties in several parts, in the order of ids
SELECT count(*) AS pairs, count(*) FILTER (WHERE j.left_id IS NULL OR t.left_id IS NULL) AS differ
FROM spqtree_nearest_join('SELECT id, b FROM level WHERE id <= 400', 'SELECT id, b FROM level', 9) j
FULL JOIN (SELECT l.id AS left_id, r.id AS right_id, d FROM level l, LATERAL (SELECT id, abs((level.b[0])[0] - (l.b[0])[0]) AS d FROM level ORDER BY d, id LIMIT 9) r WHERE l.id <= 400) t
  ON t.left_id = j.left_id AND t.right_id = j.right_id AND t.d = j.distance;
SELECT count(*) FROM (SELECT FROM spqtree_nearest_join('SELECT id, b FROM level', 'SELECT id, b FROM level', 4) LIMIT 10) s;
SELECT k.k, count(*) FROM generate_series(0, 2) k, LATERAL spqtree_nearest_join('SELECT id, b FROM level WHERE id < 9', 'SELECT id, b FROM level', k) GROUP BY k.k ORDER BY k.k;
RESET work_mem;
RESET hash_mem_multiplier;

-- Ties come in the order of ids: on a line distances are exact, so pairs are those of plain SQL.
CREATE TABLE line AS SELECT id, box(point((id * 37) % 50, 0), point((id * 37) % 50, 0)) AS b FROM generate_series(1, 400) id;
SELECT count(*) AS pairs, count(*) FILTER (WHERE j.left_id IS NULL OR t.left_id IS NULL) AS differ
FROM spqtree_nearest_join('SELECT id, b FROM line WHERE id <= 60', 'SELECT id, b FROM line', 11) j
FULL JOIN (SELECT l.id AS left_id, r.id AS right_id, d FROM line l, LATERAL (SELECT id, abs((line.b[0])[0] - (l.b[0])[0]) AS d FROM line ORDER BY d, id LIMIT 11) r WHERE l.id <= 60) t
  ON t.left_id = j.left_id AND t.right_id = j.right_id AND t.d = j.distance;
-- Pairs of a left row follow each other, in order.
SELECT count(*) AS pairs, count(*) FILTER (WHERE distance < before) AS "not in order", count(DISTINCT left_id) AS rows, count(*) FILTER (WHERE left_id IS DISTINCT FROM left_before) AS runs
FROM (SELECT *, lag(distance) OVER (PARTITION BY left_id ORDER BY nr) AS before, lag(left_id) OVER (ORDER BY nr) AS left_before
      FROM (SELECT *, row_number() OVER () AS nr FROM spqtree_nearest_join('SELECT id, b FROM many WHERE id <= 500', 'SELECT id, b FROM many', 7)) j) s;

-- Boxes that are not finite, or not boxes; extreme numbers; ids of other types; NULL.
CREATE TABLE odd (id smallint, b box);
INSERT INTO odd VALUES (1, '((Infinity,0),(5,0))'), (2, '((-Infinity,0),(-Infinity,0))'), (3, '((Infinity,Infinity),(-Infinity,-Infinity))'),
  (4, '((NaN,0),(0,0))'), (5, '((0,0),(0,0))'), (6, NULL), (7, '((1e308,0),(1e308,0))'), (8, '((-1e308,0),(-1e308,0))'), (9, '((0,1e-320),(0,1e-320))'), (10, '((0,2e-320),(0,2e-320))'),
  (11, box '((0,0),(3,3))' * point(-1, 0)), (12, '((1e200,1e200),(1e200,1e200))');
SET extra_float_digits = 0;
SELECT left_id, array_agg(right_id) AS rights, array_agg(distance) AS distances FROM spqtree_nearest_join('SELECT id, b FROM odd', 'SELECT id, b FROM odd', 4) GROUP BY left_id ORDER BY left_id;
RESET extra_float_digits;
SELECT left_id, array_agg(right_id) AS rights FROM spqtree_nearest_join('SELECT id, b FROM odd', 'SELECT id, b FROM odd', 20, 'Infinity') GROUP BY left_id ORDER BY left_id;
-- many of them, without an end
SELECT count(*) AS pairs, count(*) FILTER (WHERE distance <> greatest(0, (r.b[1])[0] - (l.b[0])[0])) AS differ
FROM (SELECT * FROM spqtree_nearest_join('SELECT id, b FROM line WHERE id <= 20', 'SELECT id, box(b[0], point(''Infinity'', 0)) FROM line', 30)) j
JOIN line l ON l.id = j.left_id JOIN line r ON r.id = j.right_id;
-- no rows on a side
SELECT count(*) FROM spqtree_nearest_join('SELECT id, b FROM odd WHERE false', 'SELECT id, b FROM odd');
SELECT count(*) FROM spqtree_nearest_join('SELECT id, b FROM odd', 'SELECT id, b FROM odd WHERE id = 4');
SELECT * FROM spqtree_nearest_join('SELECT 1, box ''((0,0),(1,1))''', 'SELECT 2::bigint, box ''((4,5),(4,5))''');

-- The end comes early; a cursor; within another query.
SELECT count(*) FROM (SELECT FROM spqtree_nearest_join('SELECT id, b FROM many', 'SELECT id, b FROM many', 50) LIMIT 1000) s;
BEGIN;
DECLARE c CURSOR FOR SELECT left_id, right_id FROM spqtree_nearest_join('SELECT id, b FROM line', 'SELECT id, b FROM line', 2);
MOVE 100 FROM c;
CLOSE c;
COMMIT;
EXPLAIN (COSTS OFF) SELECT * FROM spqtree_nearest_join('SELECT id, b FROM line', 'SELECT id, b FROM line', 2);
SELECT l.id, n.right_id, n.distance FROM line l LEFT JOIN spqtree_nearest_join('SELECT id, b FROM line WHERE id < 4', 'SELECT id, b FROM line WHERE id > 4', 2) n ON n.left_id = l.id WHERE l.id < 5 ORDER BY l.id, n.distance, n.right_id;
SELECT k.k, count(*) FROM generate_series(0, 3) k, LATERAL spqtree_nearest_join('SELECT id, b FROM line', 'SELECT id, b FROM line', k) GROUP BY k.k ORDER BY k.k;

-- Errors
SELECT * FROM spqtree_nearest_join(NULL, 'SELECT id, b FROM line');
SELECT * FROM spqtree_nearest_join('SELECT id, b FROM line', NULL);
SELECT * FROM spqtree_nearest_join('SELECT id, b FROM line', 'SELECT id, b FROM line', NULL);
SELECT * FROM spqtree_nearest_join('SELECT id, b FROM line', 'SELECT id, b FROM line', -1);
SELECT * FROM spqtree_nearest_join('SELECT id, b FROM line', 'SELECT id, b FROM line', 1, -1);
SELECT * FROM spqtree_nearest_join('SELECT id, b FROM line', 'SELECT id, b FROM line', 1, 'NaN');
SELECT * FROM spqtree_nearest_join('SELECT id FROM line', 'SELECT id, b FROM line');
SELECT * FROM spqtree_nearest_join('SELECT id, center(b) FROM line', 'SELECT id, b FROM line');
SELECT * FROM spqtree_nearest_join('SELECT id, b FROM line', 'SELECT id, box3(b, 0, 1) FROM line');
SELECT * FROM spqtree_nearest_join('SELECT id, b FROM line', 'DELETE FROM line RETURNING id, b');

DROP SCHEMA nearest_join CASCADE;
