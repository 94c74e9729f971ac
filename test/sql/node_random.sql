--
-- Random joins: the spatial hash join and nested loops must return the same rows, each
-- the same number of times.
--
-- A query consists of random parts: operators and expressions on both sides, further
-- conditions, join types over tables, subqueries and other joins, on data of several
-- shapes.  They depend on the seed only.  SPQTREE_SEED sets another seed than 1, or a
-- new one with "time"; SPQTREE_JOINS sets another number of queries of each kind than
-- 27.  The output must be the same.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET hash_mem_multiplier = 1;
SET statement_timeout = '30min';   -- a loop without end shall be a failure
\set seed 1
\set joins 27
\getenv seed SPQTREE_SEED
\getenv joins SPQTREE_JOINS
CREATE SCHEMA node_random;
SET search_path = node_random;
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed,
       coalesce(nullif(:'joins', ''), '27')::int AS joins;
DO $$ BEGIN RAISE LOG 'spqtree: random joins of the planner with seed %', (SELECT seed FROM setup); END $$;

--
-- Data: for each shape two tables with the same columns.
--
CREATE FUNCTION shape_box(shape text, seed bigint, i int) RETURNS box LANGUAGE plpgsql AS $$
DECLARE
  a float8 := tst.rnd(seed, i, 1);
  b float8 := tst.rnd(seed, i, 2);
  c float8 := tst.rnd(seed, i, 3);
  d float8 := tst.rnd(seed, i, 4);
  special float8[] := '{NaN,Infinity,-Infinity,0,-0,1,3,1e-300,1e-6,-1e-6}';
  n int := cardinality(special);
BEGIN
  RETURN CASE shape
    WHEN 'uniform' THEN box(point(a * 40, b * 40), point(a * 40 + c ^ 2 * 12, b * 40 + d ^ 2 * 12))
    WHEN 'clusters' THEN box(point(i % 7 * 100 + a, i % 5 * 77 + b), point(i % 7 * 100 + a + c * 0.7, i % 5 * 77 + b + d * 0.7))
    WHEN 'identical' THEN '((3,4),(5,7))'
    -- touching at edges and corners, some points or lines, many equal
    WHEN 'grid' THEN box(point(floor(a * 15), floor(b * 15)), point(floor(a * 15) + floor(c * 3), floor(b * 15) + floor(d * 3)))
    -- gaps of about EPSILON
    WHEN 'epsilon' THEN box(point(floor(a * 30) * 0.25e-6, floor(b * 30) * 0.25e-6),
                            point((floor(a * 30) + floor(c * 9)) * 0.25e-6, (floor(b * 30) + floor(d * 9)) * 0.25e-6))
    WHEN 'special' THEN CASE WHEN i % 3 = 0 THEN box(point(a * 5, b * 5), point(a * 5 + c, b * 5 + d))
                        ELSE box(point(special[1 + floor(a * n)], special[1 + floor(b * n)]),
                                 point(special[1 + floor(c * n)], special[1 + floor(d * n)])) END
    WHEN 'large' THEN box(point(a * 900, b * 900), point(a * 900 + c * 9, b * 900 + d * 9))
    ELSE shape_box('uniform', seed, i) END;
END $$;

