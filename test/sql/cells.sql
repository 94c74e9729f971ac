--
-- Keys of cells: Z-order, nothing lost, and joins in plain SQL that give each
-- pair once.
--
SET jit = off;

-- Z-order: a grid of 4x4 cells around the origin, columns and rows -2 .. 1, in the
-- order of the keys.
SELECT y, string_agg(lpad(nr::text, 2), ' ' ORDER BY x) AS "x: -2 .. 1"
FROM (SELECT x, y, row_number() OVER (ORDER BY spqtree_cell(point(x + 0.5, y + 0.5), 1)) AS nr
      FROM generate_series(-2, 1) x, generate_series(-2, 1) y) s
GROUP BY y ORDER BY y DESC;
-- Cells in the first quadrant follow each other without gaps.
SELECT y, string_agg(lpad((spqtree_cell(point(x, y), 1) - spqtree_cell(point(0, 0), 1))::text, 2), ' ' ORDER BY x) AS "x: 0 .. 3"
FROM generate_series(0, 3) x, generate_series(0, 3) y GROUP BY y ORDER BY y DESC;
-- The first and the last cell have the least and the largest key.
SELECT spqtree_cell(point(-2147483648, -2147483648), 1), spqtree_cell(point(2147483647, 2147483647), 1),
       spqtree_cell(point(0, 0), 1), spqtree_cell(point(-1, -1), 1), spqtree_cell(point(-1, 0), 1), spqtree_cell(point(0, -1), 1);

-- The definition once more, bit by bit: of column and row, with their signs turned
-- so that they ascend, the bits of the row to the left.
CREATE FUNCTION cells_key(x bigint, y bigint) RETURNS bigint IMMUTABLE LANGUAGE sql AS $$
  SELECT string_agg(substr(r, i, 1) || substr(c, i, 1), '' ORDER BY i)::bit(64)::bigint # (1::bigint << 63)
  FROM generate_series(1, 32) i, (SELECT (y + 2147483648)::bit(64)::text, (x + 2147483648)::bit(64)::text) s(yb, xb),
       LATERAL (SELECT right(yb, 32), right(xb, 32)) t(r, c)
$$;
CREATE TABLE cells_random AS
SELECT floor((tst.rnd(1, i, 1) - 0.5) * 2 ^ (1 + i % 32)) AS x, floor((tst.rnd(1, i, 2) - 0.5) * 2 ^ (1 + i * 7 % 32)) AS y FROM generate_series(1, 50000) i
UNION SELECT x, y FROM unnest('{-2147483648,-1,0,1,2147483647}'::float8[]) x, unnest('{-2147483648,-1,0,1,2147483647}'::float8[]) y;
SELECT count(*) > 100 AS cells, count(*) FILTER (WHERE spqtree_cell(point(x, y), 1) <> cells_key(x::bigint, y::bigint)) AS wrong
FROM (SELECT * FROM cells_random WHERE (x::bigint + y::bigint) % 50 = 0) s;
-- No two cells have the same key.
SELECT count(*) > 25000 AS cells, count(*) = count(DISTINCT spqtree_cell(point(x, y), 1)) AS "all different" FROM cells_random;

-- A border belongs to the cell to the right and above; a cell is half open, and
-- the size is that of the cell.
SELECT x, size, cell - spqtree_cell(point(0, 0), 1) AS cell
FROM (VALUES (0::float8, 1::float8), (0.999999999, 1), (1, 1), (-0.0, 1), (-1e-300, 1), (7.5, 2.5), (7.4999, 2.5), (1e-300, 1e-300), (1e300, 1e300), (-1e300, 1e300)) v(x, size),
     LATERAL spqtree_cell(point(x, 0), size) cell;

