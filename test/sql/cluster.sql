--
-- Clusters and components: those of a plain computation from all pairs of a nested loop, for
-- every type, with crowds in one place, with much memory and with little.
--
-- SPQTREE_SEED may give another seed than 1, or "time" for a new one, as in random.sql;
-- the output should be the same.
--
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET hash_mem_multiplier = 1;
\set seed 1
\getenv seed SPQTREE_SEED
CREATE TABLE cluster_seed AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: clusters with seed %', (SELECT seed FROM cluster_seed); END $$;

-- In a few rows: rows come in the order of the query, and clusters are numbered in this order.
SELECT * FROM spqtree_components($$VALUES (7, box '(5,5),(6,6)'), (1, '(0,0),(1,1)'), (2, NULL), (3, '(1,1),(5,5)'), (3, '(9,9),(8,8)'), (4, '(NaN,0),(0,0)')$$);
SELECT * FROM spqtree_cluster($$VALUES (9, point '(7,0)'), (1, '(0,0)'), (2, '(1,0)'), (3, '(2,0)'), (4, NULL), (4, '(NaN,1)'), (5, '(3,0)')$$, 1, 3);
-- 2 has neighbors in two clusters: it belongs to that of the one that comes first
SELECT id, cluster FROM spqtree_cluster($$SELECT i, point(x, 0) FROM (VALUES (1, 5), (2, 3.5), (3, 6), (4, 6), (5, 2), (6, 1), (7, 1)) v(i, x)$$, 1.5, 4);
SELECT id, cluster FROM spqtree_cluster($$SELECT i, point(x, 0) FROM (VALUES (5, 2), (2, 3.5), (3, 6), (4, 6), (1, 5), (6, 1), (7, 1)) v(i, x)$$, 1.5, 4);
-- bookings that overlap
SELECT * FROM spqtree_components($$VALUES (1, int4range(1, 5)), (2, int4range(5, 9)), (3, 'empty'), (4, int4range(8, 10))$$);
SELECT * FROM spqtree_components('SELECT 1::smallint, NULL::box');
SELECT * FROM spqtree_components('SELECT 1, point(1, 1) WHERE false');
-- boxes meet with the tolerance of &&, but a distance and points are exact
SELECT (SELECT max(component) FROM spqtree_components($$VALUES (1, box '(0,0),(1,1)'), (2, '(1.0000005,1),(2,2)')$$)) AS tolerant,
       (SELECT max(cluster) FROM spqtree_cluster($$VALUES (1, box '(0,0),(1,1)'), (2, '(1.0000005,1),(2,2)')$$, 0, 1)) AS exact,
       (SELECT max(cluster) FROM spqtree_cluster($$VALUES (1, box '(0,0),(1,1)'), (2, '(1.0000005,1),(2,2)')$$, 4e-7, 1)) AS less,
       (SELECT max(cluster) FROM spqtree_cluster($$VALUES (1, box '(0,0),(1,1)'), (2, '(1.0000005,1),(2,2)')$$, 6e-7, 1)) AS more,
       (SELECT max(component) FROM spqtree_components($$VALUES (1, point '(0,0)'), (2, '(0.0000005,0)')$$)) AS points;
EXPLAIN (COSTS off) SELECT * FROM spqtree_cluster('SELECT 1, point(1, 1)', 1, 1);

