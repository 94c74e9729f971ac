--
-- Parts of a partitioning: text form, the parts of boxes, points and pairs, and joins
-- part by part against those of whole tables.
--
SET jit = off;

-- Text
SELECT '2d 1'::spqtree_partitioning, '  2d/8  x -0.5 y1e3 7 3 2'::spqtree_partitioning, '3d z0.5 x1 1 2 3'::spqtree_partitioning;
SELECT ''::spqtree_partitioning;
SELECT '4d 1'::spqtree_partitioning;
SELECT '2d'::spqtree_partitioning;
SELECT '2d x5 1'::spqtree_partitioning;
SELECT '2d x5 1 2 3'::spqtree_partitioning;
SELECT '2d z5 1 2'::spqtree_partitioning;
SELECT '2d xNaN 1 2'::spqtree_partitioning;
SELECT '2d xInfinity 1 2'::spqtree_partitioning;
SELECT '2d x5 1 1'::spqtree_partitioning;
SELECT '2d 0'::spqtree_partitioning;
SELECT '2d 1.5'::spqtree_partitioning;
SELECT '2d/0 1'::spqtree_partitioning;
SELECT ('2d ' || repeat('x1 ', 300) || '1')::spqtree_partitioning;
SELECT encode(_spqtree_partitioning_send('2d/3 x5 y3 1 2 3'), 'escape');
-- all digits, whatever the setting: rows are divided by it
SET extra_float_digits = 0;
SELECT '2d x0.12345678901234566 1 2'::spqtree_partitioning, encode(_spqtree_partitioning_send('2d x0.12345678901234566 1 2'), 'escape');
RESET extra_float_digits;

-- Parts of points and boxes
SELECT * FROM spqtree_part_list('2d x5 y3 1 2 3');
SELECT spqtree_part(point(x, y), '2d x5 y3 1 2 3') AS part, x, y
FROM unnest('{-Infinity,4.9999999,5,Infinity,NaN}'::float8[]) x, unnest('{-Infinity,2.9999999,3}'::float8[]) y ORDER BY 2, 3;
SELECT b, spqtree_parts(b, '2d x5 y3 1 2 3') AS parts, spqtree_parts(b, '2d/2 x5 y3 1 2 3') AS "two copies",
       spqtree_window_parts(b, '2d x5 y3 1 2 3') AS "window", spqtree_window_parts(b, '2d/2 x5 y3 1 2 3') AS "with part 0"
FROM unnest(ARRAY[box '(0,0),(1,1)', '(0,0),(4.9999995,2)', '(0,0),(4.99999,2)', '(0,0),(9,9)', '(5,3),(5,3)', '(-Infinity,0),(Infinity,0)', '(NaN,0),(1,1)', NULL]) b;
SELECT spqtree_pair_part(box '(0,0),(9,9)', '(4,4),(9,9)', '2d x5 y3 1 2 3') AS "2", spqtree_pair_part(box '(0,0),(9,9)', '(4,4),(9,9)', '2d/1 x5 y3 1 2 3') AS everywhere,
       spqtree_pair_part(box '(0,0),(9,9)', '(6,6),(9,9)', '2d/1 x5 y3 1 2 3') AS "3", spqtree_pair_part(box '(NaN,0),(1,1)', '(0,0),(1,1)', '2d 1') AS nan,
       spqtree_pair_part(NULL, box '(0,0),(1,1)', '2d 1') AS "null", spqtree_part(NULL::point, '2d 1') AS "no point", spqtree_parts(box '(0,0),(1,1)', NULL) AS "no parts";
SELECT spqtree_part(point3 '(1,1,0.5)', '3d z0.5 1 2'), spqtree_parts(box3 '(0,0,0),(1,1,0.5)', '3d z0.5 1 2'), spqtree_parts(box3 '(0,0,0),(1,1,0.49999999)', '3d z0.5 1 2'),
       spqtree_pair_part(box3 '(0,0,0),(1,1,1)', '(0,0,0.5),(1,1,1)', '3d z0.5 1 2'), spqtree_window_parts(box3 '(0,0,0),(1,1,1)', '3d/1 z0.5 1 2');
