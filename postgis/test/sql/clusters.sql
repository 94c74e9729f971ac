-- Clusters of geometries: the groups of ST_ClusterDBSCAN, with border rows and noise, of points, lines, polygons and collections, small
-- and in a TOAST table; components: those of ST_ClusterIntersecting; geographies: those of pairs by ST_DWithin.
-- SPQTREE_SEED makes others.
\set seed 1
\getenv seed SPQTREE_SEED
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
LOAD 'spqtree';
CREATE SCHEMA clusters;
SET search_path = clusters, public;
SELECT setseed(CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint % 1000 / 1000.0
                            ELSE coalesce(nullif(:'seed', ''), '1')::int % 1000 / 1000.0 END) \g /dev/null
CREATE TABLE shape AS
SELECT i AS id, CASE WHEN i % 40 = 39 THEN NULL WHEN i % 41 = 40 THEN 'POINT EMPTY'::geometry
	ELSE CASE i % 6
		WHEN 0 THEN ST_MakePoint(x, y)
		WHEN 1 THEN ST_MakeLine(ST_MakePoint(x, y), ST_MakePoint(x + w * 2, y + h * 2))
		WHEN 2 THEN ST_MakeEnvelope(x, y, x + w, y + h)
		WHEN 3 THEN ST_Segmentize(ST_Buffer(ST_MakePoint(x, y), w / 2 + 0.1), CASE WHEN i % 30 = 3 THEN 0.0005 ELSE 1 END)
		WHEN 4 THEN ST_Collect(ST_MakePoint(x, y), ST_MakePoint(x + 1, y + h))
		ELSE ST_MakePoint(floor(x), floor(y)) END END AS geom
FROM (SELECT i, random() * 40 AS x, random() * 40 AS y, random() AS w, random() AS h FROM generate_series(1, 900) i) s;
SELECT pg_relation_size(reltoastrelid) > 0 AS toasted FROM pg_class WHERE oid = 'shape'::regclass;

-- Groups by their first rows, since PostGIS numbers them in another order.
CREATE FUNCTION by_postgis(eps float8, minpoints int) RETURNS TABLE (id int, cluster int) LANGUAGE sql SET spqtree.enable_equivalents = off AS $$
	SELECT id, ST_ClusterDBSCAN(geom, eps, minpoints) OVER (ORDER BY id) FROM shape $$;
CREATE FUNCTION differing(eps float8, minpoints int) RETURNS TABLE (clusters bigint, noise bigint, differ bigint) LANGUAGE sql AS $$
	WITH theirs AS (SELECT * FROM by_postgis(eps, minpoints)),
	two AS (SELECT ours.id, CASE WHEN ours.cluster IS NOT NULL THEN min(ours.id) OVER (PARTITION BY ours.cluster) END AS ours,
			CASE WHEN theirs.cluster IS NOT NULL AND NOT (minpoints = 1 AND ST_IsEmpty(geom)) THEN min(theirs.id) OVER (PARTITION BY theirs.cluster) END AS theirs
		FROM spqtree_cluster('SELECT id, geom FROM clusters.shape ORDER BY id', eps, minpoints) AS ours JOIN theirs USING (id) JOIN shape USING (id))
	SELECT count(DISTINCT ours), count(*) - count(ours), count(*) FILTER (WHERE ours IS DISTINCT FROM theirs) FROM two $$;
SELECT count(*), bool_or(clusters > 5) AS clusters, bool_or(noise > 50) AS noise, sum(differ) AS differ
FROM unnest('{0,0.3,0.8}'::float8[]) eps, unnest('{1,2,3,6}'::int[]) minpoints, differing(eps, minpoints);
SET work_mem = '64kB';
SELECT differ FROM differing(0.8, 4);
RESET work_mem;
SET spqtree.enable_equivalents = off;
SELECT differ FROM differing(0.8, 3);
RESET spqtree.enable_equivalents;