-- Row i of a kind of data.  Ids repeat.
CREATE FUNCTION cluster_value(kind text, i int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  seed bigint := (SELECT seed * 10 FROM cluster_seed);
  a float8 := tst.rnd(seed, i, 1);
  b float8 := tst.rnd(seed, i, 2);
  c float8 := tst.rnd(seed, i, 3);
  d float8 := tst.rnd(seed, i, 4);
  special float8[] := '{NaN,Infinity,-Infinity,0,1,2,1e300,-1e300,1e-300,1e-6,5e307,-5e307}';
  n int := cardinality(special);
BEGIN
  RETURN CASE kind
    WHEN 'points' THEN point(a * 20, b * 20)::text
    -- distances that are equal to eps
    WHEN 'grid' THEN point(floor(a * 30), floor(b * 30))::text
    WHEN 'blobs' THEN point(i % 5 * 10 + a ^ 3 * 8, i % 3 * 7 + b ^ 3 * 8)::text
    -- many in one place, and in places next to it
    WHEN 'crowds' THEN point((i % 3) ^ 2 * 0.3 + a * 0.1 * (i % 4), 10 ^ 9 + b * 0.1 + (i % 17 = 0)::int * c * 3)::text
    -- a little farther apart than 1, on both axes
    WHEN 'two clumps' THEN point((i % 2) * 0.8 - 0.4 + a * 0.01, (i % 2) * 0.8 - 0.4 + b * 0.01)::text
    WHEN 'one place' THEN CASE WHEN i % 10 = 0 THEN point(5 + a, 5 + b) ELSE point(4, 5) END::text
    WHEN 'special points' THEN point(special[1 + floor(a * n)], special[1 + floor(b * n)])::text
    WHEN 'boxes' THEN box(point(a * 40, b * 40), point(a * 40 + c ^ 2 * 4, b * 40 + d ^ 2 * 4))::text
    WHEN 'boxes of crowds' THEN box(point(i % 3 * 5 + a, b), point(i % 3 * 5 + 1 + c, b + d + (i % 50 = 0)::int * 6))::text
    WHEN 'special boxes' THEN box(point(special[1 + floor(a * n)], special[1 + floor(b * n)]), point(special[1 + floor(c * n)], special[1 + floor(d * n)]))::text
    WHEN 'point3' THEN point3(a * 5, b * 5, c * 5)::text
    WHEN 'box3' THEN box3(a * 10, b * 10, c * 10, a * 10 + d, b * 10 + d, c * 10 + d)::text
    WHEN 'int4range' THEN int4range((a * 3000)::int, (a * 3000 + b * 8)::int)::text
    WHEN 'tsmultirange' THEN tsmultirange(tsrange('2026-01-01'::timestamp + floor(a * 2000) * interval '1 hour', '2026-01-01'::timestamp + floor(a * 2000 + b * 4) * interval '1 hour'))::text
    WHEN 'circle' THEN circle(point(a * 30, b * 30), c)::text
    WHEN 'polygon' THEN format('(%s,%s,%s)', point(a * 30, b * 30), point(a * 30 + c * 3, b * 30), point(a * 30, b * 30 + d * 3))
    WHEN 'lseg' THEN lseg(point(a * 30, b * 30), point(a * 30 + c * 3, b * 30 + d * 3 - 1))::text
    WHEN 'path' THEN format('[%s,%s,%s]', point(a * 30, b * 30), point(a * 30 + c * 3, b * 30 + d * 3 - 1), point(a * 30 + d * 3, b * 30 + 1))
    END;
END $$;

-- What there is between two intervals.
CREATE FUNCTION cluster_gap(alow float8, ahigh float8, blow float8, bhigh float8) RETURNS float8 IMMUTABLE LANGUAGE sql
RETURN CASE WHEN alow > bhigh THEN alow - bhigh WHEN blow > ahigh THEN blow - ahigh ELSE 0 END;

CREATE TABLE cluster_kind (kind text PRIMARY KEY, type text, rows int, box text, eps float8[]);
INSERT INTO cluster_kind VALUES
  ('points', 'point', 200, 'box(v, v)', '{0.7,1.6}'),
  ('grid', 'point', 200, 'box(v, v)', '{1,0}'),
  ('blobs', 'point', 200, 'box(v, v)', '{0.5,1}'),
  ('crowds', 'point', 310, 'box(v, v)', '{0.3,1}'),
  ('one place', 'point', 150, 'box(v, v)', '{0,0.2}'),
  ('two clumps', 'point', 200, 'box(v, v)', '{1}'),
  ('special points', 'point', 120, 'box(v, v)', '{1,1e300}'),
  ('boxes', 'box', 200, 'v', '{0.5,NULL}'),
  ('boxes of crowds', 'box', 250, 'v', '{3,NULL}'),
  ('special boxes', 'box', 120, 'v', '{1e10,NULL}'),
  ('point3', 'point3', 200, NULL, '{0.6}'),
  ('box3', 'box3', 200, NULL, '{0.6,NULL}'),
  ('int4range', 'int4range', 200, NULL, '{NULL}'),
  ('tsmultirange', 'tsmultirange', 200, NULL, '{NULL}'),
  ('circle', 'circle', 150, NULL, '{NULL}'),
  ('polygon', 'polygon', 150, NULL, '{NULL}'),
  ('lseg', 'lseg', 150, NULL, '{NULL}'),
  ('path', 'path', 150, NULL, '{NULL}');

-- The clusters of rows (i, alone) from pairs (a, b) of neighbors in both orders: the core rows' numbers spread
-- until nothing changes; others belong to their first core neighbor.
CREATE TABLE cluster_near (a int, b int);
CREATE TABLE cluster_truth (i int PRIMARY KEY, core boolean, label int);
CREATE FUNCTION cluster_compute(minpoints int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE cluster_truth t SET label = CASE WHEN n >= minpoints THEN t.i END, core = coalesce(n >= minpoints, false)
  FROM cluster_truth u LEFT JOIN (SELECT a, count(*) AS n FROM cluster_near GROUP BY 1) s ON a = u.i WHERE u.i = t.i;
  LOOP
    UPDATE cluster_truth t SET label = s.label
    FROM (SELECT n.a, min(u.label) AS label FROM cluster_near n JOIN cluster_truth u ON u.i = n.b AND u.core GROUP BY 1) s
    WHERE t.core AND s.a = t.i AND s.label < t.label;
    EXIT WHEN NOT FOUND;
  END LOOP;
  UPDATE cluster_truth t SET label = u.label
  FROM (SELECT n.a, min(u.i) AS i FROM cluster_near n JOIN cluster_truth u ON u.i = n.b AND u.core GROUP BY 1) s JOIN cluster_truth u USING (i)
  WHERE NOT t.core AND s.a = t.i;
END $$;

-- All kinds of data; "wrong" counts clusterings that differ in a row, a number or the order.
CREATE FUNCTION cluster_check(OUT kind text, OUT clusterings int, OUT wrong int) RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
  k cluster_kind;
  d float8;
  least int;
  memory text;
  call text;
  differ bigint;
BEGIN
  FOR k IN SELECT * FROM cluster_kind ORDER BY 1 LOOP
    kind := k.kind; clusterings := 0; wrong := 0;
    EXECUTE format('CREATE TEMP TABLE cluster_row AS SELECT i, id, v, (b[1])[0] AS lx, (b[1])[1] AS ly, (b[0])[0] AS hx, (b[0])[1] AS hy,
                      ''NaN'' IN ((b[1])[0], (b[1])[1], (b[0])[0], (b[0])[1]) AS nan
                    FROM (SELECT i, id, v, %s AS b FROM (SELECT i, (i - (i %% 7 = 0)::int)::bigint AS id, CASE WHEN i %% 50 <> 49 THEN cluster_value(%L, i)::%s END AS v
                          FROM generate_series(1, %s) i) s) s', coalesce(k.box, 'NULL::box'), k.kind, k.type, k.rows);
    FOREACH d IN ARRAY k.eps LOOP
      TRUNCATE cluster_near, cluster_truth;
      -- each value that has a place is a neighbor of itself, though a segment does not cross itself
      EXECUTE 'INSERT INTO cluster_near SELECT a.i, b.i FROM cluster_row a, cluster_row b WHERE ' || CASE
        WHEN d IS NULL THEN format('a.v %s b.v OR (a.i = b.i AND a.v::text <> ''empty'' AND a.v::text <> ''{}'' AND a.nan IS NOT TRUE)', CASE WHEN k.type IN ('lseg', 'path') THEN '?#' ELSE '&&' END)
        WHEN k.box IS NULL THEN format('(a.v <-> b.v) <= %s', d)
        ELSE format('CASE WHEN a.nan OR b.nan OR a.v IS NULL OR b.v IS NULL THEN false
                          WHEN a.i = b.i THEN true
                          WHEN cluster_gap(a.lx, a.hx, b.lx, b.hx) > %1$s OR cluster_gap(a.ly, a.hy, b.ly, b.hy) > %1$s THEN false
                          ELSE point(0, 0) <-> point(cluster_gap(a.lx, a.hx, b.lx, b.hx), cluster_gap(a.ly, a.hy, b.ly, b.hy)) <= %1$s END', d) END;
      INSERT INTO cluster_truth SELECT i FROM cluster_row;
      ANALYZE cluster_near, cluster_truth;
      FOREACH least IN ARRAY CASE WHEN d IS NULL THEN '{1}' ELSE '{1,3,30}'::int[] END LOOP
        PERFORM cluster_compute(least);
        FOREACH memory IN ARRAY '{64kB,64MB}'::text[] LOOP
          PERFORM set_config('work_mem', memory, true);
          call := CASE WHEN d IS NULL THEN 'spqtree_components($q$SELECT id, v FROM cluster_row ORDER BY i$q$)'
                       ELSE format('spqtree_cluster($q$SELECT id, v FROM cluster_row ORDER BY i$q$, %L, %s)', d, least) END;
          EXECUTE format($q$
            WITH ours AS (SELECT row_number() OVER () AS i, * FROM %s AS c(id, cluster)),
                 numbered AS (SELECT t.i, n.number FROM cluster_truth t
                              LEFT JOIN (SELECT label, row_number() OVER (ORDER BY min(i)) - 1 AS number FROM cluster_truth WHERE label IS NOT NULL GROUP BY 1) n USING (label))
            SELECT count(*) FROM (SELECT i, id, cluster FROM ours) o FULL JOIN (SELECT i, id, number FROM cluster_row JOIN numbered USING (i)) t USING (i)
            WHERE o.id IS DISTINCT FROM t.id OR cluster IS DISTINCT FROM number $q$, call) INTO differ;
          clusterings := clusterings + 1;
          IF differ > 0 THEN
            wrong := wrong + 1;
            RAISE NOTICE '% rows of % differ with work_mem %: %', differ, k.kind, memory, call;
          END IF;
        END LOOP;
      END LOOP;
    END LOOP;
    DROP TABLE cluster_row;
    RETURN NEXT;
  END LOOP;
END $$;
SET client_min_messages = notice;
SELECT * FROM cluster_check();

-- Two crowds whose only neighbors are among their last members: 0.3 and 1.25 are, 0 and 1.31 are not.
SELECT rows, last, (SELECT count(DISTINCT cluster) FROM spqtree_cluster(format(
  $$SELECT i, point(CASE WHEN i %% 2 = 0 THEN CASE WHEN i > %2$s - 2 AND %1$L THEN 0.3 ELSE 0 END ELSE CASE WHEN i > %2$s - 2 AND %1$L THEN 1.25 ELSE 1.31 END END, 0)
    FROM generate_series(1, %2$s) i$$, last, rows), 1, 5)) AS clusters
FROM unnest('{1000,3000}'::int[]) rows, unnest('{true,false}'::boolean[]) last;
-- The same for boxes that meet with the tolerance of &&, or do not, but their crowds' boxes do.
SELECT gap, (SELECT count(DISTINCT component) FROM spqtree_components(format(
  $$SELECT i, CASE WHEN i %% 2 = 0 THEN box(point(0, 0), CASE WHEN i > 2998 THEN point(2, 0.1) ELSE point(0.1, 2) END)
                   ELSE box(CASE WHEN i > 2998 THEN point(2 + %L::float8, 0) ELSE point(2.5, 0) END, point(4, 4)) END
    FROM generate_series(1, 3000) i$$, gap))) AS components
FROM unnest('{0,0.0000009,0.0000011}'::float8[]) gap;

-- A hundred thousand rows in one place have five thousand million pairs.
SELECT count(*), count(DISTINCT cluster), min(n) FROM (SELECT cluster, count(*) OVER (PARTITION BY cluster) AS n
  FROM spqtree_cluster('SELECT i, point(i % 317, i / 317) FROM generate_series(1, 100000) i', 1000, 20)) s;
SELECT count(*), count(DISTINCT component) FROM spqtree_components('SELECT i, box(point(i % 317, i / 317), point(i % 317 + 400, i / 317 + 400)) FROM generate_series(1, 100000) i');

-- With little memory, ids and pairs that wait go to disk, and the answer is the same; there is a limit, and it can be forbidden.
CREATE TABLE cluster_many AS SELECT i AS id, point(tst.rnd((SELECT seed FROM cluster_seed), i, 8) * 50, tst.rnd((SELECT seed FROM cluster_seed), i, 9) * 50) AS p FROM generate_series(1, 8000) i;
CREATE TABLE cluster_many_found AS SELECT * FROM spqtree_cluster('TABLE cluster_many', 1, 11);
SELECT count(DISTINCT cluster) > 1 AND count(*) > count(cluster) AS clusters_and_noise FROM cluster_many_found;
SET work_mem = '64kB';
SELECT count(*) FROM cluster_many_found f FULL JOIN spqtree_cluster('TABLE cluster_many', 1, 11) c USING (id) WHERE f.cluster IS DISTINCT FROM c.cluster;
SELECT count(*) FROM spqtree_components('SELECT i, point(i, i) FROM generate_series(1, 8193) i');
SET temp_file_limit = 0;
\set VERBOSITY sqlstate
SELECT count(*) FROM spqtree_cluster('TABLE cluster_many', 1, 11);
\set VERBOSITY default

-- There cannot be a core row, so no pair waits.
SELECT count(*), count(cluster) FROM spqtree_cluster('SELECT i, point(0, 0) FROM generate_series(1, 200) i', 1, 201);
SELECT count(*), count(cluster) FROM spqtree_cluster('SELECT i, CASE WHEN i > 2 THEN point(0, 0) END FROM generate_series(1, 202) i', 1, 201);
RESET temp_file_limit;
RESET work_mem;

-- Early ends, rescans, and functions in FROM.
SELECT * FROM spqtree_components('TABLE cluster_many') LIMIT 2;
SELECT e, (SELECT count(cluster) FROM spqtree_cluster('TABLE cluster_many', e, 10)) AS clustered FROM unnest('{0,60}'::float8[]) e;
SELECT * FROM _spqtree_cluster_rows('SELECT 5, point(1, 2)', 0, 1);
SELECT * FROM _spqtree_component_rows('SELECT 5, point(1, 2)');

-- Errors.
\set SHOW_CONTEXT never
SELECT * FROM spqtree_cluster(NULL, 1, 1);
SELECT * FROM spqtree_components(NULL);
SELECT * FROM spqtree_cluster('TABLE cluster_many', NULL, 1);
SELECT * FROM spqtree_cluster('TABLE cluster_many', 1, NULL);
SELECT * FROM spqtree_cluster('TABLE cluster_many', -1, 1);
SELECT * FROM spqtree_cluster('TABLE cluster_many', 'NaN', 1);
SELECT * FROM spqtree_cluster('TABLE cluster_many', 'Infinity', 1);
SELECT * FROM spqtree_cluster('TABLE cluster_many', 1, 0);
SELECT * FROM spqtree_cluster('SELECT 1, int4range(1, 2)', 1, 1);
SELECT * FROM spqtree_cluster('SELECT 1, circle(point(1, 2), 3)', 1, 1);
SELECT * FROM spqtree_components('SELECT 1, 2');
SELECT * FROM spqtree_components('SELECT 1, line(point(1, 2), point(3, 4))');
SELECT * FROM spqtree_components('SELECT NULL::int, point(1, 2)');
SELECT * FROM spqtree_components('SELECT NULL::int, NULL::point');
SELECT * FROM spqtree_components('SELECT p, id FROM cluster_many');
SELECT * FROM spqtree_components('SELECT id FROM cluster_many');
SELECT * FROM spqtree_components('DELETE FROM cluster_many RETURNING id, p');
\unset SHOW_CONTEXT

DROP TABLE cluster_many, cluster_many_found, cluster_near, cluster_truth, cluster_kind, cluster_seed;
DROP FUNCTION cluster_check, cluster_compute, cluster_gap, cluster_value;
