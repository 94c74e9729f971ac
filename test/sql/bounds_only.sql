--
-- Index-only scans of indexes that store bounds: INCLUDE columns and scalar columns, with the
-- values themselves INCLUDEd, so that conditions can be checked again.  The rows are those of
-- sequential scans.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA bounds_only;
SET search_path = bounds_only, public;
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: indexes of bounds with seed %', (SELECT seed FROM setup); END $$;

CREATE TABLE thing AS
SELECT i AS id, i % 7 AS kind, (ARRAY['a', 'B', '', NULL, repeat('long ', 40)])[1 + i % 5] AS name,
       CASE WHEN i % 19 > 0 THEN circle(point(x, y), d) END AS c,
       CASE WHEN i % 17 > 0 THEN polygon(box(point(x, y), point(x + d, y + 3 * d))) END AS g,
       CASE WHEN i % 13 > 0 THEN lseg(point(x, y), point(x + d, y - d)) END AS s,
       CASE WHEN i % 11 = 0 THEN NULL WHEN i % 11 = 1 THEN 'empty' WHEN i % 11 = 2 THEN int4range(NULL, x::int)
            ELSE int4range(x::int, (x + d)::int, '[]') END AS r,
       CASE WHEN i % 7 = 0 THEN NULL ELSE nummultirange(numrange(x::numeric, (x + d)::numeric, '(]'), numrange((y + 200)::numeric, NULL)) END AS m
FROM setup, generate_series(1, 3000) i,
     LATERAL (SELECT 100 * tst.rnd(seed, i, 1) AS x, 100 * tst.rnd(seed, i, 2) AS y, 12 * tst.rnd(seed, i, 3) ^ 2 AS d) v;
CREATE INDEX ON thing USING spqtree (c) INCLUDE (c, id, name);
CREATE INDEX ON thing USING spqtree (g) INCLUDE (id, g);
CREATE INDEX ON thing USING spqtree (s) INCLUDE (name, s, id);
CREATE INDEX ON thing USING spqtree (r) INCLUDE (id, r);
CREATE INDEX ON thing USING spqtree (m) INCLUDE (m, id);
CREATE INDEX ON thing USING spqtree (kind, name, r) INCLUDE (r, id);
CREATE INDEX ON thing USING spqtree (r, m) INCLUDE (id, m, r);
VACUUM (ANALYZE) thing;
-- some pages are not all-visible
DELETE FROM thing WHERE id % 50 = 3;
UPDATE thing SET kind = kind + 1 WHERE id % 100 = 4;

CREATE FUNCTION compare(query text, OUT plan text, OUT same boolean, OUT found_some boolean) LANGUAGE plpgsql AS $$
DECLARE
  line text;
  truth text;
  found text;
  nrows bigint;
  aggregate text := 'SELECT count(*), md5(string_agg(t::text, '','' ORDER BY t::text)) FROM (%s) t';
BEGIN
  PERFORM set_config('enable_seqscan', 'on', true), set_config('enable_indexscan', 'off', true),
          set_config('enable_indexonlyscan', 'off', true), set_config('enable_bitmapscan', 'off', true);
  EXECUTE format(aggregate, query) INTO nrows, truth;
  PERFORM set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'on', true),
          set_config('enable_indexonlyscan', 'on', true);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    plan := coalesce(plan, substring(line from 'Index.* Scan using \w+'));
  END LOOP;
  EXECUTE format(aggregate, query) INTO nrows, found;
  same := found IS NOT DISTINCT FROM truth;
  found_some := nrows > 0;
END $$;
SELECT q AS query, c.* FROM unnest(ARRAY[
  'SELECT id, name FROM thing WHERE c && ''<(50,50),10>''',
  'SELECT id, c FROM thing WHERE c @> point(20,30)',
  'SELECT id, name FROM thing WHERE c IS NULL',
  'SELECT name, c FROM thing WHERE c <@ ''<(50,50),20>'' AND name <> ''B''',
  'SELECT id FROM thing WHERE g && ''((10,10),(10,60),(60,10))''',
  'SELECT id, g FROM thing WHERE g @> ''(30,30)''::point OR g @> ''(70,40)''::point',
  'SELECT name, id, s FROM thing WHERE s ?# ''((10,10),(50,35))''::lseg',
  'SELECT name FROM thing WHERE s <@ ''((10,10),(50,35))''::box',
  'SELECT id FROM thing WHERE r && ''[20,25)''',
  'SELECT id, r FROM thing WHERE r @> 40',
  'SELECT id, r FROM thing WHERE r <@ ''[20,40)''',
  'SELECT id, r FROM thing WHERE r = ''empty''',
  'SELECT id, r FROM thing WHERE r -|- ''[20,40)''',
  'SELECT id FROM thing WHERE m && ''[20,25)''::numrange',
  'SELECT id, m FROM thing WHERE m @> 40.5',
  'SELECT kind, name, id, r FROM thing WHERE kind = 3 AND name = ''a'' AND r && ''[20,45)''',
  'SELECT kind, name FROM thing WHERE kind IN (2, 4) AND name IN (''B'', '''') AND r >> ''[20,45)''',
  'SELECT name, r FROM thing WHERE kind = 3 AND name IS NULL',
  'SELECT id, r, m FROM thing WHERE r && ''[20,45)'' AND m @> 210.5',
  'SELECT id, r, m FROM thing WHERE r IS NULL AND m @> 210.5']) q, compare(q) c;