SELECT spqtree_parts(box '(0,0),(1,1)', '3d 1');
SELECT spqtree_renumber('2d/2 x5 y3 1 2 3', '{30,10,20}');
SELECT spqtree_renumber('2d x5 y3 1 2 3', '{30,10}');
SELECT spqtree_renumber('2d x5 y3 1 2 3', '{30,10,30}');
SELECT spqtree_renumber('2d x5 y3 1 2 3', '{30,10,NULL}');
SELECT spqtree_renumber('2d x5 y3 1 2 3', '{30,10,-1}');

-- From queries
SELECT spqtree_partition('SELECT point(i, 0) FROM generate_series(0, 7) i', 4);
SELECT spqtree_partition('SELECT box3(point3(0, 0, i), point3(1, 1, i + 1)) FROM generate_series(0, 7) i', 2, 9);
SELECT spqtree_partition('SELECT point(i % 2, 0) FROM generate_series(0, 7) i', 4);
-- boxes that stick out of a region: each part has points
SELECT spqtree_partition('SELECT box(point(i, 0), point(1000 + i, 1)) FROM generate_series(1, 100) i', 4);
SELECT count(*) AS parts, count(*) FILTER (WHERE low[1] >= high[1] OR low[2] >= high[2]) AS empty
FROM (SELECT spqtree_partition('SELECT box(point(-i * 7 % 1000, -i * 11 % 1000), point(i * 7 % 1000, i * 11 % 1000)) FROM generate_series(1, 1000) i', 64) AS p) s, spqtree_part_list(p);
-- a sample that memory limits
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
DO $$ BEGIN PERFORM spqtree_partition('SELECT point(i, i * 7919 % 1000) FROM generate_series(1, 2000) i', 1000); END $$;
RESET work_mem;
RESET hash_mem_multiplier;
SELECT spqtree_partition('SELECT NULL::box', 4);
SELECT spqtree_partition('SELECT point(''NaN'', 1)', 4);
SELECT spqtree_partition(NULL, 4);
SELECT spqtree_partition('SELECT point(0, 0)', NULL);
SELECT spqtree_partition('SELECT point(0, 0)', 0);
SELECT spqtree_partition('SELECT point(0, 0)', 4, 0);
SELECT spqtree_partition('SELECT 1, point(0, 0)', 4);
SELECT spqtree_partition('SELECT circle(point(0, 0), 1)', 4);
SELECT spqtree_partition('SELECT point(0, 0) FROM none', 4);
SELECT spqtree_partition('SELECT point(0, 0); SELECT point(0, 0)', 4);
SELECT spqtree_partition('TRUNCATE none', 4);

-- Balance: boxes in clusters
CREATE TABLE parts_clusters AS
SELECT i AS id, box(point(x, y), point(x + w, y + w)) AS b
FROM (SELECT i, c * 7 % 40 * 100 + tst.rnd(1, i, 2) * tst.rnd(1, i, 3) * (c + 1) AS x, c * 11 % 40 * 100 + tst.rnd(1, i, 4) * (c + 1) AS y, tst.rnd(1, i, 5) / 100 AS w
      FROM (SELECT i, floor(tst.rnd(1, i, 1) * tst.rnd(1, i, 6) * 40)::int AS c FROM generate_series(1, 20000) i) r) s;
SELECT spqtree_partition('SELECT b FROM parts_clusters', 32) AS p \gset
SELECT count(*) AS parts, max(n) / avg(n) < 1.5 AS balanced, sum(n) / 20000 < 1.2 AS "few copies"
FROM (SELECT count(*) AS n FROM parts_clusters, unnest(spqtree_parts(b, :'p')) part GROUP BY part) s;
-- the same rows make the same parts
SELECT spqtree_partition('SELECT b FROM parts_clusters', 32)::text = :'p' AS same;