-- Cells of a box: those that it touches, up to EPSILON beyond its high corner.
SELECT b::text, array_agg(cell - spqtree_cell(point(0, 0), 1) ORDER BY cell) AS cells
FROM (VALUES (1, box '(0.5,0.5),(0.5,0.5)'), (2, '(0.5,0.5),(1.5,1.5)'), (3, '(0,0),(1,1)'), (4, '(0,0),(0.9999995,0)'), (5, '(0,0),(0.99999,0)'),
             (6, '(0.2,0.2),(3.5,0.3)'), (7, '(1.0000005,0),(1.5,0)')) v(nr, b), LATERAL spqtree_cells(b, 1) cell
GROUP BY nr, b::text ORDER BY nr;
-- the cells of a box are those of the points in it, each once
SELECT count(*), count(DISTINCT cell),
       (SELECT count(*) FROM (SELECT cell FROM spqtree_cells(box '(-7.5,-3.5),(10.5,20.5)', 1) cell
                              EXCEPT SELECT spqtree_cell(point(x, y), 1) FROM generate_series(-8, 10) x, generate_series(-4, 20) y) s) AS others
FROM spqtree_cells(box '(-7.5,-3.5),(10.5,20.5)', 1) cell;

-- The pair's cell: of the low corner of what two boxes share.  NULL if they are apart.
SELECT spqtree_pair_cell('(0,0),(5,5)', '(3.5,2.5),(9,9)', 1) = spqtree_cell('(3.5,2.5)', 1) AS shared,
       spqtree_pair_cell('(3.5,2.5),(9,9)', '(0,0),(5,5)', 1) = spqtree_cell('(3.5,2.5)', 1) AS swapped,
       spqtree_pair_cell('(0,0),(1,1)', '(1,1),(2,2)', 1) = spqtree_cell('(1,1)', 1) AS corner,
       spqtree_pair_cell('(0,0),(1,1)', '(1.0000005,0),(2,2)', 1) = spqtree_cell('(1.0000005,0)', 1) AS epsilon,
       spqtree_pair_cell('(0,0),(1,1)', '(1.1,0),(2,2)', 1) AS apart,
       spqtree_pair_cell('(NaN,0),(1,1)', '(0,0),(2,2)', 1) AS nan;

-- NaN is in no cell; NULL gives NULL, or no rows.
SELECT spqtree_cell('(NaN,0)', 1), spqtree_cell('(0,NaN)', 1), spqtree_cell(NULL, 1), spqtree_cell('(0,0)', NULL), spqtree_pair_cell(NULL, '(0,0),(1,1)', 1);
SELECT count(*) FROM (SELECT spqtree_cells('(NaN,0),(1,1)', 1) UNION ALL SELECT spqtree_cells('(0,0),(1,NaN)', 1)
                      UNION ALL SELECT spqtree_cells(NULL, 1) UNION ALL SELECT spqtree_cells('(0,0),(1,1)', NULL)) s;

-- What is in no cell: infinities, and what has a number beyond 32 bits.
SELECT spqtree_cell('(Infinity,0)', 1);
SELECT spqtree_cell('(0,-Infinity)', 1e300);
SELECT spqtree_cell('(1e10,0)', 1);
SELECT spqtree_cell('(2147483648,0)', 1);
SELECT spqtree_cell('(0,-2147483648.5)', 1);
SELECT spqtree_cell('(1,0)', 1e-300);
SELECT spqtree_cells('(0,0),(Infinity,1)', 1);
SELECT spqtree_cells('(0,-Infinity),(1,1)', 1);
SELECT spqtree_cells('(-3e9,0),(0,1)', 1);
SELECT spqtree_cells('(2147483647,0),(2147483647.9999999,0)', 1);
SELECT spqtree_pair_cell('(Infinity,0),(Infinity,1)', '(0,0),(Infinity,1)', 1);
SELECT spqtree_pair_cell('(1e10,0),(1e10,1)', '(1e10,0),(1e11,1)', 1);
-- A box that touches too many.
SELECT spqtree_cells(box(point(0.5, 0.5), point(3161.5, 3161.5)), 1) = spqtree_cell(point(0.5, 0.5), 1) AS "not too many" LIMIT 1;
SELECT count(*) FROM spqtree_cells(box(point(0.5, 0.5), point(3162.5, 3162.5)), 1);
SELECT count(*) FROM spqtree_cells(box(point(-2e9, -2e9), point(2e9, 2e9)), 1);
SELECT count(*) FROM spqtree_cells(box '(0,0),(0,0)', 1e-14);
-- Sizes.
SELECT spqtree_cell('(0,0)', 0);
SELECT spqtree_cell('(0,0)', -1);
SELECT spqtree_cell('(0,0)', 'NaN');
SELECT spqtree_cell('(0,0)', 'Infinity');
SELECT spqtree_cells('(0,0),(1,1)', 0);
SELECT spqtree_cells('(NaN,0),(1,1)', -1);
SELECT spqtree_pair_cell('(0,0),(1,1)', '(0,0),(1,1)', 'NaN');
SELECT spqtree_pair_cell('(0,0),(1,1)', '(5,5),(6,6)', 0);
\set VERBOSITY sqlstate
SELECT spqtree_cell('(0,0)', 0);
SELECT spqtree_cell('(1e10,0)', 1);
SELECT count(*) FROM spqtree_cells(box(point(0, 0), point(1e5, 1e5)), 1);
\set VERBOSITY default

