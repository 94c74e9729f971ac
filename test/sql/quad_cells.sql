--
-- Cells of a linear quadtree: numbers, coordinates, and a btree that answers &&.
--
SET jit = off;

-- Numbers: the levels one after the other, each in Z-order.
SELECT y, string_agg(lpad(spqtree_quad_cell(box(point(x + 0.5, y + 0.5), point(x + 0.5, y + 0.5)), '(0,0),(4,4)', 2)::text, 2), ' ' ORDER BY x) AS "x: 0 .. 3"
FROM generate_series(0, 3) x, generate_series(0, 3) y GROUP BY y ORDER BY y DESC;
SELECT cell, spqtree_quad_box(cell, '(0,0),(4,4)') AS box FROM unnest('{0,1,4,5,15,20,6148914691236517204}'::bigint[]) cell;

-- The smallest cell that holds a box.  A border belongs to the cell right of it or
-- above; the frame's own last borders belong to the last cells.
SELECT b, cell, spqtree_quad_box(cell, '(0,0),(4,4)')
FROM unnest(ARRAY[box '(1,1),(1,1)', '(1,1),(1.9,1.9)', '(1,1),(2,1)', '(0.9,0.1),(1,0.1)', '(2,2),(3,3)', '(2.5,0),(3.5,0.5)',
                  '(4,4),(4,4)', '(3,3),(4,4)', '(0,0),(4,4)', '(-1,1),(1,1)', '(1,1),(1,4.1)', '(NaN,1),(1,1)', '(1,1),(Infinity,1)', '(-Infinity,-Infinity),(Infinity,Infinity)']) WITH ORDINALITY b(b, nr),
     spqtree_quad_cell(b, '(0,0),(4,4)', 5) cell ORDER BY nr;

-- A cell's number, its part of the frame and the cell at its center are inverse; the parent of n is
-- (n - 1) / 4, and encloses it.
CREATE FUNCTION quad_first(level int) RETURNS bigint LANGUAGE sql AS $$ SELECT ((4::numeric ^ level - 1) / 3)::bigint $$;
CREATE TABLE quad_random AS
SELECT level, quad_first(level) + floor(tst.rnd(1, i, 1) * 4::float8 ^ level)::bigint AS cell FROM generate_series(1, 3200) i, LATERAL (SELECT i % 32) l(level);
CREATE FUNCTION quad_encloses(a box, b box) RETURNS boolean LANGUAGE sql AS $$
  SELECT (a[1])[0] <= (b[1])[0] AND (a[1])[1] <= (b[1])[1] AND (a[0])[0] >= (b[0])[0] AND (a[0])[1] >= (b[0])[1]
$$;
SELECT count(*) AS cells, count(DISTINCT level) AS levels,
       count(*) FILTER (WHERE spqtree_quad_cell(box(center(part)), f, level) <> cell) AS "not inverse",
       count(*) FILTER (WHERE width(part) <> 1024 / 2::float8 ^ level OR height(part) <> width(part)) AS "other size",
       count(*) FILTER (WHERE level > 0 AND NOT quad_encloses(spqtree_quad_box((cell - 1) / 4, f), part)) AS "not enclosed"
FROM quad_random, (SELECT box '(0,0),(1024,1024)') f(f), LATERAL spqtree_quad_box(cell, f) part;

-- Frames of all kinds, and boxes along their borders: the cell holds the box, to the
-- last bit, and none of the cell's parts does, except along a border.
CREATE TABLE quad_frames AS
SELECT nr, f FROM unnest(ARRAY[box '(0,0),(1,1)', '(0.1,0.1),(0.7,0.3)', '(1e15,1e15),(1000000000000001,1000000000000002)', '(0,0),(1e-270,1e-260)',
                               '(-4e307,-4e307),(4e307,4e307)', '(-180,-90),(180,90)', '(3,3),(3.000000000000001,4)']) WITH ORDINALITY s(f, nr);
