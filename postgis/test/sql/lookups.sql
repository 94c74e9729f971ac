-- Searches around a constant, whose predicates keep a geometry from its second use on: the answers of PostGIS.  Here, geometries of
-- the same size and box come at the same address, once, twice, or again after another one.  Function rnd is that of test predicates.
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
LOAD 'spqtree';
-- A comb in the square from 0 to 30: its teeth have the same places in all combs, but not the same length.
CREATE FUNCTION comb(i int) RETURNS geometry IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
	RETURN (SELECT st_makepolygon(st_makeline(ARRAY[st_point(0, 0)] || array_agg(st_point(CASE WHEN k % 2 = 0 THEN k ELSE k - 0.5 END,
		CASE WHEN k IN (1, 30) THEN 30 WHEN k % 2 = 0 THEN 5 + rnd(25, i, k) ELSE 4.5 - rnd(4, i, k) END) ORDER BY k) || ARRAY[st_point(30, 0), st_point(0, 0)]))
		FROM generate_series(1, 30) AS k);
END $$;
SELECT count(DISTINCT st_envelope(comb(i))) AS boxes, count(DISTINCT st_memsize(comb(i))) AS sizes, bool_and(st_isvalid(comb(i))) AS valid,
	count(DISTINCT comb(i)) > 20 AS many FROM generate_series(1, 30) AS i;
CREATE TABLE combs AS SELECT i, comb(i) AS geom FROM generate_series(0, 60) AS i;
CREATE TABLE place AS SELECT i AS id, (CASE i % 3 WHEN 0 THEN st_point(rnd(3000, i, 1) / 100.0, rnd(3000, i, 2) / 100.0)
	WHEN 1 THEN st_makeenvelope(rnd(30, i, 1), rnd(30, i, 2), rnd(30, i, 1) + 2, rnd(30, i, 2) + 3)
	ELSE st_makeline(st_point(rnd(3000, i, 1) / 100.0, rnd(3000, i, 2) / 100.0), st_point(rnd(3000, i, 3) / 100.0, rnd(3000, i, 4) / 100.0)) END) AS geom
FROM generate_series(1, 24) AS i;

-- Rows for which a condition holds, for each place as a parameter, with our predicates and with PostGIS'.
CREATE FUNCTION compare_lookups(rows text, condition text, OUT replaced boolean, OUT different bigint, OUT many boolean) LANGUAGE plpgsql AS $$
DECLARE
	query text := 'SELECT n FROM (' || rows || ' OFFSET 0) AS t WHERE ' || condition;
	line text;
	place record;
BEGIN
	replaced := false;
	CREATE TEMP TABLE ours (place int, n int);
	CREATE TEMP TABLE theirs (place int, n int);
	FOR line IN EXECUTE 'EXPLAIN VERBOSE ' || replace(query, '$1', '''POINT(1 1)''::geometry') LOOP
		replaced := replaced OR line LIKE '%spqtree_st_%';
	END LOOP;
	FOR place IN SELECT id, geom FROM place ORDER BY id LOOP
		SET LOCAL spqtree.enable_equivalents = on;
		EXECUTE 'INSERT INTO ours SELECT ' || place.id || ', n FROM (' || query || ') AS s' USING place.geom;
		SET LOCAL spqtree.enable_equivalents = off;
		EXECUTE 'INSERT INTO theirs SELECT ' || place.id || ', n FROM (' || query || ') AS s' USING place.geom;
	END LOOP;
	SET LOCAL spqtree.enable_equivalents = on;
	SELECT count(*) INTO different FROM ((TABLE ours EXCEPT ALL TABLE theirs) UNION ALL (TABLE theirs EXCEPT ALL TABLE ours)) AS s;
	SELECT count(*) > 100 INTO many FROM theirs;
	DROP TABLE ours, theirs;
END $$;
-- computed rows, at one address: each once, each thrice, two in turns
SELECT condition, rows, c.* FROM unnest('{n,n / 3,n % 2}'::text[]) AS rows,
	unnest(ARRAY['st_contains(t.geom, $1)', 'st_intersects(t.geom, $1)', 'st_dwithin($1, t.geom, 0.5)', 'st_within($1, t.geom)']) AS condition,
	compare_lookups('SELECT n, st_translate(a[1 + ' || rows || '], 0, 0) AS geom FROM generate_series(1, 60) AS n,
		(SELECT array_agg(geom ORDER BY i) AS a FROM combs) AS c', condition) AS c;
-- stored rows: inline, compressed, out of line; also with memory for few shapes
CREATE TABLE stored AS SELECT n, geom FROM generate_series(1, 40) AS n, combs WHERE i = n % 30;
INSERT INTO stored SELECT n + 1000, st_segmentize(geom, 2) FROM stored;
ALTER TABLE stored ALTER geom SET STORAGE EXTERNAL;
INSERT INTO stored SELECT n + 2000, st_segmentize(geom, 1) FROM stored WHERE n < 1000;
SELECT condition, c.* FROM unnest(ARRAY['st_contains(t.geom, $1)', 'st_intersects(t.geom, $1)', 'st_crosses($1, t.geom)']) AS condition,
	compare_lookups('SELECT a.n, a.geom FROM stored AS a, generate_series(1, 2)', condition) AS c;
SET work_mem = 64;
SELECT condition, c.* FROM unnest(ARRAY['st_contains(t.geom, $1)', 'st_intersects(t.geom, $1)']) AS condition,
	compare_lookups('SELECT a.n, a.geom FROM stored AS a, generate_series(1, 2)', condition) AS c;
RESET work_mem;
DROP TABLE stored, place, combs;
DROP FUNCTION comb, compare_lookups;