-- the order of distances needs the table
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT id, c FROM thing ORDER BY c <-> point(50,50) LIMIT 5;
EXPLAIN (COSTS OFF) SELECT id FROM thing WHERE g && '((10,10),(10,60),(60,10))' ORDER BY g <-> point(20,20) LIMIT 5;
CREATE FUNCTION distances() RETURNS TABLE (shape text, at float8[]) LANGUAGE sql AS $$
  SELECT 'circle', array_agg(d) FROM (SELECT c <-> point(50,50) AS d FROM thing ORDER BY c <-> point(50,50) LIMIT 50) n
  UNION ALL
  SELECT 'polygon', array_agg(d) FROM (SELECT g <-> point(20,20) AS d FROM thing WHERE g && '((10,10),(10,60),(60,10))'
                                       ORDER BY g <-> point(20,20) LIMIT 50) n
$$;
CREATE TABLE by_index AS SELECT * FROM distances();
-- also without the library's planner
SET spqtree.enable = off;
INSERT INTO by_index SELECT * FROM distances();
RESET spqtree.enable;
RESET enable_seqscan; RESET enable_bitmapscan;
SET enable_indexscan = off; SET enable_indexonlyscan = off;
SELECT shape, count(*), bool_and(b.at = d.at) AS same FROM by_index b JOIN distances() d USING (shape) GROUP BY shape ORDER BY shape;
RESET enable_indexscan; RESET enable_indexonlyscan;

-- the nearest of each row, by the leaves
CREATE TABLE place AS SELECT i AS id, point(i * 37 % 101, i * 61 % 103) AS p FROM generate_series(1, 400) i;
ANALYZE place;
CREATE FUNCTION nearest(in_memory boolean) RETURNS TABLE (place int, thing int, name text, distance float8) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('spqtree.enable_nearest', in_memory::text, true);
  RETURN QUERY SELECT p.id, t.* FROM place p, LATERAL (SELECT o.id, o.name, o.c <-> p.p AS d FROM thing o ORDER BY o.c <-> p.p LIMIT 3) t;
END $$;
EXPLAIN (COSTS OFF) SELECT p.id, t.* FROM place p, LATERAL (SELECT o.id, o.name, o.c <-> p.p AS d FROM thing o ORDER BY o.c <-> p.p LIMIT 3) t;
SELECT count(*) FROM (SELECT place, distance FROM nearest(true) EXCEPT ALL SELECT place, distance FROM nearest(false)) d;

-- joins of two indexes
CREATE FUNCTION joined(by_indexes boolean, OUT plan text, OUT answer text) LANGUAGE plpgsql AS $$
DECLARE
  line text;
  query text := 'SELECT count(*) || md5(string_agg(a.id || a.name || b.id, '','' ORDER BY a.id, b.id)) FROM thing a JOIN thing b ON a.c && b.c AND a.id < b.id';
BEGIN
  PERFORM set_config('spqtree.enable_indexjoin', by_indexes::text, true), set_config('spqtree.enable_hashjoin', 'off', true),
          set_config('enable_nestloop', (NOT by_indexes)::text, true), set_config('enable_indexonlyscan', by_indexes::text, true);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    plan := concat_ws(', ', plan, substring(line from '(?:Spqtree Index Join|Nested Loop|Index.* Scan using \w+)'));
  END LOOP;
  EXECUTE query INTO answer;
END $$;
SELECT a.plan, b.plan, a.answer = b.answer AS same FROM joined(true) a, joined(false) b;

-- a value that does not fit is an error, and loses nothing
CREATE TABLE long (id int, p path);
CREATE INDEX long_p ON long USING spqtree (p) INCLUDE (p);
INSERT INTO long VALUES (1, '[(0,0),(1,1)]');
\set VERBOSITY sqlstate
INSERT INTO long SELECT 2, ('[' || string_agg(format('(%s,%s)', sqrt(i), sqrt(i + 0.5)), ',') || ']')::path FROM generate_series(1, 300) i;
SELECT count(*) FROM long;
DROP SCHEMA bounds_only CASCADE;