CREATE TABLE quad_boxes AS
SELECT nr, f, box(point(x, y), point(least(x + w * u, (f[0])[0]), least(y + h * v, (f[0])[1]))) AS b
FROM quad_frames, LATERAL (SELECT (f[0])[0] - (f[1])[0], (f[0])[1] - (f[1])[1]) d(w, h), generate_series(1, 2000) i,
     LATERAL (SELECT least((f[1])[0] + w * (floor(tst.rnd(2, i, 1) * 65) / 64), (f[0])[0]), least((f[1])[1] + h * tst.rnd(2, i, 2), (f[0])[1]),
                     CASE i % 3 WHEN 0 THEN 0 ELSE tst.rnd(2, i, 3) ^ 8 END, CASE i % 5 WHEN 0 THEN 0 ELSE tst.rnd(2, i, 4) ^ 8 END) p(x, y, u, v);
SELECT nr, count(*) AS boxes, count(*) FILTER (WHERE NOT quad_encloses(spqtree_quad_box(cell, f), b)) AS "not held",
       count(*) FILTER (WHERE cell < quad_first(31) AND EXISTS
                              (SELECT FROM generate_series(cell * 4 + 1, cell * 4 + 4) part, LATERAL spqtree_quad_box(part, f) p
                               WHERE quad_encloses(p, b) AND ((p[0])[0] > (b[0])[0] OR (p[0])[0] = (f[0])[0] AND NOT narrow) AND ((p[0])[1] > (b[0])[1] OR (p[0])[1] = (f[0])[1] AND NOT narrow))) AS "not smallest"
