-- The comparison of predicates with PostGIS', pair by pair, which test random_pairs and suite geos use.
--
--   compare_all    our function, with "yes" and with "no" in place of PostGIS' answer: if both are the same, the answer was certain,
--                  and must be that of ST_Relate, in both directions
--   compare_ways   the pairs for which a condition is true by a call, a filter, the join node and an index: those that it is true for
--                  with spqtree.enable = off
SET client_min_messages = warning;
LOAD 'spqtree';
CREATE SCHEMA pairs;
SET search_path = pairs, public;
--
-- Conditions between a and b, and their answers from the matrix m of ST_Relate and the dimensions da and db
--
CREATE TABLE condition AS SELECT * FROM (VALUES
	('st_intersects(%1$s, %2$s)', $$m NOT LIKE 'FF_FF____'$$),
	('st_crosses(%1$s, %2$s)', $$CASE WHEN da = 1 AND db = 1 THEN m LIKE '0%' WHEN da < db THEN m NOT LIKE 'F%' AND m NOT LIKE '__F%' ELSE da > db AND m NOT LIKE 'F%' AND m NOT LIKE '______F%' END$$),
	('st_touches(%1$s, %2$s)', $$m LIKE 'F%' AND m NOT LIKE 'FF_FF____'$$),
	('st_overlaps(%1$s, %2$s)', $$da = db AND m LIKE CASE da WHEN 1 THEN '1%' ELSE '%' END AND m NOT LIKE 'F%' AND m NOT LIKE '__F%' AND m NOT LIKE '______F%'$$),
	('st_contains(%1$s, %2$s)', $$m NOT LIKE 'F%' AND m LIKE '______FF_'$$),
	('st_containsproperly(%1$s, %2$s)', $$m NOT LIKE 'F%' AND m LIKE '___FF_FF_'$$),
	('st_covers(%1$s, %2$s)', $$m NOT LIKE 'FF_FF____' AND m LIKE '______FF_'$$),
	('st_within(%1$s, %2$s)', $$m NOT LIKE 'F%' AND m LIKE '__F__F___'$$),
	('st_coveredby(%1$s, %2$s)', $$m NOT LIKE 'FF_FF____' AND m LIKE '__F__F___'$$)) AS v(condition, truth)
UNION ALL SELECT format('st_dwithin(%%1$s, %%2$s, %s)', d), format('st_dwithin(a, b, %s)', d) FROM unnest('{0,1,5,60}'::float8[]) AS d;
-- Our functions, which ask functions that always say yes or no: taken for booleans, two pointers are equal.
DO $$
DECLARE
	f record;
BEGIN
	FOR f IN SELECT name, asked, probin, prosrc, oidvectortypes(proargtypes) AS arguments
		FROM (SELECT DISTINCT substring(condition FROM '\w+') AS name FROM condition) AS c JOIN pg_proc ON proname = '_spqtree_' || name AND proargtypes[0] = 'geometry'::regtype, unnest('{yes,no}'::text[]) AS asked LOOP
		EXECUTE format('CREATE FUNCTION public.%s_%s(%s) RETURNS boolean IMMUTABLE STRICT LANGUAGE internal AS %L', f.asked, f.name, f.arguments, CASE f.asked WHEN 'yes' THEN 'booleq' ELSE 'boolne' END);
		EXECUTE format('CREATE FUNCTION public._spqtree_%s_%s(%s) RETURNS boolean IMMUTABLE STRICT LANGUAGE c AS %L, %L', f.asked, f.name, f.arguments, f.probin, f.prosrc);
	END LOOP;
END $$;

CREATE TABLE difference (source text, way text, condition text, a geometry, b geometry, ours boolean, theirs boolean);
CREATE TABLE contradiction (condition text, a geometry, b geometry);

-- All answers that PostGIS gives for a pair, also after it has prepared one of the two: because the other one has other bytes in each call.
CREATE FUNCTION answers(con text, a geometry, b geometry) RETURNS boolean[] LANGUAGE plpgsql AS $$
DECLARE
	theirs boolean[];
BEGIN
	EXECUTE format('SELECT array_agg(DISTINCT yes) FROM (SELECT unnest(ARRAY[%s, %s]) AS yes FROM (SELECT $1, $2, CASE k %% 2 WHEN 0 THEN st_force2d($1) ELSE st_force4d($1) END,
		CASE k %% 2 WHEN 0 THEN st_force2d($2) ELSE st_force4d($2) END FROM generate_series(1, 4) AS k OFFSET 0) AS s(a, b, a1, b1)) AS t', format(con, 'a', 'b1'), format(con, 'a1', 'b'))
		INTO theirs USING a, b;
	RETURN theirs;
END $$;