-- Return row i of a table.  Box, point, circle and polygon are close to each other; all
-- columns but the id may be NULL; "pad" fills memory.
CREATE FUNCTION shape_rows(shape text, side int, n int)
RETURNS TABLE (id int, b box, b2 box, p point, c circle, y polygon, k int, t text, f float8, pad text) LANGUAGE sql AS $$
  SELECT i,
         CASE WHEN i % 23 <> 7 THEN bx END,
         CASE WHEN i % 5 <> 2 THEN bx + point(0.5, 0) END,
         CASE WHEN i % 29 <> 3 THEN CASE i % 3 WHEN 0 THEN bx[0] WHEN 1 THEN bx[1] ELSE center(bx) END END,
         CASE WHEN i % 19 <> 4 THEN circle(center(bx), ((bx[0])[0] - (bx[1])[0]) / 2) END,
         CASE WHEN i % 17 = 5 THEN NULL
              WHEN i % 4 = 0 THEN polygon(bx)
              WHEN i % 4 = 1 THEN format('%s,%s', bx[0], bx[1])::polygon
              ELSE format('%s,%s,%s', bx[0], bx[1], point((bx[i % 2])[0], (bx[1 - i % 2])[1]))::polygon END,
         NULLIF(tst.rndint(seed, i, 11, 0, 4), 0),
         (ARRAY['a', 'b', 'B', 'b ', '', NULL])[tst.rndint(seed, i, 12, 1, 6)],
         (ARRAY[0, '-0', 1, 'NaN', 'Infinity', NULL]::float8[])[tst.rndint(seed, i, 13, 1, 6)],
         CASE WHEN i % 4 > 0 THEN repeat(chr(97 + i % 26), tst.rndint(seed, i, 14, 0, 900)) END
  FROM generate_series(1, n) i,
       LATERAL (SELECT s.seed * 10 + CASE WHEN i % 6 = 0 THEN 1 ELSE side END AS seed FROM setup s) s,
       LATERAL (SELECT shape_box(shape, seed, i) AS bx) bx
$$;

CREATE TABLE shape (nr serial, shape text, rows1 int, rows2 int);
INSERT INTO shape (shape, rows1, rows2) VALUES
  ('uniform', 130, 110), ('clusters', 150, 150), ('identical', 35, 25), ('grid', 90, 90), ('epsilon', 90, 90), ('special', 60, 80),
  ('empty', 0, 60), ('part', 160, 140), ('view', 70, 60), ('large', 1500, 600);