FROM quad_boxes, LATERAL spqtree_quad_cell(b, f, 31) cell, LATERAL (SELECT nr IN (3, 7)) n(narrow) GROUP BY nr ORDER BY nr;
-- A higher limit is a cell above, the one of that level if the cell is below it.
CREATE FUNCTION quad_parent(cell bigint, below bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  WHILE cell >= below LOOP
    cell := (cell - 1) / 4;
  END LOOP;
  RETURN cell;
END $$;
SELECT count(*) FILTER (WHERE spqtree_quad_cell(b, f, 9) <> quad_parent(cell, quad_first(10))) AS others,
       max(spqtree_quad_cell(b, f, 9)) BETWEEN quad_first(9) AND quad_first(10) - 1 AS "down to that level",
       count(*) FILTER (WHERE spqtree_quad_cell(b, f) <> spqtree_quad_cell(b, f, 16)) AS "not the default"
FROM quad_boxes, LATERAL spqtree_quad_cell(b, f, 31) cell;

-- Ranges of a query: ascending, apart, beginning with the frame.
SELECT * FROM spqtree_quad_ranges('(1,1),(1.5,2)', '(0,0),(4,4)', 4, 4);
SELECT * FROM spqtree_quad_ranges('(1,1),(1.5,2)', '(0,0),(4,4)', 0);
SELECT * FROM spqtree_quad_ranges('(4.000001,1),(5,2)', '(0,0),(4,4)', 1);	-- touches the frame, with tolerance
SELECT * FROM spqtree_quad_ranges('(4.1,1),(5,2)', '(0,0),(4,4)', 1);
SELECT * FROM spqtree_quad_ranges('(NaN,1),(5,2)', '(0,0),(4,4)', 1);
SELECT * FROM spqtree_quad_ranges('(-Infinity,-Infinity),(Infinity,Infinity)', '(0,0),(4,4)', 31);

-- A btree on the cell answers && as a sequential scan does: boxes beyond the frame,
-- NaN, infinities, borders within the tolerance.
CREATE TABLE quad_indexed AS
SELECT i AS id, CASE WHEN i % 40 = 0 THEN (ARRAY[box '(NaN,1),(2,3)', '(Infinity,1),(1,1)', '(-Infinity,-Infinity),(Infinity,Infinity)', '(0.5,0.5),(0.5,NaN)'])[1 + i / 40 % 4]
                     WHEN i % 3 = 0 THEN box(point(floor(x * 80) / 64 + e, floor(y * 80) / 64), point(floor(x * 80) / 64 + e, floor(y * 80) / 64 + floor(v * 4) / 64 - e))
                     ELSE box(point(x * 1.2 - 0.1, y * 1.2 - 0.1), point(x * 1.2 - 0.1 + u ^ 6, y * 1.2 - 0.1 + v ^ 6)) END AS b
FROM generate_series(1, 4000) i, LATERAL (SELECT tst.rnd(3, i, 1), tst.rnd(3, i, 2), tst.rnd(3, i, 3), tst.rnd(3, i, 4), (ARRAY[0, 9e-7, 1e-6, 1.1e-6, -1e-6])[i % 5 + 1]) r(x, y, u, v, e);
CREATE INDEX quad_indexed_cell ON quad_indexed (spqtree_quad_cell(b, '(0,0),(1,1)', 12));
ANALYZE quad_indexed;
SET enable_seqscan = off; SET enable_bitmapscan = off;
EXPLAIN (COSTS off) SELECT t.id FROM spqtree_quad_ranges('(0.5,0.5),(0.6,0.6)', '(0,0),(1,1)', 12) r
JOIN quad_indexed t ON spqtree_quad_cell(t.b, '(0,0),(1,1)', 12) BETWEEN r.first AND r.last WHERE t.b && '(0.5,0.5),(0.6,0.6)';
SELECT max_cells, count(*) AS queries, sum(found) > 20000 AS "many found", count(*) FILTER (WHERE found <> once) AS twice,
       count(*) FILTER (WHERE once <> expected OR found <> expected) AS wrong
FROM unnest('{1,2,16,300}'::int[]) max_cells,
     LATERAL (SELECT b AS q FROM quad_indexed WHERE id % 13 = 0 UNION ALL SELECT box(point(0.5, 0.5), point(1, 1)) UNION ALL SELECT '(2,2),(3,3)' UNION ALL SELECT '(-1,-1),(2,2)') q,
     LATERAL (SELECT count(t.id), count(DISTINCT t.id) FROM spqtree_quad_ranges(q, '(0,0),(1,1)', 12, max_cells) r
              JOIN quad_indexed t ON spqtree_quad_cell(t.b, '(0,0),(1,1)', 12) BETWEEN r.first AND r.last WHERE t.b && q) found(found, once),
     LATERAL (SELECT count(*) FROM quad_indexed t WHERE t.b && q) expected(expected)
GROUP BY max_cells ORDER BY max_cells;
RESET enable_seqscan; RESET enable_bitmapscan;

-- NULL gives NULL, or no rows.
SELECT spqtree_quad_cell(NULL, '(0,0),(1,1)'), spqtree_quad_box(1, NULL), spqtree_quad_box(NULL, '(0,0),(1,1)');
SELECT * FROM spqtree_quad_ranges(NULL, '(0,0),(1,1)');

-- What is not a frame, a level, a number.
SELECT spqtree_quad_cell('(0,0),(1,1)', '(0,0),(0,1)');
SELECT spqtree_quad_cell('(0,0),(1,1)', '(0,0),(Infinity,1)');
SELECT spqtree_quad_box(0, '(0,0),(1,NaN)');
SELECT spqtree_quad_cell('(0,0),(1,1)', '(-1e308,0),(1e308,1)');
SELECT spqtree_quad_cell('(0,0),(1,1)', '(0,0),(1,1)', 32);
SELECT spqtree_quad_cell('(0,0),(1,1)', '(0,0),(1,1)', -1);
SELECT spqtree_quad_box(-1, '(0,0),(1,1)');
SELECT spqtree_quad_box(6148914691236517205, '(0,0),(1,1)');
SELECT spqtree_quad_ranges('(0,0),(1,1)', '(0,0),(1,1)', 16, 0);
SELECT spqtree_quad_ranges('(0,0),(1,1)', '(0,0),(1,1)', 16, 4097);