-- Record a difference, unless PostGIS contradicts itself.  Then its answer depends on the calls before, of which each plan has others.
CREATE FUNCTION check_answer(source text, way text, con text, a geometry, b geometry, ours boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	theirs boolean[] := answers(con, a, b);
BEGIN
	IF cardinality(theirs) = 2 THEN
		INSERT INTO contradiction VALUES (con, a, b);
	ELSIF ours IS DISTINCT FROM theirs[1] THEN
		INSERT INTO difference VALUES (source, way, con, a, b, ours, theirs[1]);
	END IF;
END $$;

-- Pairs of geometries "l" and "r", and the dimensions "dl" and "dr", that a query returns, in both directions, for conditions that match
-- a pattern: certain answers are right.
CREATE FUNCTION compare_all(source text, query text, pattern text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	wrong text := (SELECT string_agg(format('CASE WHEN %s THEN NOT _spqtree_yes_%s ELSE _spqtree_no_%2$s END', truth, format(condition, 'a', 'b')), ' OR ') FROM condition WHERE condition ~ pattern);
	found record;
	con text;
	yes boolean;
BEGIN
	FOR found IN EXECUTE 'SELECT a, b FROM (SELECT *, st_relate(l, r) AS s FROM (' || query || ' OFFSET 0) AS q OFFSET 0) AS p,
		LATERAL (VALUES (l, r, dl, dr, s), (r, l, dr, dl, substr(s, 1, 1) || substr(s, 4, 1) || substr(s, 7, 1) || substr(s, 2, 1) || substr(s, 5, 1) || substr(s, 8, 1) ||
			substr(s, 3, 1) || substr(s, 6, 1) || substr(s, 9, 1))) AS v(a, b, da, db, m) WHERE ' || wrong LOOP
		FOR con IN SELECT condition FROM condition WHERE condition ~ pattern LOOP
			EXECUTE 'SELECT _spqtree_' || format(con, '$1', '$2') INTO yes USING found.a, found.b;
			PERFORM check_answer(source, 'call', con, found.a, found.b, yes);
		END LOOP;
	END LOOP;
END $$;

-- Is a query planned in that way?
CREATE FUNCTION check_plan(way text, query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	line text;
	plan text := '';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		plan := plan || line || E'\n';
	END LOOP;
	IF plan !~ (CASE way WHEN 'node' THEN 'Spatial Hash Join' WHEN 'index' THEN 'Index Cond' WHEN 'indexes' THEN 'Spqtree Index Join' ELSE 'spqtree_st_' END) THEN
		RAISE EXCEPTION 'not in the way %: %', way, plan;
	END IF;
END $$;

-- Pairs of rows "a" and "b" with "id" and "geom", for each condition in some ways
CREATE FUNCTION compare_ways(source text, pairs text, conditions text[], VARIADIC ways text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	query text := 'SELECT coalesce(array_agg(p ORDER BY p), ''{}'') FROM (SELECT a.id * 100000 + b.id AS p FROM ' || pairs || ' AND %s) AS q';
	con text;
	way text;
	theirs bigint[];
	ours bigint[];
	found record;
BEGIN
	PERFORM set_config('enable_bitmapscan', 'off', true), set_config('enable_material', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true);
	FOREACH con IN ARRAY conditions LOOP
		PERFORM set_config('spqtree.enable', 'off', true), set_config('enable_indexscan', 'off', true), set_config('enable_nestloop', 'on', true), set_config('enable_seqscan', 'on', true);
		EXECUTE format(query, format(con, 'a.geom', 'b.geom')) INTO theirs;
		PERFORM set_config('spqtree.enable', 'on', true);
		FOREACH way IN ARRAY ways LOOP
			CONTINUE WHEN way = 'indexes' AND EXISTS (SELECT FROM pg_class AS c JOIN pg_am AS m ON m.oid = c.relam WHERE c.relkind = 'i' AND pairs ~ format('\m%s AS', split_part(c.relname, '_', 1)) AND m.amname <> 'spqtree');
			PERFORM set_config('spqtree.enable_hashjoin', CASE way WHEN 'node' THEN 'always' ELSE 'off' END, true), set_config('enable_nestloop', (way NOT IN ('node', 'indexes'))::text, true),
				set_config('spqtree.enable_indexjoin', (way = 'indexes')::text, true),
				set_config('enable_seqscan', (way NOT LIKE 'index%')::text, true), set_config('enable_indexscan', (way LIKE 'index%')::text, true);
			PERFORM check_plan(way, format(query, CASE way WHEN 'call' THEN '_spqtree_' ELSE '' END || format(con, 'a.geom', 'b.geom')));
			EXECUTE format(query, CASE way WHEN 'call' THEN '_spqtree_' ELSE '' END || format(con, 'a.geom', 'b.geom')) INTO ours;
			CONTINUE WHEN ours = theirs;
			FOR found IN EXECUTE 'SELECT a.geom AS a, b.geom AS b, a.id * 100000 + b.id = ANY ($1) AS yes FROM ' || pairs || ' AND a.id * 100000 + b.id = ANY ($2)'
					USING ours, ARRAY((SELECT unnest(ours) EXCEPT SELECT unnest(theirs)) UNION ALL (SELECT unnest(theirs) EXCEPT SELECT unnest(ours))) LOOP
				PERFORM check_answer(source, way, con, found.a, found.b, found.yes);
			END LOOP;
		END LOOP;
	END LOOP;
END $$;

-- Which certain answers there are for pairs of geometries "a" and "b" that a query returns
CREATE FUNCTION certain(query text) RETURNS TABLE (condition text, yes boolean, "no" boolean) LANGUAGE plpgsql AS $$
DECLARE
	con text;
BEGIN
	FOR con IN SELECT c.condition FROM condition AS c LOOP
		RETURN QUERY EXECUTE format('SELECT %L, bool_or(_spqtree_no_%s), bool_or(NOT _spqtree_yes_%2$s) FROM (%3$s) AS q', format(con, 'a', 'b'), format(con, 'a', 'b'), query);
	END LOOP;
END $$;

-- Remove all this.
CREATE PROCEDURE remove_pairs() LANGUAGE plpgsql AS $$
DECLARE
	f regprocedure;
BEGIN
	FOR f IN SELECT oid FROM pg_proc WHERE proname ~ '^(_spqtree_)?(yes|no)_st_' LOOP
		EXECUTE format('DROP FUNCTION %s', f);
	END LOOP;
	DROP SCHEMA pairs CASCADE;
END $$;
