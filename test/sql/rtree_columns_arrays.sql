--
-- Conditions with any element of an array, of scalar columns and of the spatial one:
-- every way to scan, against the sequential scan.
--
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '5min';   -- a loop without end shall be a failure
SELECT setseed(0.7);

CREATE TABLE arrays_made AS
SELECT i AS id,
       nullif((random() ^ 2 * 60)::int - 20, 7) AS tenant,
       nullif((random() * 6)::int2, 3::int2) AS floor,
       nullif('name ' || (random() ^ 2 * 40)::int, 'name 5') AS name,
       CASE WHEN i % 97 = 0 THEN NULL
            WHEN i % 101 = 0 THEN box(point('NaN', i % 7), point(5, 'NaN'))
            WHEN i % 103 = 0 THEN box(point('-Infinity', 3), point('Infinity', 9))
            WHEN i % 107 = 0 THEN box(point(1, 2), point(3, 4)) * point(-1, 0)
            ELSE box(point(x, y), point(x + 2, y + 2 * random())) END AS b,
       polygon(box(point(x, y), point(x + 2, y + 2))) AS p
FROM (SELECT i, 100 * random() AS x, 100 * random() AS y FROM generate_series(1, 5000) i) s;
CREATE TABLE arrays_case (tab text, key text, columns text);
INSERT INTO arrays_case VALUES ('arrays_1', 'tenant, b', 'tenant, b::text'), ('arrays_2', 'tenant, floor, b', 'tenant, floor, b::text'),
  ('arrays_3', 'name, floor, tenant, b', 'name, floor, tenant, b::text'), ('arrays_4', 'floor, name, p', 'floor, name, p::text'), ('arrays_5', 'b', 'b::text');
DO $$
DECLARE c record;
BEGIN
  FOR c IN SELECT * FROM arrays_case ORDER BY tab LOOP
    -- half of the rows built, the others inserted
    EXECUTE format('CREATE TABLE %s AS SELECT * FROM arrays_made WHERE id %% 2 = 0', c.tab);
    EXECUTE format('CREATE INDEX %s_i ON %1$s USING spqtree (%s)', c.tab, c.key);
    EXECUTE format('INSERT INTO %s SELECT * FROM arrays_made WHERE id %% 2 > 0', c.tab);
  END LOOP;
END $$;
VACUUM ANALYZE arrays_1, arrays_2, arrays_3, arrays_4, arrays_5;

