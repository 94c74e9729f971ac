--
-- Indexes of access method spqtree from outside: spqtree_check, _stats, _nodes and
-- _explain, each against the others, the table, and what scans do; and VACUUM, as they
-- show it.  Damage is in test/t/016_rtree_check.pl.
--
SET client_min_messages = warning;
CREATE SCHEMA rtree_inspected;
SET search_path = rtree_inspected, public;

CREATE FUNCTION boxes(first int, last int) RETURNS TABLE (id int, b box, note text) LANGUAGE sql AS $$
  SELECT i, CASE WHEN i % 41 = 0 THEN NULL WHEN i % 501 = 0 THEN box(point('NaN', y), point(x, 'Infinity'))
                 ELSE box(point(x, y), point(x + w, y + w)) END, repeat('n', i % 90)
  FROM generate_series(first, last) i,
       LATERAL (SELECT (i * 7919::bigint) % 1000 AS x, (i * 104729::bigint) % 997 AS y, 200.0 / (1 + i % 200) AS w) v $$;

-- What is not as it should be.
CREATE FUNCTION wrong(index regclass) RETURNS TABLE (what text) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  rows bigint;
  null_rows bigint;
BEGIN
  SELECT * INTO s FROM spqtree_stats(index);
  EXECUTE format('SELECT count(*), count(*) FILTER (WHERE b IS NULL) FROM %s', (SELECT indrelid::regclass FROM pg_index WHERE indexrelid = index)) INTO rows, null_rows;
  RETURN QUERY SELECT problem FROM spqtree_check(index, true);
  RETURN QUERY
  SELECT v.what FROM (VALUES
    ('tuples', s.tuples = rows AND s.null_tuples = null_rows),
    ('bytes', s.bytes = pg_relation_size(index) AND s.used_bytes + s.dead_bytes + s.free_bytes = s.bytes),
    ('pages', s.bytes = s.pages * current_setting('block_size')::int AND s.inner_pages + s.leaf_pages + s.empty_pages + 1 = s.pages),
    ('inner pages', s.inner_pages = s.inner_tuples),
    ('nothing of quadtrees', num_nulls(s.oversize_tuples, s.all_the_same, s.markers, s.redirects, s.placeholders) = 5),
    ('nodes', (SELECT (coalesce(sum(n.tuples) FILTER (WHERE n.kind = 'leaf'), 0), coalesce(sum(n.tuples) FILTER (WHERE n.null_keys), 0),
                       count(*) FILTER (WHERE n.kind = 'inner'), count(*) FILTER (WHERE n.kind = 'leaf' AND NOT n.null_keys AND n.tuples > 0),
                       max(n.tuples) FILTER (WHERE n.kind = 'leaf' AND NOT n.null_keys AND n.tuples > 0)) IS NOT DISTINCT FROM
                      (s.tuples::numeric, s.null_tuples::numeric, s.inner_tuples, s.leaf_chains, s.longest_chain) FROM spqtree_nodes(index) n)),
    ('one root, one chain of nulls', (SELECT count(*) FILTER (WHERE NOT null_keys) = 1 AND bool_and(level = 1) FROM spqtree_nodes(index) WHERE parent_block IS NULL)),
    ('sums', (SELECT coalesce(bool_and(p.tuples = (SELECT sum(c.tuples) FROM spqtree_nodes(index) c WHERE c.parent_block = p.block)), true) FROM spqtree_nodes(index) p WHERE p.kind = 'inner')),
    ('downlinks', (SELECT coalesce(bool_and(p.nodes = (SELECT count(*) FROM spqtree_nodes(index) c WHERE c.parent_block = p.block)), true) FROM spqtree_nodes(index) p WHERE p.kind = 'inner')),
    ('levels', (SELECT coalesce(bool_and(c.level = p.level + 1), true) FROM spqtree_nodes(index) c JOIN spqtree_nodes(index) p ON c.parent_block = p.block)),
    ('depth', s.max_depth IS NOT DISTINCT FROM (SELECT max(n.level) - 1 FROM spqtree_nodes(index) n WHERE n.tuples > 0 AND NOT null_keys) AND s.average_depth IS NOT DISTINCT FROM s.max_depth::float8),
    ('average', s.average_chain IS NOT DISTINCT FROM (s.tuples - s.null_tuples)::float8 / nullif(s.leaf_chains, 0))
  ) v (what, ok) WHERE v.ok IS NOT TRUE;
END $$;

-- Queries whose explanation is not what the table says.
CREATE FUNCTION unexplained(index regclass) RETURNS TABLE (operator text, query box, said bigint, counted bigint) LANGUAGE plpgsql AS $$
DECLARE
  e record;
BEGIN
  FOREACH operator IN ARRAY '{&&,@>,<@,~=,<<,&<,&>,>>,<<|,&<|,|&>,|>>}'::text[] LOOP
    FOREACH query IN ARRAY '{((10,10),(200,300));((500,500),(500,500));((-1e9,-1e9),(1e9,1e9));((2000,0),(3000,1))}'::box[] LOOP
      SELECT * INTO e FROM spqtree_explain(index, query, operator);
      said := e.rows;
      EXECUTE format('SELECT count(*) FROM %s WHERE (b OPERATOR(pg_catalog.%s) $1) IS TRUE', (SELECT indrelid::regclass FROM pg_index WHERE indexrelid = index), operator) INTO counted USING query;
      IF e.rows <> counted OR e.leaf_tuples < e.rows OR e.pages <> e.inner_tuples + e.leaf_chains OR e.chains_without_match > e.leaf_chains OR e.rechecked > e.rows THEN
        RETURN NEXT;
      END IF;
    END LOOP;
  END LOOP;
