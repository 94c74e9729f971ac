-- Nearest rows in plans, for geometries and geographies: the same rows and distances, to the last bit, as without them; for
-- values of each kind, empty ones, NULL, conditions, rows in a file.
SET client_min_messages = warning;
LOAD 'spqtree';
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA nearest;
SET search_path = nearest, public;
CREATE FUNCTION r(n int, i int) RETURNS float8 IMMUTABLE LANGUAGE sql RETURN (hashint8extended(i, n) & 1048575) / 1048576.0;
CREATE FUNCTION answer(query text, nearest boolean, OUT wrong_plan text, OUT rows text[]) LANGUAGE plpgsql AS $$
DECLARE
  line text;
  uses boolean := false;
BEGIN
  PERFORM set_config('spqtree.enable_nearest', nearest::text, true);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    uses := uses OR line LIKE '%Spqtree Nearest Rows%';
  END LOOP;
  IF uses <> nearest THEN
    wrong_plan := CASE WHEN nearest THEN 'no nearest rows' ELSE 'nearest rows' END;
  END IF;
  EXECUTE format('SELECT array_agg(a) FROM (%s) AS s(a)', query) INTO rows;
END $$;
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
  SELECT coalesce(with_node.wrong_plan, without.wrong_plan, CASE WHEN without.rows IS NULL THEN 'none' END,
                  (SELECT 'lost ' || count(*) || ', such as ' || min(r)
                   FROM (SELECT unnest(without.rows) EXCEPT ALL SELECT unnest(with_node.rows)) AS s (r) HAVING count(*) > 0),
                  (SELECT 'made up ' || count(*) || ', such as ' || min(r)
                   FROM (SELECT unnest(with_node.rows) EXCEPT ALL SELECT unnest(without.rows)) AS s (r) HAVING count(*) > 0),
                  'same')
  FROM answer(query, true) AS with_node, answer(query, false) AS without;
$$;
CREATE TABLE t AS SELECT i AS id, i % 4 AS kind, CASE i % 8
  WHEN 0 THEN ST_MakePoint(x, y) WHEN 1 THEN ST_MakeLine(ARRAY[ST_MakePoint(x, y), ST_MakePoint(x + 3 * r(3, i), y + 2), ST_MakePoint(x + 1, y + 5 * r(4, i))])
  WHEN 2 THEN ST_Buffer(ST_MakePoint(x, y), 1 + r(5, i), 2) WHEN 3 THEN ST_MakePoint(round(x), round(y))
  WHEN 4 THEN ST_MakePoint(x, y, 10 * r(6, i)) WHEN 5 THEN ST_Multi(ST_MakePoint(x, y))
  WHEN 6 THEN CASE WHEN i % 80 = 6 THEN 'POINT EMPTY'::geometry WHEN i % 80 = 14 THEN NULL ELSE ST_MakeEnvelope(x, y, x + 2, y + 1) END
  ELSE ST_MakeLine(ST_MakePoint(x, y), ST_MakePoint(x, y + 4)) END AS g
