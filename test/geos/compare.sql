-- The geometries of GEOS' tests, in the table raw: predicates between them have PostGIS' answers.  The functions are those of
-- postgis/test/sql/pairs.sql.  Each line of output is a result.
\pset tuples_only on
\pset format unaligned
SET client_min_messages = error;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
LOAD 'spqtree';
SET search_path = pairs, public;

-- NULL if PostGIS does not read it, as a polygon with EMPTY among its rings
CREATE FUNCTION read_geometry(text) RETURNS geometry LANGUAGE plpgsql AS $$
BEGIN
	RETURN st_setsrid(replace($1, 'LINEARRING', 'LINESTRING')::geometry, 0);
EXCEPTION WHEN OTHERS THEN
	RETURN NULL;
END $$;
-- Each geometry once.  PostGIS has no answer that can be relied on for invalid ones, and for those that have an empty part beside or in
-- others it reads memory that it has not set.  Collections have few predicates.
CREATE TABLE one AS SELECT row_number() OVER (ORDER BY length(value), value) AS id, value, geom, st_isvalid(geom) AND st_astext(geom) !~ '[(,](\w+ )?EMPTY' AS valid, geometrytype(geom) = 'GEOMETRYCOLLECTION' AS mixed, st_dimension(geom) AS d, st_npoints(geom) > 200 AS large
FROM (SELECT value, read_geometry(value) AS geom FROM (SELECT DISTINCT value FROM raw) AS r OFFSET 0) AS s;
SELECT format('ok - %s files, %s different geometries; left out: %s that PostGIS does not read, %s that are invalid or have an empty part', (SELECT count(DISTINCT file) FROM raw), count(*), count(*) FILTER (WHERE geom IS NULL),
	count(*) FILTER (WHERE NOT valid)) FROM one;
CREATE TABLE given AS SELECT file, number, part, id FROM raw JOIN one USING (value) WHERE valid;
DELETE FROM one WHERE valid IS NOT TRUE;
CREATE INDEX ON one USING gist (geom);
CREATE TABLE left_out (a bigint, b bigint);

