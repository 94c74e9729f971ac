--
-- Joins of two indexes of PostGIS' types: the rows of nested loops over the tables.
--
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA index_join;
SET search_path = index_join, public;
CREATE FUNCTION shape(i int, far float8) RETURNS geometry LANGUAGE sql AS $$
  SELECT CASE WHEN i % 41 = 7 THEN NULL
              WHEN i % 41 = 8 THEN 'POINT EMPTY'::geometry
              WHEN i % 41 = 9 THEN ST_MakePoint(x, 'Infinity'::float8)
              WHEN i % 7 = 0 THEN ST_MakePoint(x, y)
              WHEN i % 7 < 3 THEN ST_MakeLine(ST_MakePoint(x, y), ST_MakePoint(x + 1 + i % 5, y + i % 3))
              WHEN i % 7 < 4 THEN ST_MakePoint(x, y, i % 10)
              ELSE ST_Buffer(ST_MakePoint(x, y), 0.5 + i % 3, 2) END
  FROM (SELECT far + i * 377 % 1009 / 20.0 AS x, i * 611 % 997 / 20.0 AS y) v
$$;
CREATE TABLE l AS SELECT i AS id, shape(i, 0) AS g FROM generate_series(1, 900) i;
CREATE TABLE r AS SELECT i AS id, shape(i * 3 + 1, 0.3) AS g FROM generate_series(1, 400) i;
CREATE INDEX l_g ON l USING spqtree (g);
CREATE INDEX r_g ON r USING spqtree (g);
CREATE INDEX l_nd ON l USING spqtree (g spqtree_geometry_nd_ops);
CREATE INDEX r_nd ON r USING spqtree (g spqtree_geometry_nd_ops);
INSERT INTO r SELECT i AS id, shape(i * 3 + 1, 0.3) AS g FROM generate_series(401, 800) i;
CREATE TABLE lg AS SELECT id, ST_SetSRID(ST_Force2D(g), 4326)::geography AS g FROM l WHERE id % 41 <> 9;
CREATE TABLE rg AS SELECT id, ST_SetSRID(ST_Force2D(g), 4326)::geography AS g FROM r WHERE (id * 3 + 1) % 41 <> 9;
CREATE INDEX lg_g ON lg USING spqtree (g);
CREATE INDEX rg_g ON rg USING spqtree (g);
VACUUM (ANALYZE) l, r, lg, rg;

CREATE FUNCTION use_plan(indexes boolean) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('spqtree.enable_indexjoin', indexes::text, true), set_config('spqtree.enable_hashjoin', 'off', true),
         set_config('spqtree.enable_unique_semijoin', 'off', true), set_config('enable_nestloop', (NOT indexes)::text, true),
         set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true),
         set_config('enable_seqscan', (NOT indexes)::text, true), set_config('enable_indexscan', indexes::text, true)
$$;
CREATE FUNCTION compare(query text) RETURNS TABLE (plan text, wrong bigint, many boolean) LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  PERFORM use_plan(false);
  EXECUTE 'CREATE TEMP TABLE truth ON COMMIT DROP AS ' || query;
  PERFORM use_plan(true);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    plan := coalesce(plan, substring(line from 'Spqtree Index Join'));
  END LOOP;
  EXECUTE 'CREATE TEMP TABLE answer ON COMMIT DROP AS ' || query;
  SELECT count(*) INTO wrong FROM ((TABLE truth EXCEPT ALL TABLE answer) UNION ALL (TABLE answer EXCEPT ALL TABLE truth)) d;
  SELECT count(*) > 50 INTO many FROM truth;
  DROP TABLE truth, answer;
  RETURN NEXT;