FROM generate_series(1, 900) i, LATERAL (SELECT 100 * r(1, i) AS x, 60 * r(2, i) - 30 AS y) v;
CREATE TABLE o AS SELECT id, kind, CASE WHEN id % 3 = 0 THEN g ELSE ST_PointOnSurface(g) END AS g FROM t WHERE id % 15 < 2;
ALTER TABLE t ADD e geography;
UPDATE t SET e = CASE WHEN ST_SRID(g) = 0 THEN ST_SetSRID(ST_Force2D(g), 4326)::geography END;
ALTER TABLE o ADD e geography;
UPDATE o SET e = ST_SetSRID(ST_Force2D(g), 4326)::geography;
ANALYZE o, t;
CREATE TABLE form (nr serial, query text);
INSERT INTO form (query) VALUES
($$SELECT o.id || ' ' || n.id || ' ' || coalesce(float8send(n.d)::text, '-') FROM o, LATERAL (SELECT t.id, t.g <-> o.g AS d FROM t ORDER BY t.g <-> o.g, t.id LIMIT 5) n$$),
($$SELECT o.id || ' ' || n.id || ' ' || coalesce(float8send(n.d)::text, '-') FROM o, LATERAL (SELECT t.id, o.g <-> t.g AS d FROM t ORDER BY o.g <-> t.g, t.id LIMIT 300) n$$),
($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY ST_Distance(t.g, o.g), t.id LIMIT 3) n$$),
($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY ST_3DDistance(t.g, o.g), t.id LIMIT 3) n$$),
($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY ST_Centroid(t.g) <-> o.g, t.id LIMIT 3) n$$),
($$SELECT o.id || ' ' || coalesce(n.id, -1) FROM o LEFT JOIN LATERAL (SELECT t.id FROM t WHERE ST_DWithin(t.g, o.g, 1) AND t.kind <> o.kind ORDER BY t.g <-> o.g, t.id LIMIT 3) n ON true$$),
($$SELECT o.id || ' ' || (SELECT t.id FROM t WHERE ST_Intersects(t.g, o.g) ORDER BY ST_Distance(t.g, o.g), t.id LIMIT 1) FROM o$$),
($$SELECT o.id || ' ' || n.id || ' ' || coalesce(float8send(n.d)::text, '-') FROM o, LATERAL (SELECT t.id, t.e <-> o.e AS d FROM t ORDER BY t.e <-> o.e, t.id LIMIT 4) n$$),
($$SELECT o.id || ' ' || n.id || ' ' || coalesce(float8send(n.d)::text, '-') FROM o, LATERAL (SELECT t.id, ST_Distance(t.e, o.e) AS d FROM t WHERE ST_DWithin(t.e, o.e, 300000) ORDER BY ST_Distance(t.e, o.e), t.id LIMIT 4) n$$),
($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY ST_Distance(t.e, o.e, false), t.id LIMIT 2) n WHERE o.id % 2 = 0$$);
SELECT nr, same(query) FROM form ORDER BY nr;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT nr, same(query) FROM form WHERE nr IN (1, 2, 6, 8) ORDER BY nr;
RESET work_mem;
RESET hash_mem_multiplier;
-- By the leaves of an index in place of the table, which has deleted and changed rows.
CREATE INDEX ON t USING spqtree (g);
CREATE INDEX ON t USING spqtree (g spqtree_geometry_nd_ops);
CREATE INDEX ON t USING spqtree (e);
VACUUM ANALYZE t;
DELETE FROM t WHERE id % 70 = 3;
UPDATE t SET g = ST_Translate(g, 1, 1) WHERE id % 70 = 5;
INSERT INTO form (query) VALUES
($$SELECT o.id || ' ' || n.nr || ' ' || coalesce(float8send(n.d)::text, '-') FROM o, LATERAL (SELECT d, row_number() OVER () AS nr FROM (SELECT ST_Distance(t.g, o.g) AS d FROM t ORDER BY ST_Distance(t.g, o.g) LIMIT 2000) s) n WHERE o.id % 4 = 1$$),
($$SELECT o.id || ' ' || n.nr || ' ' || coalesce(float8send(n.d)::text, '-') FROM o, LATERAL (SELECT d, row_number() OVER () AS nr FROM (SELECT ST_Distance(t.e, o.e) AS d FROM t ORDER BY ST_Distance(t.e, o.e) LIMIT 2000) s) n WHERE o.id % 4 = 1$$);
SET cpu_tuple_cost = 100;
CREATE FUNCTION reads_leaves(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  PERFORM set_config('spqtree.enable_nearest', 'true', true);
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF) ' || query LOOP
    IF line ~ 'Leaves: [1-9]' THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END $$;
SELECT nr, reads_leaves(query) AS leaves, same(query) FROM form WHERE query ~ 'ORDER BY ST_(3D)?Distance' AND query !~ 'ST_Intersects' AND nr <> 9 ORDER BY nr;
DROP SCHEMA nearest CASCADE;