END $$;

CREATE TABLE empty (id int, b box, note text);
CREATE INDEX empty_b ON empty USING spqtree (b);
CREATE TABLE few AS SELECT * FROM boxes(1, 40);
CREATE INDEX few_b ON few USING spqtree (b);
CREATE TABLE many AS SELECT * FROM boxes(1, 9000);
CREATE INDEX many_b ON many USING spqtree (b);
CREATE INDEX many_wide ON many USING spqtree (b) INCLUDE (id, note);
CREATE INDEX many_sparse ON many USING spqtree (b) WITH (fillfactor = 20);
CREATE TABLE grown (id int, b box, note text) WITH (autovacuum_enabled = off);
CREATE INDEX grown_b ON grown USING spqtree (b);
CREATE INDEX grown_wide ON grown USING spqtree (b) INCLUDE (note);
INSERT INTO grown SELECT * FROM boxes(1, 9000);
CREATE TABLE nulls AS SELECT id, NULL::box AS b, note FROM boxes(1, 3000);
CREATE INDEX nulls_b ON nulls USING spqtree (b);
SELECT i.relname, (SELECT string_agg(what, ', ') FROM wrong(i.oid)) AS wrong, (SELECT count(*) FROM unexplained(i.oid)) AS unexplained
FROM pg_class i WHERE relnamespace = 'rtree_inspected'::regnamespace AND relkind = 'i' ORDER BY relname;

--
-- VACUUM
--

-- A part goes, here and there and in one place: bounds are tightened.
CREATE FUNCTION visited(query box) RETURNS TABLE (pages bigint, rows bigint) LANGUAGE sql AS $$ SELECT pages, rows FROM spqtree_explain('grown_b', query) $$;
SELECT rows > 0 AS found, pages > 2 AS visited FROM visited('((0,0),(300,300))');
DELETE FROM grown WHERE b && '((0,0),(400,400))' OR id % 3 = 0 OR (b[0])[0] = 'NaN' OR (b[1])[0] = 'NaN';
VACUUM grown;
SELECT * FROM wrong('grown_b') UNION ALL SELECT * FROM wrong('grown_wide');
SELECT rows, pages <= 3 AS "hardly a page" FROM visited('((0,0),(300,300))');
SELECT i.relname, i.reltuples = (SELECT count(*) FROM grown) AS counted FROM pg_class i WHERE relname ~ '^grown_' ORDER BY relname;

-- All goes: pages are empty, and are filled again.
CREATE TABLE sizes AS SELECT pg_relation_size('grown_b') AS plain, pg_relation_size('grown_wide') AS wide;
DELETE FROM grown;
VACUUM grown;
SELECT * FROM wrong('grown_b') UNION ALL SELECT * FROM wrong('grown_wide');
SELECT tuples, leaf_chains, leaf_pages, empty_pages > 20 AS empty FROM spqtree_stats('grown_b');
INSERT INTO grown SELECT id, b + point(5000, -5000), note FROM boxes(1, 6000);
SELECT * FROM wrong('grown_b') UNION ALL SELECT * FROM wrong('grown_wide');
SELECT pg_relation_size('grown_b') <= plain * 2 AS plain, pg_relation_size('grown_wide') <= wide * 2 AS wide FROM sizes;

-- NULLs: the first page with room is filled first.
DELETE FROM nulls WHERE id < 2500;
VACUUM nulls;
CREATE TABLE null_size AS SELECT pg_relation_size('nulls_b') AS size;
INSERT INTO nulls SELECT id, NULL, note FROM boxes(1, 2400);
SELECT * FROM wrong('nulls_b');
SELECT pg_relation_size('nulls_b') = size AS refilled FROM null_size;

-- ANALYZE, and VACUUM without anything to do, leave the index as it is; building it
-- beside writers asks VACUUM's code for every row.
VACUUM (ANALYZE) many;
CREATE INDEX CONCURRENTLY many_later ON many USING spqtree (b);
SELECT * FROM wrong('many_b') UNION ALL SELECT * FROM wrong('many_later');

-- Dead versions are removed before a page is split, VACUUM or not.
CREATE TABLE moving (id int, b box, note text) WITH (autovacuum_enabled = off, fillfactor = 50);
INSERT INTO moving SELECT * FROM boxes(1, 2000);
CREATE INDEX moving_b ON moving USING spqtree (b);
CREATE TABLE moving_size AS SELECT pg_relation_size('moving_b') AS size;
DO $$
BEGIN
  FOR i IN 1..12 LOOP
    UPDATE moving SET b = b + point(i % 5 - 2, i % 3 - 1);
    COMMIT;
  END LOOP;
END $$;
SELECT pg_relation_size('moving_b') <= 3 * size AS "as small as ever" FROM moving_size;
SELECT count(*) FROM spqtree_check('moving_b', true);
VACUUM moving;
SELECT * FROM wrong('moving_b');

-- What cannot be inspected.
SELECT * FROM spqtree_explain('many_b', '((1,1),(2,2))', '<->');
CREATE TABLE parted (id int, b box) PARTITION BY RANGE (id);
CREATE INDEX parted_b ON parted USING spqtree (b);
SELECT * FROM spqtree_check('parted_b');
CREATE ROLE regress_rtree_reader;
GRANT USAGE ON SCHEMA rtree_inspected TO regress_rtree_reader;
SET ROLE regress_rtree_reader;
SELECT * FROM spqtree_stats('many_b');
SELECT * FROM spqtree_check('many_b');
RESET ROLE;

DROP SCHEMA rtree_inspected CASCADE;
DROP ROLE regress_rtree_reader;