SELECT format('CREATE TABLE %1$s1 AS SELECT * FROM shape_rows(%1$L, 1, %2$s); CREATE TABLE %1$s2 AS SELECT * FROM shape_rows(%1$L, 2, %3$s)', shape, rows1, rows2)
FROM shape WHERE shape NOT IN ('part', 'view') ORDER BY nr \gexec
-- a partitioned table, and views of other tables
SELECT format('CREATE TABLE part%1$s (LIKE uniform1) PARTITION BY LIST (k);
               CREATE TABLE part%1$s_1 PARTITION OF part%1$s FOR VALUES IN (1);
               CREATE TABLE part%1$s_23 PARTITION OF part%1$s FOR VALUES IN (2, 3, NULL);
               CREATE TABLE part%1$s_x PARTITION OF part%1$s DEFAULT;
               INSERT INTO part%1$s SELECT * FROM shape_rows(''part'', %1$s, %2$s);
               CREATE VIEW view%1$s AS
                 SELECT * FROM uniform%1$s WHERE id %% 2 = 0
                 UNION ALL
                 SELECT id + 1000, b, b2, p, c, y, k, t, f, pad FROM grid%1$s WHERE id <= 30', side, CASE side WHEN 1 THEN rows1 ELSE rows2 END)
FROM shape, generate_series(1, 2) side WHERE shape = 'part' ORDER BY side \gexec
-- unique columns, with at most one match
SELECT format('CREATE UNIQUE INDEX ON %s%s (id)', shape, side) FROM shape, generate_series(1, 2) side WHERE shape NOT IN ('part', 'view') ORDER BY nr, side \gexec
ANALYZE;

--
-- Dice
--
CREATE SEQUENCE thrown;
-- return an integer from 0 to sides - 1
CREATE FUNCTION dice(sides int) RETURNS int LANGUAGE sql AS $$
  SELECT tst.rndint((SELECT seed FROM setup), nextval('thrown'), 21, 0, sides - 1)
$$;
CREATE FUNCTION one_of(VARIADIC choices text[]) RETURNS text LANGUAGE sql AS $$
  SELECT choices[nr] FROM dice(cardinality(choices)) AS d(nr0), LATERAL (SELECT nr0 + 1 AS nr) v
$$;

--
-- Parts of a query.  $l and $r stand for the names of the two sides.
--
CREATE FUNCTION sides(part text, l text, r text) RETURNS text LANGUAGE sql AS $$
  SELECT replace(replace(part, '$l', l), '$r', r)
$$;

-- Conditions that can be the key of a spatial join.
CREATE FUNCTION spatial(l text, r text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  part text := one_of(
    '$l.b && $r.b', '$l.b && $r.b', '$l.b && $r.b', '$l.b ?# $r.b', '$l.b @> $r.b', '$l.b <@ $r.b', '$l.b ~= $r.b', '$l.b @> $r.p', '$l.p <@ $r.b', '$l.p ~= $r.p',
    '$l.c && $r.c', '$l.c @> $r.c', '$l.c <@ $r.c', '$l.c ~= $r.c', '$l.c @> $r.p', '$l.p <@ $r.c',
    '$l.y && $r.y', '$l.y @> $r.y', '$l.y <@ $r.y', '$l.y ~= $r.y', '$l.y @> $r.p', '$l.p <@ $r.y',
    -- expressions
    'box($l.p, $l.p + point(0.3, 0.7)) && $r.b', '$l.b + point(0.5, -0.5) && $r.b2', '$l.b::polygon && $r.y', 'circle($l.p, 0.5) && $r.c', 'center($l.b) <@ $r.b',
    'box($l.c) && $r.b', '$l.b && CASE WHEN $r.k = 1 THEN $r.b2 ELSE $r.b END', 'bound_box($l.b, $l.b2) @> $r.p', 'point($l.c) <@ box($r.y)',
    -- not strict
    'coalesce($l.b, ''((1,1),(9,9))'') && $r.b', 'coalesce($l.b2, $l.b) && coalesce($r.b, ''((2,2),(3,3))'')', 'coalesce($l.p, ''(4,5)'') <@ $r.y');
BEGIN
  IF dice(6) = 0 THEN
    part := part || ' AND ' || one_of('$l.p <@ $r.b2', '$l.c && $r.c', '$l.b2 && $r.b2', '$l.y && $r.y');
  END IF;
  RETURN CASE dice(2) WHEN 0 THEN sides(part, l, r) ELSE sides(part, r, l) END;
END $$;

-- Other conditions: on both sides, on one side.
CREATE FUNCTION further(l text, r text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  part text := one_of(
    '$l.k = $r.k', '$l.k = $r.k', '$l.k = $r.k', '$l.id = $r.id', '$l.id = $r.id', '$l.k::bigint = $r.k', '$l.k + 1 = $r.k', '$l.k::numeric = $r.k', '$l.t = $r.t', '$l.t = $r.t', 'lower($l.t) = $r.t',
    '$l.t::char(3) = $r.t::char(3)', '$l.f = $r.f', '$l.f::float4 = $r.f', 'ARRAY[$l.k] = ARRAY[$r.k]', '($l.k, $l.t) = ($r.k, $r.t)', 'coalesce($l.k, 1) = coalesce($r.k, 1)',
    '$l.k < $r.k', '$l.id <> $r.id', '$l.id % 7 < $r.id % 9', '$l.k IS DISTINCT FROM $r.k', '$l.k IS NOT DISTINCT FROM $r.k', '($l.k = $r.k OR $l.t = $r.t)',
    'area($l.b) <= area($r.b)', '($l.b << $r.b) IS NOT TRUE', '$l.b2 && $r.b', '($l.b @> $r.b OR $l.k = $r.k)', 'NOT ($l.b @> $r.b)', 'coalesce($l.k, $r.k) = 1',
    '$l.k = 1', '$r.k > 1', '$l.k IS NULL', '$r.t IS NOT NULL', '$l.id % 5 > 0', '$r.p <@ box ''((0,0),(20,20))''', 'length($l.pad) > length($r.t)');
BEGIN
  RETURN CASE dice(2) WHEN 0 THEN sides(part, l, r) ELSE sides(part, r, l) END;
END $$;

CREATE FUNCTION on_condition(l text, r text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  condition text := spatial(l, r);
BEGIN
  FOR i IN 1 .. (ARRAY[0, 0, 1, 1, 2])[1 + dice(5)] LOOP
    condition := CASE dice(2) WHEN 0 THEN condition || ' AND ' || further(l, r) ELSE further(l, r) || ' AND ' || condition END;
  END LOOP;
  RETURN condition;
END $$;

-- Conditions above a join, where a side may be missing.
CREATE FUNCTION where_condition(l text, r text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE dice(3) WHEN 0 THEN further(l, r)
    WHEN 1 THEN sides(one_of('$r.id IS NULL', '$l.id IS NULL', '$r.k IS NULL', '$l.k <> 2', '($r.k > 1) IS NOT FALSE', 'coalesce($r.k, 0) < 3', '$r.b IS NOT NULL',
                             '($l.id + $r.id > 30) IS NOT FALSE', '($l.k = $r.k OR $r.k IS NULL)', '($l.b && $r.b2) IS NOT FALSE', '($l.t || $r.t) IS NULL',
                             -- could be a key, but is above the join
                             '$l.k = coalesce($r.k, 1)', 'coalesce($l.t, ''a'') = coalesce($r.t, ''a'')', '$l.b2 && coalesce($r.b2, ''((0,0),(20,20))'')'), l, r)
    ELSE 'true' END;
END $$;

-- PostgreSQL does not support FULL JOIN with such a condition.  It is written twice, as
-- {{this}{that}}: unchanged, and as a left join with what a right join adds.
CREATE FUNCTION full_join(columns text, l text, r text, condition text, above text) RETURNS text LANGUAGE sql AS $$
  SELECT format('{{(SELECT %1$s FROM %2$s FULL JOIN %3$s ON %4$s WHERE %5$s)}{(SELECT %1$s FROM %2$s LEFT JOIN %3$s ON %4$s WHERE %5$s UNION ALL SELECT %1$s FROM %2$s RIGHT JOIN %3$s ON %4$s WHERE %6$s.id IS NULL AND %5$s)}}',
                columns, l, r, condition, above, substring(l from '\w+$'))
$$;
CREATE FUNCTION written(query text, way int) RETURNS text LANGUAGE sql AS $$
  SELECT regexp_replace(query, '\{\{(.*?)\}\{(.*?)\}\}', '\' || way, 'g')
$$;

-- Return a side of a join, with the columns of a table; "id" is not null.
CREATE FUNCTION relation(shape text, name text, simple boolean DEFAULT false) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  t1 text := shape || 1 + dice(2);
  t2 text := shape || 1 + dice(2);
  kind int := dice(CASE WHEN simple OR shape = 'large' THEN 9 ELSE 18 END);
BEGIN
  RETURN CASE
    WHEN kind < 6 THEN t1
    WHEN kind = 6 THEN format('(SELECT * FROM %s WHERE k IS DISTINCT FROM 2)', t1)
    WHEN kind = 7 THEN format('(SELECT * FROM %s ORDER BY id LIMIT 60 OFFSET 3)', t1)
    WHEN kind = 8 THEN format('(SELECT * FROM %s WHERE k = 1 UNION ALL SELECT * FROM %s WHERE k > 2)', t1, t2)
    WHEN kind = 9 THEN format('(WITH w AS MATERIALIZED (SELECT * FROM %s WHERE id %% 3 > 0) SELECT * FROM w)', t1)
    WHEN kind = 10 THEN format('(SELECT DISTINCT ON (k, t, f) * FROM %s ORDER BY k, t, f, id)', t1)
    WHEN kind = 11 THEN format('(SELECT v.id, v.b, coalesce(w.b2, v.b2) AS b2, w.p, w.c, v.y, w.k, coalesce(v.t, ''b'') AS t, w.f, w.pad
                                 FROM %s v LEFT JOIN %s w ON v.id = w.id AND w.k < 3)', t1, t2)
    WHEN kind = 12 THEN format('(SELECT i AS id, box(point(i, i), point(i + 3, i + 2)) AS b, box(point(0, i), point(9, i)) AS b2, point(i, 0.5) AS p,
                                        circle(point(i, i), 1) AS c, polygon(4, circle(point(i, 2), 2)) AS y, i %% 4 AS k, ''b'' AS t, (i %% 2)::float8 AS f, ''x'' AS pad
                                 FROM generate_series(0, %s) i)', dice(30))
    WHEN kind = 13 THEN format('(SELECT * FROM %s OFFSET 0)', t1)
    WHEN kind = 14 THEN format('(SELECT v.id, v.b, v.b2, w.p, v.c, w.y, v.k, w.t, v.f, w.pad FROM %s v %s JOIN %s w ON %s AND v.id %% 7 = w.id %% 7)',
                               t1, one_of('', 'LEFT'), t2, spatial('v', 'w'))
    WHEN kind = 15 THEN format('(SELECT * FROM %s v WHERE %s (SELECT FROM %s w WHERE %s))', t1, one_of('EXISTS', 'NOT EXISTS'), t2, on_condition('v', 'w'))
    WHEN kind = 16 THEN full_join('coalesce(v.id, w.id) AS id, v.b, w.b2, coalesce(v.p, w.p) AS p, v.c, w.y, coalesce(v.k, w.k) AS k, w.t, v.f, v.pad',
                                  t1 || ' v', t2 || ' w', spatial('v', 'w') || ' AND v.id % 3 = w.id % 3', 'true')
    ELSE (SELECT format('(SELECT * FROM %s WHERE id > %s)', t1, dice(9))) END || ' ' || name;
END $$;

-- Return a target list for these rows.
CREATE FUNCTION columns(VARIADIC names text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  name text;
  result text := '';
BEGIN
  FOREACH name IN ARRAY names LOOP
    result := concat_ws(', ', nullif(result, ''), replace('$l.id', '$l', name));
    FOR i IN 1 .. dice(3) LOOP
      result := result || ', ' || replace(one_of('$l.k', '$l.t', '$l.b', '$l', '$l.y', 'coalesce($l.k, -1)', '$l.pad', '$l.pad', '$l.b IS NULL', '$l.id + 1', '''x''::text'), '$l', name);
    END LOOP;
  END LOOP;
  RETURN result;
END $$;

-- Return a query of a kind: joins, and what may be above them.
CREATE TABLE kind (nr int PRIMARY KEY, kind text);
INSERT INTO kind VALUES
  (0, 'inner'), (1, 'left'), (2, 'right'), (3, 'full'), (4, 'semi'), (5, 'anti'), (6, 'three'), (7, 'outer over outer'), (8, 'lateral'), (9, 'correlated'), (10, 'full, nested');
CREATE FUNCTION join_of(kind text, shape text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  -- what is rescanned is simple
  rescans boolean := kind IN ('lateral', 'correlated');
  l text := relation(shape, 'l', rescans);
  r text := relation(shape, 'r', rescans OR kind IN ('three', 'outer over outer'));
  x text := relation(shape, 'x', true);
  r_or_x text := one_of('r', 'x');
  l_or_r text := one_of('l', 'r');
  kind1 text := CASE kind WHEN 'three' THEN one_of('', 'LEFT', 'RIGHT') ELSE one_of('LEFT', 'RIGHT') END;
  kind2 text := CASE kind WHEN 'three' THEN one_of('', '', 'LEFT', 'RIGHT') ELSE one_of('LEFT', 'RIGHT', 'LEFT', '') END;
BEGIN
  CASE kind
    WHEN 'inner' THEN
      RETURN CASE dice(3)
        WHEN 0 THEN format('SELECT %s FROM %s, %s WHERE %s', columns('l', 'r'), l, r, on_condition('l', 'r'))
        ELSE format('SELECT %s FROM %s JOIN %s ON %s WHERE %s', columns('l', 'r'), l, r, on_condition('l', 'r'), where_condition('l', 'r')) END;
    WHEN 'left', 'right' THEN
      RETURN format('SELECT %s FROM %s %s JOIN %s ON %s WHERE %s', columns('l', 'r'), l, kind, r, on_condition('l', 'r'), where_condition('l', 'r'));
    WHEN 'full' THEN
      -- none inside
      l := written(l, 2);
      r := written(r, 2);
      RETURN full_join(columns('l', 'r'), l, r, on_condition('l', 'r'), where_condition('l', 'r'));
    WHEN 'full, nested' THEN
      l := relation(shape, 'l', true);
      r := relation(shape, 'r', true);
      RETURN CASE dice(2)
        WHEN 0 THEN format('SELECT %s FROM %s q (id, lb, k, p, c, y, b, b2, t, pad) %s JOIN %s ON %s',
                           columns('x') || ', q.*', full_join('coalesce(l.id, -r.id), l.b, l.k, r.p, l.c, r.y, r.b, r.b2, l.t, r.pad', l, r, on_condition('l', 'r'), 'true'),
                           kind1, x, spatial('q', 'x'))
        ELSE format('SELECT %s FROM %s WHERE NOT EXISTS (SELECT FROM %s q (lb, rb) WHERE %s)', columns('x'), x,
                    full_join('l.b, r.b', l, r, on_condition('l', 'r'), 'coalesce(l.id, r.id) % 7 = 0'), one_of('q.lb && x.b', 'q.rb @> x.p', 'coalesce(q.lb, q.rb) && x.b')) END;
    WHEN 'semi' THEN
      RETURN CASE dice(5)
        WHEN 0 THEN format('SELECT %s FROM %s WHERE %s (SELECT %s FROM %s WHERE %s)', columns('l'), l, one_of('l.b && ANY', 'l.b <@ ANY', 'l.b2 ~= ANY'), one_of('r.b', 'r.b2'), r,
                           one_of('true', 'r.k > 1', 'r.id % 3 = 0', 'r.t IS NULL'))
        WHEN 1 THEN format('SELECT %s FROM %s WHERE EXISTS (SELECT FROM %s JOIN %s ON %s WHERE %s)', columns('l'), l, r, x, on_condition('r', 'x'), on_condition('l', r_or_x))
        WHEN 2 THEN format('SELECT %s FROM %s JOIN %s ON %s WHERE EXISTS (SELECT FROM %s WHERE %s)', columns('l', 'r'), l, r, on_condition('l', 'r'), x, on_condition(l_or_r, 'x'))
        ELSE format('SELECT %s FROM %s WHERE EXISTS (SELECT FROM %s WHERE %s)', columns('l'), l, r, on_condition('l', 'r')) END;
    WHEN 'anti' THEN
      RETURN CASE dice(4)
        WHEN 0 THEN format('SELECT %s FROM %s LEFT JOIN %s ON %s WHERE r.id IS NULL', columns('l', 'r'), l, r, on_condition('l', 'r'))
        WHEN 1 THEN format('SELECT %s FROM %s JOIN %s ON %s WHERE NOT EXISTS (SELECT FROM %s WHERE %s)', columns('l', 'r'), l, r, on_condition('l', 'r'), x, on_condition(l_or_r, 'x'))
        ELSE format('SELECT %s FROM %s WHERE NOT EXISTS (SELECT FROM %s WHERE %s)', columns('l'), l, r, on_condition('l', 'r')) END;
    WHEN 'three', 'outer over outer' THEN
      RETURN CASE dice(2)
        WHEN 0 THEN format('SELECT %s FROM %s %s JOIN %s ON %s %s JOIN %s ON %s WHERE %s', columns('l', 'r', 'x'),
                           l, kind1, r, on_condition('l', 'r'), kind2, x, on_condition(l_or_r, 'x'), where_condition('l', r_or_x))
        ELSE format('SELECT %s FROM %s %s JOIN (%s %s JOIN %s ON %s) ON %s WHERE %s', columns('l', 'r', 'x'),
                    l, kind1, r, kind2, x, on_condition('r', 'x'), on_condition('l', r_or_x), where_condition('l', r_or_x)) END;
    WHEN 'lateral' THEN
      RETURN CASE dice(4)
        WHEN 0 THEN format('SELECT x.id, q.* FROM (SELECT * FROM %s ORDER BY id LIMIT 8) x, LATERAL (SELECT %s FROM %s JOIN %s ON %s WHERE l.k = x.k OFFSET 0) q',
                           x, columns('l', 'r'), l, r, on_condition('l', 'r'))
        WHEN 1 THEN format('SELECT x.id, q.* FROM (SELECT * FROM %s ORDER BY id LIMIT 8) x LEFT JOIN LATERAL (SELECT count(*), min(l.id), max(r.id) FROM %s %s JOIN %s ON %s AND r.id > x.id) q ON true',
                           x, l, one_of('', 'LEFT', 'RIGHT'), r, on_condition('l', 'r'))
        WHEN 2 THEN format('SELECT %s FROM %s LEFT JOIN LATERAL (SELECT r.*, l.k AS lk FROM %s WHERE %s) q ON %s', columns('l', 'q'), l, r, further('l', 'r'), on_condition('l', 'q'))
        ELSE format('SELECT x.id, q.* FROM (SELECT * FROM %s ORDER BY id LIMIT 8) x, LATERAL (SELECT l.id, r.id FROM %s %s JOIN %s ON %s AND %s ORDER BY 1, 2 LIMIT 3) q(l, r)',
                    x, l, one_of('', 'LEFT'), r, on_condition('l', 'r'), further('r', 'x')) END;
    WHEN 'correlated' THEN
      RETURN CASE dice(4)
        WHEN 0 THEN format('SELECT x.id, (SELECT count(*) FROM %s JOIN %s ON %s WHERE r.k = x.k) FROM (SELECT * FROM %s ORDER BY id LIMIT 8) x', l, r, on_condition('l', 'r'), x)
        WHEN 1 THEN format('SELECT x.id, (SELECT max(l.id) FROM %s WHERE l.id <> x.id AND NOT EXISTS (SELECT FROM %s WHERE r.k IS DISTINCT FROM x.k AND %s)) FROM (SELECT * FROM %s ORDER BY id LIMIT 8) x',
                           l, r, on_condition('l', 'r'), x)
        WHEN 2 THEN format('SELECT x.id FROM (SELECT * FROM %s ORDER BY id LIMIT 10) x WHERE x.k = 1 OR EXISTS (SELECT FROM %s LEFT JOIN %s ON %s WHERE %s)',
                           x, l, r, on_condition('l', 'r'), spatial(l_or_r, 'x'))
        ELSE format('SELECT x.id, ARRAY(SELECT r.id FROM %s RIGHT JOIN %s ON %s AND l.id > x.id ORDER BY 1) FROM (SELECT * FROM %s ORDER BY id LIMIT 9) x', l, r, on_condition('l', 'r'), x) END;
  END CASE;
END $$;
CREATE FUNCTION query_of(kind text, shape text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  query text := join_of(kind, shape);
BEGIN
  RETURN CASE dice(12)
    WHEN 0 THEN format('SELECT count(*), min(answer::text), max(answer::text) FROM (%s) answer', query)
    WHEN 1 THEN format('SELECT left(answer::text, 3), count(*) FROM (%s) answer GROUP BY 1', query)
    WHEN 2 THEN format('SELECT DISTINCT answer::text FROM (%s) answer', query)
    WHEN 3 THEN format('SELECT answer FROM (%s) answer ORDER BY answer::text COLLATE "C" LIMIT 20 OFFSET 3', query)
    WHEN 4 THEN format('SELECT count(*) FROM (SELECT FROM (%s) answer LIMIT 7) seven', query)
    WHEN 5 THEN format('WITH answer AS MATERIALIZED (%s) SELECT answer::text FROM answer UNION ALL SELECT count(*)::text FROM answer', query)
    ELSE query END;
END $$;

--
-- The comparison
--
-- Return settings for a query: of the reference, and of the join.
CREATE FUNCTION use_settings(reference boolean, parallel boolean, work_mem text, partitionwise boolean, from_limit int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('spqtree.enable_hashjoin', CASE WHEN reference THEN 'off' ELSE 'always' END, true),
          set_config('enable_nestloop', reference::text, true),
          set_config('enable_hashjoin', reference::text, true),
          set_config('enable_mergejoin', reference::text, true),
          set_config('work_mem', work_mem, true),
          set_config('enable_partitionwise_join', partitionwise::text, true),
          set_config('join_collapse_limit', from_limit::text, true),
          set_config('max_parallel_workers_per_gather', CASE WHEN parallel AND NOT reference THEN '2' ELSE '0' END, true),
          set_config('parallel_setup_cost', '0', true),
          set_config('parallel_tuple_cost', '0', true),
          set_config('min_parallel_table_scan_size', '0', true),
          set_config(name, CASE WHEN parallel AND NOT reference THEN 'on' ELSE 'off' END, true)
  FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query');
END $$;

CREATE FUNCTION digest(query text, OUT rows bigint, OUT digest text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT count(*), sum(hashtextextended(result::text, 0)) FROM (%s) result', query) INTO rows, digest;
EXCEPTION WHEN data_exception OR feature_not_supported OR invalid_parameter_value OR internal_error OR program_limit_exceeded THEN
  digest := SQLERRM;
END $$;

CREATE TABLE result (nr bigint, kind text, shape text, parallel boolean, used boolean, gathered boolean, rows bigint, wrong boolean, settings text, query text, ms float8);
CREATE FUNCTION compare(first int, last int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  n int;
  kinds int := (SELECT count(*) FROM kind);
  res result;
  query text;
  planned text;
  line text;
  work_mem text;
  partitionwise boolean;
  from_limit int;
  expected record;
  answer record;
  began timestamptz;
BEGIN
  FOR i IN first .. last LOOP
    PERFORM setval('thrown', i * 1000);
    began := clock_timestamp();
    res.nr := i;
    res.kind := (SELECT k.kind FROM kind k WHERE k.nr = i % kinds);
    res.shape := (SELECT s.shape FROM shape s WHERE s.nr = 1 + (i / kinds + i) % (SELECT count(*) FROM shape));
    IF res.shape = 'large' AND i % kinds > 5 THEN
      res.shape := 'grid';
    END IF;
    query := query_of(res.kind, res.shape);
    res.parallel := dice(5) = 0;
    work_mem := CASE dice(3) WHEN 0 THEN '4MB' ELSE '64kB' END;
    partitionwise := dice(2) = 0;
    from_limit := CASE dice(3) WHEN 0 THEN 1 ELSE 8 END;
    res.settings := format('parallel %s, work_mem %s, partitionwise %s, join_collapse_limit %s', res.parallel, work_mem, partitionwise, from_limit);
    PERFORM use_settings(true, res.parallel, work_mem, partitionwise, from_limit);
    expected := digest(written(query, 2));
    PERFORM use_settings(false, res.parallel, work_mem, partitionwise, from_limit);
    res.query := written(query, 1);
    planned := '';
    BEGIN
      FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || res.query LOOP
        planned := planned || line || E'\n';
      END LOOP;
      res.used := planned ~ 'Custom Scan \((Parallel )?Spqtree Spatial Hash Join\)';
      res.gathered := planned ~ 'Gather';
      answer := digest(res.query);
    EXCEPTION WHEN feature_not_supported THEN
      SELECT NULL::bigint AS rows, SQLERRM AS digest INTO answer;
    END;
    res.rows := expected.rows;
    res.wrong := answer IS DISTINCT FROM expected;
    IF res.wrong THEN
      RAISE NOTICE E'query % gives % (%) instead of % (%)\n%\n%\n%', i, answer.rows, answer.digest, expected.rows, expected.digest, res.settings, res.query, planned;
    END IF;
    res.ms := extract(epoch FROM clock_timestamp() - began) * 1000;
    INSERT INTO result SELECT res.*;
  END LOOP;
END $$;

SET client_min_messages = notice;
SELECT compare(1, (SELECT count(*)::int FROM kind) * joins) FROM setup;

-- Number of queries of each kind, most of them with the node, most of them with rows,
-- none wrong; a NOTICE shows a wrong one with its settings and its plan.
SELECT kind, count(*) = min(joins) AS all_done, count(*) FILTER (WHERE used) > 0.6 * count(*) AS used_in_most,
       count(*) FILTER (WHERE rows > 0) > 0.4 * count(*) AS most_have_rows, count(*) FILTER (WHERE rows IS NULL) AS errors,
       count(*) FILTER (WHERE wrong) AS wrong
FROM result, setup GROUP BY kind ORDER BY kind;
SELECT bool_or(gathered) AS "in parallel", bool_or(wrong) AS "wrong" FROM result WHERE parallel;
SELECT 'seed ' || seed AS "repeat with", nr, kind, query FROM result, setup WHERE wrong ORDER BY nr;

-- Joins of the large tables went to disk: where that is forbidden, they fail.
BEGIN;
SELECT use_settings(false, false, '64kB', false, 8);
SET LOCAL temp_file_limit = 0;
\set VERBOSITY sqlstate
SELECT count(*), sum(length(l.pad)), sum(length(r.pad)) FROM large1 l LEFT JOIN large2 r ON l.b && r.b;
ROLLBACK;

\set VERBOSITY default
SET client_min_messages = warning;
DROP SCHEMA node_random CASCADE;