END $$;
SELECT q, plan, wrong, many FROM unnest(ARRAY[
  'SELECT l.id, r.id AS other FROM l JOIN r ON l.g && r.g',
  'SELECT l.id, r.id AS other FROM l JOIN r ON ST_Intersects(l.g, r.g)',
  'SELECT l.id, r.id AS other FROM l JOIN r ON ST_Contains(r.g, l.g)',
  'SELECT l.id, r.id AS other FROM l LEFT JOIN r ON ST_Crosses(l.g, r.g) AND l.id < r.id',
  'SELECT l.id FROM l WHERE EXISTS (SELECT FROM r WHERE ST_Covers(l.g, r.g))',
  'SELECT l.id FROM l WHERE NOT EXISTS (SELECT FROM r WHERE ST_Intersects(l.g, r.g))',
  'SELECT l.id, r.id AS other FROM l JOIN r ON ST_Intersects(l.g, r.g) WHERE l.g && ST_MakeEnvelope(0, 0, 25, 30)',
  'SELECT l.id, r.id AS other FROM l JOIN r ON ST_DWithin(l.g, r.g, 0.7)',
  'SELECT l.id, r.id AS other FROM l LEFT JOIN r ON ST_DWithin(r.g, l.g, 0.2) AND l.id < r.id',
  'SELECT l.id FROM l WHERE NOT EXISTS (SELECT FROM r WHERE ST_DWithin(l.g, r.g, 0.1))',
  'SELECT l.id, r.id AS other FROM l JOIN r ON ST_DFullyWithin(l.g, r.g, 4)',
  'SELECT l.id, r.id AS other FROM l JOIN r ON ST_Distance(l.g, r.g) < 0.3',
  'SELECT l.id, r.id AS other FROM l JOIN r ON l.g &&& r.g',
  'SELECT l.id, r.id AS other FROM lg l JOIN rg r ON ST_Intersects(l.g, r.g)',
  'SELECT l.id, r.id AS other FROM lg l JOIN rg r ON l.g && r.g']) q, compare(q);

-- the geometries are in the index, too, so no table is read
CREATE INDEX l_only ON l USING spqtree (g) INCLUDE (g, id);
CREATE INDEX r_only ON r USING spqtree (g) INCLUDE (id, g);
CREATE INDEX lg_only ON lg USING spqtree (g) INCLUDE (id, g);
CREATE INDEX rg_only ON rg USING spqtree (g) INCLUDE (id, g);
DELETE FROM r WHERE id % 60 = 5;
CREATE FUNCTION compare_only(query text) RETURNS TABLE (scans bigint, same boolean, many boolean) LANGUAGE plpgsql AS $$
DECLARE
  line text;
  truth text;
  answer text;
  n bigint;
BEGIN
  PERFORM use_plan(false), set_config('enable_indexonlyscan', 'off', true);
  EXECUTE format('SELECT count(*), md5(string_agg(q::text, '','' ORDER BY q::text)) FROM (%s) q', query) INTO n, truth;
  PERFORM use_plan(true), set_config('enable_indexonlyscan', 'on', true);
  scans := 0;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    scans := scans + (line LIKE '%Index Only Scan using %_only%')::int;
  END LOOP;
  EXECUTE format('SELECT md5(string_agg(q::text, '','' ORDER BY q::text)) FROM (%s) q', query) INTO answer;
  same := truth = answer;
  many := n > 10;
  RETURN NEXT;
END $$;
SELECT q, c.* FROM unnest(ARRAY[
  'SELECT l.id, r.id AS other, ST_AsText(l.g) FROM l JOIN r ON ST_Intersects(l.g, r.g)',
  'SELECT l.id, r.id AS other FROM l LEFT JOIN r ON ST_DWithin(r.g, l.g, 0.2) AND l.id < r.id',
  'SELECT l.id FROM l WHERE NOT EXISTS (SELECT FROM r WHERE ST_Covers(l.g, r.g))',
  'SELECT l.id, r.id AS other FROM lg l JOIN rg r ON ST_Intersects(l.g, r.g)',
  'SELECT id, ST_AsText(g) FROM l WHERE ST_Intersects(g, ST_MakeEnvelope(0, 0, 25, 30))',
  'SELECT id FROM l WHERE g ~= ST_Point(377 * 14 % 1009 / 20.0, 611 * 14 % 997 / 20.0) OR ST_DWithin(g, ST_Point(20, 20), 6)',
  'SELECT id FROM r WHERE g @ ST_MakeEnvelope(0, 0, 25, 30)',
  'SELECT id FROM rg WHERE ST_DWithin(g, ST_Point(20, 20)::geography, 300000)']) q, compare_only(q) c;
BEGIN;
SET LOCAL enable_seqscan = off;
DROP INDEX l_g;
EXPLAIN (COSTS OFF) SELECT id FROM l ORDER BY g <-> ST_Point(20, 20) LIMIT 3;
SELECT id, round((g <-> ST_Point(20, 20))::numeric, 6) FROM l ORDER BY g <-> ST_Point(20, 20) LIMIT 3;
SET LOCAL enable_indexscan = off;
SELECT id, round((g <-> ST_Point(20, 20))::numeric, 6) FROM l ORDER BY g <-> ST_Point(20, 20) LIMIT 3;
COMMIT;
SET client_min_messages = warning;
DROP SCHEMA index_join CASCADE;