-- The window function itself: ours stands for it, and returns the same groups, NULL for the same rows, and numbers from 0, for each partition:
-- of NULLs, of one row, of two SRIDs, and in no order.
CREATE TABLE member AS
SELECT id, kind, CASE WHEN kind = 3 AND id % 7 = 0 THEN ST_SetSRID(geom, 4326) WHEN kind < 9 THEN geom END AS geom
FROM (SELECT id, geom, CASE WHEN id > 880 THEN 9 WHEN id > 879 THEN 8 ELSE id % 4 END AS kind FROM shape) s;
CREATE FUNCTION grouped(eps float8, minpoints int) RETURNS TABLE (id int, first int, wrong bool) LANGUAGE sql AS $$
	SELECT id, CASE WHEN cluster IS NOT NULL THEN min(id) OVER (PARTITION BY kind, cluster) END,
		cluster < 0 OR cluster >= (SELECT count(*) FROM member o WHERE o.kind = s.kind)
	FROM (SELECT id, kind, ST_ClusterDBSCAN(geom, eps, minpoints) OVER (PARTITION BY kind ORDER BY id) AS cluster FROM member) s $$;
CREATE FUNCTION grouped_by_postgis(eps float8, minpoints int) RETURNS TABLE (id int, first int) LANGUAGE sql SET spqtree.enable_equivalents = off AS $$
	SELECT id, CASE WHEN cluster IS NOT NULL THEN min(id) OVER (PARTITION BY kind, cluster) END
	FROM (SELECT id, kind, ST_ClusterDBSCAN(geom, eps, minpoints) OVER (PARTITION BY kind ORDER BY id) AS cluster FROM member) s $$;
CREATE FUNCTION regrouped(eps float8, minpoints int) RETURNS TABLE (rows bigint, grouped bigint, differ bigint) LANGUAGE sql AS $$
	SELECT count(*), count(a.first), count(*) FILTER (WHERE a.first IS DISTINCT FROM b.first OR wrong)
	FROM grouped(eps, minpoints) a FULL JOIN grouped_by_postgis(eps, minpoints) b USING (id) $$;
SELECT minpoints, min(rows) AS rows, min(grouped) > 100 AS grouped, sum(differ) AS differ
FROM unnest('{0,0.3,2,100}'::float8[]) eps, unnest('{0,1,2,3,6}'::int[]) minpoints, regrouped(eps, minpoints) GROUP BY 1 ORDER BY 1;
SET work_mem = '64kB';
SELECT differ FROM regrouped(1, 3);
RESET work_mem;
CREATE FUNCTION window_function() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXPLAIN (VERBOSE, COSTS OFF) SELECT ST_ClusterDBSCAN(geom, 1, 2) OVER () FROM member LOOP
		IF line ~ 'clusterdbscan' THEN RETURN substring(line, '\w*st_clusterdbscan'); END IF;
	END LOOP;
END $$;
SELECT window_function();
-- errors are PostGIS'
\set VERBOSITY sqlstate
SELECT ST_ClusterDBSCAN(geom, -1, 2) OVER () FROM member;
SELECT ST_ClusterDBSCAN(geom, 1, NULL) OVER () FROM member;
\set VERBOSITY default
SELECT count(DISTINCT cluster) FROM (SELECT ST_ClusterDBSCAN(geom, 'infinity', 2) OVER () AS cluster FROM member WHERE kind = 0) s;
-- distances of geometries that have empty parts beside others depend on the order: PostGIS decides
CREATE TABLE hollow AS
SELECT * FROM (VALUES (1, 'GEOMETRYCOLLECTION(MULTIPOINT((0 0),(5 0)),POINT EMPTY)'::geometry), (2, 'MULTIPOINT((5 1),EMPTY)')) v (id, geom);
CREATE FUNCTION hollow_by_postgis(way int, minpoints int) RETURNS int[] LANGUAGE sql SET spqtree.enable_equivalents = off AS $$
	SELECT array_agg(cluster ORDER BY id) FROM (SELECT id, ST_ClusterDBSCAN(geom, 2, minpoints) OVER (ORDER BY way * id) AS cluster FROM hollow) s $$;
SELECT way, minpoints, array_agg(cluster ORDER BY id) = hollow_by_postgis(way, minpoints) AS same
FROM unnest('{-1,1}'::int[]) way, unnest('{1,2}'::int[]) minpoints,
	LATERAL (SELECT id, ST_ClusterDBSCAN(geom, 2, minpoints) OVER (ORDER BY way * id) AS cluster FROM hollow) s GROUP BY 1, 2 ORDER BY 1, 2;