-- In an index, and in parallel: they are immutable.
SELECT p.oid::regprocedure AS function, provolatile, proparallel, proisstrict, proretset, obj_description(p.oid, 'pg_proc') <> '' AS comment
FROM pg_proc p WHERE proname ~ '^spqtree_(pair_)?cells?$' ORDER BY proname COLLATE "C";
CREATE TABLE cells_indexed (p point);
CREATE INDEX cells_index ON cells_indexed (spqtree_cell(p, 10));
INSERT INTO cells_indexed SELECT point(i % 100, i / 100) FROM generate_series(0, 9999) i;
SET enable_seqscan = off;
SELECT count(*) FROM cells_indexed WHERE spqtree_cell(p, 10) = spqtree_cell('(55,55)', 10);
RESET enable_seqscan;

--
-- The join in plain SQL has each pair that && finds, once.
--
CREATE TABLE cells_csv (x1 float8, y1 float8, x2 float8, y2 float8, id int);
\copy cells_csv FROM PROGRAM 'gzip -dc "$PG_ABS_SRCDIR/data/roads_first_600.csv.gz" | head -n 501' (FORMAT csv, HEADER)
CREATE TABLE cells_box AS SELECT 'roads' AS shape, id % 2 AS side, id, box(point(x1, y1), point(x2, y2)) AS b FROM cells_csv;
TRUNCATE cells_csv;
\copy cells_csv FROM PROGRAM 'gzip -dc "$PG_ABS_SRCDIR/../data/us_counties.csv.gz" | awk "NR % 6 == 1"' (FORMAT csv, HEADER)
INSERT INTO cells_box SELECT 'counties', id / 6 % 2, id, box(point(x1, y1), point(x2, y2)) FROM cells_csv;
INSERT INTO cells_box
SELECT shape, i % 2, i, v.b
FROM generate_series(1, 300) i, LATERAL (SELECT tst.rnd(3, i, 1) AS a, tst.rnd(3, i, 2) AS b, tst.rnd(3, i, 3) AS c, tst.rnd(3, i, 4) AS d) r,
     LATERAL (VALUES
       ('uniform', box(point(a * 100 - 50, r.b * 100 - 50), point(a * 100 - 50 + c ^ 3 * 30, r.b * 100 - 50 + d ^ 3 * 30))),
       -- they touch exactly at borders of cells, and at corners
       ('touching', box(point(floor(a * 20) - 10, floor(r.b * 20) - 10), point(floor(a * 20) - 10 + floor(c * 3), floor(r.b * 20) - 10 + floor(d * 3)))),
       -- about EPSILON apart there: the gap is 0.5, 1 or 1.5 EPSILON, or an overlap
       ('epsilon', box(point(floor(a * 20) - 10 + (floor(c * 4) - 1) * 0.5e-6, floor(r.b * 9) + (floor(d * 4) - 1) * 0.5e-6),
                       point(floor(a * 20) - 9, floor(r.b * 9) + 1))),
       ('points', box(point(floor(a * 12) - 6, floor(r.b * 12) - 6), point(floor(a * 12) - 6, floor(r.b * 12) - 6))),
       ('identical', box '(-0.5,-0.5),(0.5,0.5)'),
       ('with NaN', CASE i % 3 WHEN 0 THEN box(point(a, 'NaN'), point(c, d)) ELSE box(point(a, r.b), point(c, d)) END)) v(shape, b)