-- Joins: rows of all kinds, many of which touch by EPSILON
CREATE FUNCTION parts_box(seed int, i int) RETURNS box IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE i % 50 WHEN 0 THEN NULL
                     WHEN 1 THEN box(point('NaN', y), point(x, y))
                     WHEN 2 THEN box(point('-Infinity', y), point(x, y + 1))
                     WHEN 3 THEN box(point(x, y), point('Infinity', 'Infinity'))
                     WHEN 4 THEN box(point(x, y), point(x, y))
                     WHEN 5 THEN box(point(x - 20, y), point(x + 30, y + 25))
                     ELSE box(point(x, y), point(x + w, y + h)) END
  FROM (SELECT floor(tst.rnd(seed, i, 1) * tst.rnd(seed, i, 2) * 100) + (i % 3 - 1) * 7e-7 AS x, floor(tst.rnd(seed, i, 3) * 100) + (i % 5 - 2) * 4e-7 AS y,
               floor(tst.rnd(seed, i, 4) * 4) AS w, floor(tst.rnd(seed, i, 5) * 3) AS h) s
$$;
CREATE TABLE parts_a AS SELECT i AS id, parts_box(11, i) AS b FROM generate_series(1, 1500) i;
CREATE TABLE parts_b AS SELECT i AS id, parts_box(12, i) AS b FROM generate_series(1, 1000) i;
CREATE FUNCTION parts_compare(truth text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE n bigint; differ bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM (%s) q', truth) INTO n;
  EXECUTE format('SELECT count(*) FROM (((%1$s) EXCEPT ALL (%2$s)) UNION ALL ((%2$s) EXCEPT ALL (%1$s))) q', truth, query) INTO differ;
  RETURN CASE WHEN n >= 100 THEN 'many' ELSE n::text END || ' rows, ' || differ || ' differ';
END $$;
CREATE FUNCTION parts_try(p spqtree_partitioning) RETURNS TABLE (what text, result text) LANGUAGE plpgsql AS $$
DECLARE pairs text; op text; w box;
BEGIN
  EXECUTE format('CREATE TEMP TABLE pa AS SELECT id, b, part FROM parts_a, unnest(spqtree_parts(b, %L)) part', p);
  EXECUTE format('CREATE TEMP TABLE pb AS SELECT id, b, part FROM parts_b, unnest(spqtree_parts(b, %L)) part', p);
  what := 'rows'; result := parts_compare('SELECT id FROM parts_a', 'SELECT DISTINCT id FROM pa'); RETURN NEXT;
  FOREACH op IN ARRAY '{&&,@>,<@}'::text[] LOOP
    pairs := format('SELECT a.id AS a, b.id AS b FROM pa a JOIN pb b USING (part) WHERE a.b %2$s b.b AND spqtree_pair_part(a.b, b.b, %1$L) = part', p, op);
    IF p::text ~ '/' THEN
      pairs := format('%3$s UNION ALL SELECT a.id, b.id FROM pa a JOIN pb b ON a.part = 0 AND b.part > 0 AND a.b %2$s b.b AND spqtree_pair_part(a.b, b.b, %1$L) = b.part
                             UNION ALL SELECT a.id, b.id FROM pa a JOIN pb b ON a.part > 0 AND b.part = 0 AND a.b %2$s b.b AND spqtree_pair_part(a.b, b.b, %1$L) = a.part', p, op, pairs);
    END IF;
    what := 'join ' || op;
    result := parts_compare(format('SELECT a.id, b.id FROM parts_a a, parts_b b WHERE (a.b %s b.b) IS TRUE', op), pairs);
    RETURN NEXT;
    what := 'semi ' || op;
    result := parts_compare(format('SELECT id FROM parts_a a WHERE EXISTS (SELECT FROM parts_b b WHERE (a.b %s b.b) IS TRUE)', op), format('SELECT DISTINCT a FROM (%s) s', pairs));
    RETURN NEXT;
    CONTINUE WHEN p::text ~ '/';
    what := 'anti ' || op;
    result := parts_compare(format('SELECT id FROM parts_a a WHERE NOT EXISTS (SELECT FROM parts_b b WHERE (a.b %s b.b) IS TRUE)', op),
                            format('SELECT a.id FROM pa a LEFT JOIN pb b ON a.part = b.part AND a.b %s b.b GROUP BY a.id HAVING count(b.id) = 0', op));
    RETURN NEXT;
  END LOOP;
  FOREACH w IN ARRAY ARRAY[box '(10,10),(12,12)', '(0,0),(60,60)', '(-Infinity,-Infinity),(Infinity,Infinity)', '(NaN,0),(1,1)'] LOOP
    what := 'window ' || w;
    result := parts_compare(format('SELECT id FROM parts_a WHERE (b && %L) IS TRUE', w),
                            format('SELECT id FROM pa WHERE b && %2$L AND part = ANY (spqtree_window_parts(%2$L::box, %1$L)) AND (part = 0 OR spqtree_pair_part(b, %2$L, %1$L) = part)', p, w));
    RETURN NEXT;
  END LOOP;
  IF p::text !~ '/' THEN
    what := 'points';
    result := parts_compare('SELECT a.id, b.id FROM parts_a a, parts_b b WHERE (b.b @> a.b[1]) IS TRUE',
                            format('SELECT a.id, b.id FROM (SELECT id, b[1] AS p, spqtree_part(b[1], %L) AS part FROM parts_a) a JOIN pb b USING (part) WHERE b.b @> a.p', p));
    RETURN NEXT;
  END IF;
  DROP TABLE pa, pb;
END $$;
SELECT spqtree_partition('SELECT b FROM parts_a UNION ALL SELECT b FROM parts_b', 16) AS p \gset
SELECT * FROM parts_try(:'p');
SELECT * FROM parts_try(spqtree_renumber(:'p', (SELECT array_agg(100 - part * 3) FROM spqtree_part_list(:'p'))));
SELECT spqtree_partition('SELECT b FROM parts_a UNION ALL SELECT b FROM parts_b', 16, 2) AS p \gset
SELECT * FROM parts_try(:'p');
-- splits that divide nothing, and one part
SELECT DISTINCT result FROM parts_try('2d x10 x20 x15 y10 1 2 3 x5 4 5 6') WHERE result NOT LIKE '% 0 differ';
SELECT DISTINCT result FROM parts_try('2d 1') WHERE result NOT LIKE '% 0 differ';
-- stored in a table, too large to be inline
CREATE TABLE parts_stored (p spqtree_partitioning);
ALTER TABLE parts_stored ALTER p SET STORAGE external;
INSERT INTO parts_stored SELECT spqtree_partition('SELECT b FROM parts_a', 400);
SELECT count(*) > 1000 AS rows, count(*) FILTER (WHERE spqtree_parts(b, p) <> spqtree_parts(b, p::text::spqtree_partitioning)) AS differ FROM parts_a, parts_stored;

-- In space, and within a distance: one side grows
CREATE TABLE parts_a3 AS SELECT id, box3(point3((b[1])[0], (b[1])[1], id % 10), point3((b[0])[0], (b[0])[1], id % 10 + id % 3)) AS b FROM parts_a WHERE id % 50 <> 1;
CREATE TABLE parts_b3 AS SELECT id, box3(point3((b[1])[0], (b[1])[1], id % 10), point3((b[0])[0], (b[0])[1], id % 10 + id % 3)) AS b FROM parts_b;
SELECT spqtree_partition('SELECT b FROM parts_a3', 16) AS p \gset
SELECT parts_compare('SELECT a.id, b.id FROM parts_a3 a, parts_b3 b WHERE (a.b && b.b) IS TRUE',
                     format('SELECT a.id, b.id FROM (SELECT id, b, unnest(spqtree_parts(b, %1$L)) AS part FROM parts_a3) a JOIN (SELECT id, b, unnest(spqtree_parts(b, %1$L)) AS part FROM parts_b3) b USING (part)
                             WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, %1$L) = part', :'p'));
SELECT parts_compare('SELECT a.id, b.id FROM parts_a3 a, parts_b3 b WHERE (a.b <-> b.b) <= 1.5',
                     format('SELECT a.id, b.id FROM (SELECT id, b, spqtree_expand(b, 1.5) AS e, unnest(spqtree_parts(spqtree_expand(b, 1.5), %1$L)) AS part FROM parts_a3) a
                             JOIN (SELECT id, b, unnest(spqtree_parts(b, %1$L)) AS part FROM parts_b3) b USING (part)
                             WHERE a.e && b.b AND (a.b <-> b.b) <= 1.5 AND spqtree_pair_part(a.e, b.b, %1$L) = part', :'p'));