-- All with all whose boxes overlap.  A pair for which PostGIS raises an error is left out.  Distances of geometries with very many
-- points take hours.
CREATE FUNCTION compare_ids(first bigint, second bigint, comparison text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM compare_all('all with all', format('SELECT l.geom AS l, r.geom AS r, l.d AS dl, r.d AS dr FROM one AS l, one AS r WHERE l.id = %s AND NOT r.mixed AND l.geom && r.geom AND r.id %s %s',
		first, comparison, second), CASE WHEN large THEN 'st_[^d]' ELSE '' END) FROM one WHERE id = first;
END $$;
DO $$
DECLARE
	first bigint;
	second bigint;
BEGIN
	SET LOCAL spqtree.enable = off;
	SET LOCAL enable_seqscan = off;
	FOR first IN SELECT id FROM one WHERE NOT mixed ORDER BY id LOOP
		BEGIN
			PERFORM compare_ids(first, first, '>=');
		EXCEPTION WHEN internal_error THEN
			FOR second IN SELECT r.id FROM one AS l, one AS r WHERE l.id = first AND NOT r.mixed AND l.geom && r.geom AND r.id >= first LOOP
				BEGIN
					PERFORM compare_ids(first, second, '=');
				EXCEPTION WHEN internal_error THEN
					INSERT INTO left_out VALUES (first, second), (second, first);
				END;
			END LOOP;
		END;
	END LOOP;
END $$;
SELECT format('ok - all with all, both directions, certain answers: %s pairs whose boxes overlap; left out: %s for which PostGIS raises an error', count(*), (SELECT count(DISTINCT (least(a, b), greatest(a, b))) FROM left_out))
FROM one AS l JOIN one AS r ON l.geom && r.geom AND l.id <= r.id WHERE NOT l.mixed AND NOT r.mixed;

-- The pairs of the files, in both directions, and each geometry with itself
CREATE TABLE pair AS SELECT row_number() OVER () AS id, l.geom AS l, r.geom AS r, l.mixed OR r.mixed AS mixed, l.large AND r.large AS large FROM (
	SELECT a.id AS a, b.id AS b FROM given AS a JOIN given AS b USING (file, number) WHERE a.part = 'a' AND b.part = 'b'
	UNION SELECT b.id, a.id FROM given AS a JOIN given AS b USING (file, number) WHERE a.part = 'a' AND b.part = 'b'
	UNION SELECT id, id FROM given EXCEPT SELECT a, b FROM left_out) AS p JOIN one AS l ON l.id = p.a JOIN one AS r ON r.id = p.b;
CREATE FUNCTION compare_given(which text, pattern text) RETURNS void LANGUAGE sql AS $$
	SELECT compare_ways('pairs of the files', 'pair AS p, LATERAL (SELECT p.id, p.l AS geom) AS a, LATERAL (SELECT 0 AS id, p.r AS geom) AS b WHERE ' || which, array_agg(condition), 'call', 'filter')
	FROM condition WHERE condition ~ pattern
$$;
SELECT compare_given('NOT p.mixed', 'st_[^d]'), compare_given('NOT p.mixed AND NOT p.large', 'dwithin');
SELECT format('ok - pairs of the files, by call and filter: %s', count(*)) FROM pair WHERE NOT mixed;
-- PostGIS raises errors for some collections.
DO $$
DECLARE
	p record;
	con text;
	yes boolean;
BEGIN
	FOR p IN SELECT * FROM pair WHERE mixed AND NOT large LOOP
		FOR con IN SELECT condition FROM condition WHERE condition ~ 'intersects|dwithin' LOOP
			BEGIN
				EXECUTE 'SELECT _spqtree_' || format(con, '$1', '$2') INTO yes USING p.l, p.r;
				PERFORM check_answer('pairs of the files', 'call', con, p.l, p.r, yes);
			EXCEPTION WHEN internal_error THEN
				NULL;
			END;
		END LOOP;
	END LOOP;
END $$;
SELECT format('ok - pairs of the files with collections, by call: %s', count(*)) FROM pair WHERE mixed AND NOT large;

-- The geometries of each file with each other, whose boxes overlap
CREATE TABLE of_file AS SELECT DISTINCT file, id, geom, large FROM given JOIN one USING (id) WHERE NOT mixed AND id NOT IN (SELECT a FROM left_out);
CREATE INDEX of_file_geom ON of_file USING spqtree (geom);
ANALYZE of_file;
CREATE FUNCTION compare_files(which text, pattern text) RETURNS void LANGUAGE sql AS $$
	SELECT compare_ways('geometries of a file', 'of_file AS a, of_file AS b WHERE a.file = b.file AND a.geom && b.geom' || which, array_agg(condition), 'node', 'index') FROM condition WHERE condition ~ pattern
$$;
SELECT compare_files('', 'st_[^d]'), compare_files(' AND NOT a.large AND NOT b.large', 'dwithin');
SELECT format('ok - geometries of each file with each other, by node and index: %s pairs whose boxes overlap', count(*)) FROM of_file AS a JOIN of_file AS b USING (file) WHERE a.geom && b.geom;

SELECT format('not ok - %s: ours is %s, PostGIS'' %s, by %s: a = %s, b = %s', format(condition, 'a', 'b'), ours, theirs, string_agg(DISTINCT way, ', '), left(st_astext(a), 300), left(st_astext(b), 300))
FROM difference GROUP BY condition, ours, theirs, a, b ORDER BY st_npoints(a) + st_npoints(b), condition LIMIT 40;
SELECT format('%s - %s different answers; %s where PostGIS contradicts itself', CASE count(*) WHEN 0 THEN 'ok' ELSE 'not ok' END, count(*), (SELECT count(*) FROM contradiction)) FROM difference;