WHERE shape <> 'identical' OR i <= 60;

SELECT shape, size, pairs > 50 AS pairs, pairs = in_cells AS same, lost, made_up
FROM (VALUES ('roads', 40::float8), ('roads', 300), ('roads', 1e5), ('counties', 0.3), ('counties', 1.7), ('counties', 1000),
             ('uniform', 1), ('uniform', 7.3), ('uniform', 1e300), ('touching', 1), ('touching', 0.5), ('touching', 2), ('touching', 0.3),
             ('epsilon', 1), ('epsilon', 0.5), ('epsilon', 0.1), ('points', 1), ('points', 0.1), ('points', 1e-6), ('identical', 0.1), ('identical', 1),
             ('with NaN', 0.1), ('with NaN', 2)) v(shape, size),
LATERAL (
  WITH l AS MATERIALIZED (SELECT id, b FROM cells_box t WHERE t.shape = v.shape AND side = 0),
       r AS MATERIALIZED (SELECT id, b FROM cells_box t WHERE t.shape = v.shape AND side = 1),
       lc AS MATERIALIZED (SELECT id, b, cell FROM l, spqtree_cells(b, size) cell),
       rc AS MATERIALIZED (SELECT id, b, cell FROM r, spqtree_cells(b, size) cell),
       truth AS MATERIALIZED (SELECT l.id, r.id FROM l CROSS JOIN r WHERE l.b && r.b),
       joined AS MATERIALIZED (SELECT a.id, b.id FROM lc a JOIN rc b USING (cell) WHERE a.b && b.b AND spqtree_pair_cell(a.b, b.b, size) = cell)
  SELECT (SELECT count(*) FROM truth) AS pairs, (SELECT count(*) FROM joined) AS in_cells,
         (SELECT count(*) FROM (TABLE truth EXCEPT ALL TABLE joined) s) AS lost,
         (SELECT count(*) FROM (TABLE joined EXCEPT ALL TABLE truth) s) AS made_up) s
ORDER BY 1, 2;
-- Without the last condition there would be more: it is what leaves one of each.
SELECT count(*) > 2 * count(DISTINCT (a, b)) AS several_times
FROM (SELECT a.id, b.id FROM (SELECT id, b, cell FROM cells_box, spqtree_cells(b, 1) cell WHERE shape = 'uniform' AND side = 0) a
      JOIN (SELECT id, b, cell FROM cells_box, spqtree_cells(b, 1) cell WHERE shape = 'uniform' AND side = 1) b USING (cell) WHERE a.b && b.b) s(a, b);
-- The same pairs as the join's.
SELECT count(*) FROM (
  SELECT least(a.id, b.id), greatest(a.id, b.id)
  FROM (SELECT id, b, cell FROM cells_box, spqtree_cells(b, 1) cell WHERE shape = 'epsilon') a
  JOIN (SELECT id, b, cell FROM cells_box, spqtree_cells(b, 1) cell WHERE shape = 'epsilon') b USING (cell)
  WHERE a.id < b.id AND spqtree_pair_cell(a.b, b.b, 1) = cell
  EXCEPT ALL SELECT * FROM spqtree_self_join($$SELECT id, b FROM cells_box WHERE shape = 'epsilon'$$)) s;
DROP TABLE cells_box, cells_csv, cells_random, cells_indexed;