-- An array of up to n elements, some of them NULL, some twice, some nowhere.
CREATE FUNCTION tst.arrays_of(kind text, n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE one text; list text := ''; i int;
BEGIN
  FOR i IN 1 .. (random() * n)::int LOOP
    one := CASE kind WHEN 'int' THEN ((random() * 80)::int - 30)::text
                     WHEN 'int8' THEN CASE WHEN random() < 0.3 THEN '8589934595' ELSE ((random() * 80)::int - 30)::text END
                     WHEN 'int2' THEN (random() * 8)::int::text
                     WHEN 'text' THEN 'name ' || (random() * 50)::int
                     WHEN 'box' THEN (SELECT format('(%s,%s),(%s,%s)', x, y, x + 8, y + 8) FROM (SELECT (random() * 100)::int AS x, (random() * 100)::int AS y) r)
           END;
    IF random() < 0.1 THEN one := 'NULL'; ELSE one := '"' || one || '"'; END IF;
    IF i > 1 THEN list := list || CASE kind WHEN 'box' THEN ';' ELSE ',' END; END IF;
    list := list || one;
  END LOOP;
  RETURN quote_literal('{' || list || '}');
END $$;
CREATE FUNCTION tst.arrays_condition(key text, n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE parts text[] := '{}'; one text;
BEGIN
  FOREACH one IN ARRAY string_to_array(key, ', ') LOOP
    IF random() < 0.3 THEN CONTINUE; END IF;
    parts := parts || CASE one
      WHEN 'tenant' THEN CASE (random() * 5)::int WHEN 0 THEN 'tenant = ' || (random() * 40)::int WHEN 1 THEN 'tenant IS NULL'
        WHEN 2 THEN 'tenant = ANY (' || tst.arrays_of('int8', n) || '::int8[])' WHEN 3 THEN 'tenant = ANY (' || tst.arrays_of('int2', n) || '::int2[])'
        WHEN 4 THEN format('tenant = ANY (%s::int[]) AND tenant = ANY (%s::int[])', tst.arrays_of('int', n), tst.arrays_of('int', n))
        ELSE 'tenant = ANY (' || tst.arrays_of('int', n) || '::int[])' END
      WHEN 'floor' THEN CASE (random() * 3)::int WHEN 0 THEN 'floor = 2' WHEN 1 THEN 'floor = ANY (' || tst.arrays_of('int8', n) || '::int8[])'
        ELSE 'floor = ANY (' || tst.arrays_of('int2', n) || '::int2[])' END
      WHEN 'name' THEN CASE (random() * 3)::int WHEN 0 THEN 'name IS NOT NULL' WHEN 1 THEN format('name = ANY (%s::name[] COLLATE "default")', tst.arrays_of('text', n))
        ELSE 'name = ANY (' || tst.arrays_of('text', n) || '::text[])' END
      WHEN 'p' THEN CASE (random() * 1)::int WHEN 0 THEN 'p && ''(10,10),(60,70)''::box::polygon'
        ELSE format('p && ANY (ARRAY(SELECT e::polygon FROM unnest(%s::box[]) e))', tst.arrays_of('box', n)) END
      ELSE CASE (random() * 4)::int WHEN 0 THEN 'b && ''(10,10),(60,70)''' WHEN 1 THEN 'b <@ ANY (' || tst.arrays_of('box', n) || '::box[])'
        WHEN 2 THEN format('b && ANY (ARRAY(SELECT circle(e) FROM unnest(%s::box[]) e))', tst.arrays_of('box', n))
        WHEN 3 THEN format('b << ANY (%s::box[]) AND b |>> ANY (%s::box[])', tst.arrays_of('box', n), tst.arrays_of('box', n))
        ELSE 'b && ANY (' || tst.arrays_of('box', n) || '::box[])' END END;
  END LOOP;
  RETURN CASE WHEN cardinality(parts) > 0 THEN array_to_string(parts, ' AND ') ELSE 'true' END;
END $$;
CREATE FUNCTION tst.arrays_agree(tab text, columns text, condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT coalesce(array_agg(r ORDER BY r), ''{}'') FROM
                        (SELECT (%s)::text COLLATE "C" AS r FROM %s WHERE %s) s', columns, tab, condition);
  how record; expected text[]; found text[];
BEGIN
  FOR how IN SELECT * FROM (VALUES ('table', true, false, false, false), ('index', false, true, false, false),
                                   ('index only', false, true, true, false), ('bitmap', false, false, false, true))
                           v(name, seq, idx, index_only, bitmap) LOOP
    PERFORM set_config('enable_seqscan', how.seq::text, true), set_config('enable_indexscan', how.idx::text, true),
            set_config('enable_indexonlyscan', how.index_only::text, true), set_config('enable_bitmapscan', how.bitmap::text, true);
    EXECUTE query INTO found;
    expected := coalesce(expected, found);
    IF expected <> found THEN
      RAISE EXCEPTION '%: %: %', how.name, tst.differing(expected, found), query;
    END IF;
  END LOOP;
  RETURN cardinality(expected);
END $$;
SELECT tab, n AS up_to, count(*) AS queries, sum(tst.arrays_agree(tab, columns, tst.arrays_condition(key, n))) > 1000 AS many
FROM arrays_case, unnest(ARRAY[3, 40]) n, generate_series(1, 40) i WHERE i > 0 GROUP BY tab, n ORDER BY tab, n;

-- In order of distance, and the distances themselves.
CREATE FUNCTION tst.arrays_nearest(tab text, condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT array_agg(d), count(*) FROM (SELECT b <-> point(40,60) AS d FROM %s WHERE %s ORDER BY b <-> point(40,60) LIMIT 200) s', tab, condition);
  expected text; found text; n bigint;
BEGIN
  PERFORM set_config('enable_seqscan', 'on', true), set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true);
  EXECUTE query INTO expected, n;
  PERFORM set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'on', true);
  EXECUTE query INTO found, n;
  IF expected IS DISTINCT FROM found THEN RAISE EXCEPTION 'other distances: %', query; END IF;
  RETURN n;
END $$;
SELECT tab, sum(tst.arrays_nearest(tab, tst.arrays_condition(key, 5))) > 300 AS many
FROM arrays_case, generate_series(1, 30) i WHERE tab <> 'arrays_4' AND i > 0 GROUP BY tab ORDER BY tab;

-- Each is a condition of the index.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS off) SELECT tenant, b FROM arrays_1 WHERE tenant IN (1, 5, 9) AND b && '(10,10),(20,20)';
EXPLAIN (COSTS off) SELECT id FROM arrays_1 WHERE tenant = ANY (ARRAY[1, 5, NULL]) ORDER BY b <-> point(1,1) LIMIT 3;
EXPLAIN (COSTS off) SELECT tenant FROM arrays_3 WHERE name IN ('name 1', 'name 3') AND floor IN (1, 2) AND tenant IN (4, 5);
EXPLAIN (COSTS off) SELECT id FROM arrays_4 WHERE floor IN (1, 2) AND p && ANY (ARRAY[polygon '(1,1),(2,2),(3,1)', polygon '(50,50),(60,60),(60,50)']);

-- None: no page but the root is read, if any.
SELECT count(*) FROM arrays_1 WHERE tenant = ANY ('{}'::int[]);
SELECT count(*) FROM arrays_1 WHERE tenant = ANY (ARRAY[NULL, NULL]::int[]);
SELECT count(*) FROM arrays_1 WHERE tenant = ANY ((SELECT NULL::int[])::int[]);
SELECT count(*) FROM arrays_1 WHERE tenant = ANY (ARRAY[8589934595, -8589934595]);
SELECT count(*) FROM arrays_5 WHERE b && ANY ('{}'::box[]);
SELECT count(*) FROM arrays_5 WHERE b && ANY ((SELECT NULL::box[])::box[]);
-- In a nested loop, with other arrays each time; with all values; of two dimensions.
SELECT sum(n) FROM unnest(ARRAY['{1,2}', '{}', '{3,NULL,3}', NULL, '{-5}']) v(a), LATERAL (SELECT count(*) AS n FROM arrays_1 WHERE tenant = ANY (a::int[])) s;
SELECT count(*) FROM arrays_2 WHERE tenant = ANY (ARRAY(SELECT i % 100000 FROM generate_series(1, 200000) i)) AND floor = ANY (ARRAY[[1, 2], [4, 4]]);
SELECT count(*) FROM arrays_5 WHERE b && ANY (ARRAY(SELECT box(point(i % 200, 0), point(i % 200, i % 50)) FROM generate_series(1, 5000) i));
RESET enable_seqscan;
RESET enable_bitmapscan;
SELECT count(*) FROM arrays_1 WHERE tenant = ANY ('{1,2,3,NULL,-5}');
SELECT count(*) FROM arrays_2 WHERE tenant BETWEEN 0 AND 99999 AND floor IN (1, 2, 4);

-- A user's classes: without hash function, with one that says little, and both again.
CREATE FUNCTION arrays_hash(int, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT ($1 % 3)::bigint << 61';
CREATE OPERATOR CLASS arrays_no_hash FOR TYPE int USING spqtree AS OPERATOR 1 =;
CREATE OPERATOR CLASS arrays_bad_hash FOR TYPE int USING spqtree AS OPERATOR 1 =, FUNCTION 4 arrays_hash(int, bigint);
DO $$
DECLARE k text;
BEGIN
  FOREACH k IN ARRAY ARRAY['tenant arrays_no_hash, floor, b', 'tenant arrays_bad_hash, floor, b', 'floor, tenant arrays_bad_hash, b', 'floor, tenant arrays_no_hash, b'] LOOP
    DROP INDEX arrays_2_i;
    EXECUTE 'CREATE INDEX arrays_2_i ON arrays_2 USING spqtree (' || k || ')';
    PERFORM tst.arrays_agree('arrays_2', 'tenant, floor, b::text', tst.arrays_condition('tenant, floor, b', 6)) FROM generate_series(1, 20);
  END LOOP;
END $$;

-- By several processes.
SET max_parallel_workers_per_gather = 2;
SET min_parallel_index_scan_size = 0;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS off) SELECT count(*) FROM arrays_1 WHERE tenant IN (1, 2, 3, 3, -5);
SELECT count(*) FROM arrays_1 WHERE tenant IN (1, 2, 3, 3, -5);
SELECT count(*) FROM arrays_5 WHERE b && ANY ('{(0,0),(50,50);(20,20),(70,70);(20,20),(70,70)}'::box[]);
SET enable_bitmapscan = on;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SELECT count(*) FROM arrays_1 WHERE tenant IN (1, 2, 3, 3, -5);
SET enable_seqscan = on;
SET enable_bitmapscan = off;
SELECT count(*) FROM arrays_1 WHERE tenant IN (1, 2, 3, 3, -5);
SELECT count(*) FROM arrays_5 WHERE b && ANY ('{(0,0),(50,50);(20,20),(70,70);(20,20),(70,70)}'::box[]);
