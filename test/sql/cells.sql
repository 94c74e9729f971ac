--
-- Keys of cells: Z-order, nothing lost.
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

-- NaN is in no cell; NULL gives NULL, or no rows.
SELECT spqtree_cell('(NaN,0)', 1), spqtree_cell('(0,NaN)', 1), spqtree_cell(NULL, 1), spqtree_cell('(0,0)', NULL);

-- What is in no cell: infinities, and what has a number beyond 32 bits.
SELECT spqtree_cell('(Infinity,0)', 1);
SELECT spqtree_cell('(0,-Infinity)', 1e300);
SELECT spqtree_cell('(1e10,0)', 1);
SELECT spqtree_cell('(2147483648,0)', 1);
SELECT spqtree_cell('(0,-2147483648.5)', 1);
SELECT spqtree_cell('(1,0)', 1e-300);
-- Sizes.
SELECT spqtree_cell('(0,0)', 0);
SELECT spqtree_cell('(0,0)', -1);
SELECT spqtree_cell('(0,0)', 'NaN');
SELECT spqtree_cell('(0,0)', 'Infinity');
\set VERBOSITY sqlstate
SELECT spqtree_cell('(0,0)', 0);
SELECT spqtree_cell('(1e10,0)', 1);
\set VERBOSITY default

-- In an index, and in parallel: it is immutable.
SELECT p.oid::regprocedure AS function, provolatile, proparallel, proisstrict, proretset, obj_description(p.oid, 'pg_proc') <> '' AS comment
FROM pg_proc p WHERE proname = 'spqtree_cell' ORDER BY proname COLLATE "C";
CREATE TABLE cells_indexed (p point);
CREATE INDEX cells_index ON cells_indexed (spqtree_cell(p, 10));
INSERT INTO cells_indexed SELECT point(i % 100, i / 100) FROM generate_series(0, 9999) i;
SET enable_seqscan = off;
SELECT count(*) FROM cells_indexed WHERE spqtree_cell(p, 10) = spqtree_cell('(55,55)', 10);
RESET enable_seqscan;

DROP TABLE cells_random, cells_indexed;