-- a user needs rights on the two functions, and on no other
REVOKE EXECUTE ON FUNCTION ST_DWithin(geometry, geometry, float8), spqtree_bounds(geometry) FROM public;
CREATE ROLE clusters_user;
GRANT USAGE ON SCHEMA clusters TO clusters_user;
GRANT SELECT ON member TO clusters_user;
SET ROLE clusters_user;
SELECT count(cluster) > 10 AS found FROM (SELECT ST_ClusterDBSCAN(geom, 1, 3) OVER () AS cluster FROM member WHERE kind = 0) s;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION _spqtree_st_clusterdbscan(geometry, float8, int) FROM public;
SET ROLE clusters_user;
SELECT window_function();
RESET ROLE;
GRANT EXECUTE ON FUNCTION _spqtree_st_clusterdbscan(geometry, float8, int), ST_DWithin(geometry, geometry, float8), spqtree_bounds(geometry) TO public;
DROP OWNED BY clusters_user;
DROP ROLE clusters_user;

-- Components of those that meet.
SELECT count(DISTINCT component) = (SELECT cardinality(ST_ClusterIntersecting(geom)) FROM shape WHERE NOT ST_IsEmpty(geom)) AS same
FROM spqtree_components('SELECT id, geom FROM clusters.shape');

-- Points as geometries and as points.
SELECT count(*) FROM spqtree_cluster('SELECT id, geom FROM clusters.shape WHERE ST_GeometryType(geom) = ''ST_Point'' ORDER BY id', 1.5, 4) a
FULL JOIN spqtree_cluster('SELECT id, geom::point FROM clusters.shape WHERE ST_GeometryType(geom) = ''ST_Point'' ORDER BY id', 1.5, 4) b USING (id)
WHERE a.cluster IS DISTINCT FROM b.cluster;

-- Geographies: at the date line, in meters.
CREATE TABLE place AS
SELECT i AS id, ST_MakePoint(CASE WHEN x > 180 THEN x - 360 ELSE x END, y)::geography AS geog
FROM (SELECT i, 179.9 + random() * 0.2 AS x, random() * 0.2 AS y FROM generate_series(1, 300) i) s;
WITH RECURSIVE near AS (SELECT a.id AS a, b.id AS b FROM place a JOIN place b ON ST_DWithin(a.geog, b.geog, 900)),
	spread AS (SELECT id, id AS first FROM place UNION SELECT b, first FROM spread JOIN near ON a = id),
	truth AS (SELECT id, min(first) AS first FROM spread GROUP BY 1)
SELECT count(DISTINCT cluster) > 20 AS clusters, count(*) FILTER (WHERE ours IS DISTINCT FROM first) AS differ
FROM (SELECT id, cluster, min(id) OVER (PARTITION BY cluster) AS ours FROM spqtree_cluster('SELECT id, geog FROM clusters.place ORDER BY id', 900, 1)) s JOIN truth USING (id);

-- Two reference systems, and a user who may not compare.
\set SHOW_CONTEXT never
DO $$ BEGIN
	PERFORM spqtree_components('SELECT 1, ST_SetSRID(ST_MakePoint(0, 0), 4326) UNION ALL SELECT 2, ST_MakePoint(0, 0)');
	EXCEPTION WHEN OTHERS THEN RAISE WARNING 'two reference systems are refused';
END $$;
CREATE ROLE clusters_user;
REVOKE EXECUTE ON FUNCTION st_dwithin(geometry, geometry, float8) FROM public;
SET ROLE clusters_user;
SELECT * FROM spqtree_cluster('SELECT 1, public.st_makepoint(1, 2)', 1, 1);
RESET ROLE;
GRANT EXECUTE ON FUNCTION st_dwithin(geometry, geometry, float8) TO public;
SET ROLE clusters_user;
SELECT * FROM spqtree_cluster('SELECT 1, public.st_makepoint(1, 2)', 1, 1);
RESET ROLE;
DROP ROLE clusters_user;
DROP SCHEMA clusters CASCADE;
