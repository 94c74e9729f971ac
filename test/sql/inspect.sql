--
-- spqtree_stats, spqtree_nodes, spqtree_explain: each against the others, the table,
-- the size of the file, and what scans do.  Damage is in test/t/011_inspect.pl.
--
SET client_min_messages = warning;
CREATE SCHEMA inspected;
SET search_path = inspected, public;
SET timezone = 'UTC';

CREATE FUNCTION boxes(n int, seed int DEFAULT 1) RETURNS TABLE (id int, b box) LANGUAGE sql AS $$
  SELECT i, CASE WHEN i % 41 = 0 THEN NULL WHEN i % 11 = 0 THEN '((5,5),(6,6))' ELSE box(point(x, y), point(x + w, y + w)) END
  FROM generate_series(1, n) i,
       LATERAL (SELECT (i * 7919::bigint * seed) % 1000 AS x, (i * 104729::bigint * seed) % 997 AS y, 200.0 / (1 + i % 200) AS w) v $$;

-- As <@, but without its EPSILON.
CREATE FUNCTION covers(outer_box box, inner_box box) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT (outer_box[1])[0] <= (inner_box[1])[0] AND (outer_box[1])[1] <= (inner_box[1])[1] AND (outer_box[0])[0] >= (inner_box[0])[0] AND (outer_box[0])[1] >= (inner_box[0])[1] $$;

-- The row of statistics, counted from the rows of the nodes.
CREATE FUNCTION counted(index regclass) RETURNS TABLE (
  tuples bigint, null_tuples bigint, oversize_tuples bigint, inner_tuples bigint, all_the_same bigint, markers bigint,
  leaf_chains bigint, average_chain float8, longest_chain bigint, average_depth float8, max_depth int) LANGUAGE sql AS $$
  WITH RECURSIVE nodes AS MATERIALIZED (SELECT * FROM spqtree_nodes(index)),
  tree AS (
    SELECT n.*, 0 AS passed, oversize AS held_above FROM nodes n WHERE parent_block IS NULL
    UNION ALL
    SELECT n.*, t.passed + 1, t.held_above OR n.oversize FROM tree t JOIN nodes n ON (n.parent_block, n.parent_item) = (t.block, t.item)),
  chains AS (SELECT * FROM tree WHERE kind = 'leaf')
  SELECT coalesce(sum(c.tuples), 0)::bigint, coalesce(sum(c.tuples) FILTER (WHERE c.null_keys), 0)::bigint,
         coalesce(sum(c.tuples) FILTER (WHERE c.held_above), 0)::bigint,
         (SELECT count(*) FROM nodes WHERE kind = 'inner' AND NOT null_keys),
         (SELECT count(*) FROM nodes n WHERE n.all_the_same AND NOT null_keys),
         (SELECT coalesce(sum(n.markers), 0) FROM nodes n)::bigint,
         count(*) FILTER (WHERE c.tuples > 0 AND NOT null_keys),
         (avg(c.tuples) FILTER (WHERE c.tuples > 0 AND NOT null_keys))::float8,
         max(c.tuples) FILTER (WHERE c.tuples > 0 AND NOT null_keys),
         (sum(passed * c.tuples) FILTER (WHERE NOT null_keys) / nullif(sum(c.tuples) FILTER (WHERE NOT null_keys), 0))::float8,
         max(passed) FILTER (WHERE c.tuples > 0 AND NOT null_keys)
  FROM chains c $$;

-- What is not as it should be; the table has been vacuumed.
CREATE FUNCTION wrong(index regclass) RETURNS TABLE (what text) LANGUAGE plpgsql AS $$
DECLARE
  found record;
  counted record;
  rows bigint;
  null_rows bigint;
  condition text := coalesce((SELECT pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid = index), 'true');
BEGIN
  SELECT * INTO found FROM spqtree_stats(index);
  SELECT * INTO counted FROM counted(index);
  EXECUTE format('SELECT count(*), count(*) FILTER (WHERE %s IS NULL) FROM %s WHERE %s', pg_get_indexdef(index, 1, true),
                 (SELECT indrelid::regclass FROM pg_index WHERE indexrelid = index), condition) INTO rows, null_rows;
  RETURN QUERY
  SELECT v.what FROM (VALUES
    ('tuples', found.tuples = rows), ('nulls', found.null_tuples = null_rows),
    ('counts', (found.tuples, found.null_tuples, found.oversize_tuples, found.inner_tuples, found.all_the_same, found.markers, found.leaf_chains, found.longest_chain, found.max_depth)
       IS NOT DISTINCT FROM (counted.tuples, counted.null_tuples, counted.oversize_tuples, counted.inner_tuples, counted.all_the_same, counted.markers, counted.leaf_chains, counted.longest_chain, counted.max_depth)),
    ('averages', coalesce(abs(found.average_chain - counted.average_chain) + abs(found.average_depth - counted.average_depth), 0) < 1e-9
       AND (found.average_chain IS NULL) = (counted.average_chain IS NULL) AND (found.average_depth IS NULL) = (counted.average_depth IS NULL)),
    ('size', found.bytes = pg_relation_size(index)), ('bytes', found.used_bytes + found.dead_bytes + found.free_bytes = found.bytes),
    ('used', found.used_bytes >= found.tuples * 20 + current_setting('block_size')::int), ('free', found.free_bytes >= 0),
    ('dead', found.dead_bytes = 20 * (found.dead_tuples + found.redirects + found.placeholders)),
    ('pages', found.pages = 1 + found.inner_pages + found.leaf_pages + found.empty_pages AND found.pages * current_setting('block_size')::int = found.bytes),
    ('empty chains', found.dead_tuples = (SELECT count(*) FROM spqtree_nodes(index) WHERE kind = 'leaf' AND tuples = 0))
    ) v (what, so) WHERE so IS NOT TRUE;
  -- what nodes say of each other
  RETURN QUERY
  WITH nodes AS MATERIALIZED (SELECT *, block * 65536 + item AS place, parent_block * 65536 + parent_item AS parent FROM spqtree_nodes(index)),
  pairs AS MATERIALIZED (
    SELECT c.*, p.place AS of, p.level AS above, p.kind AS kind_above, p.cell AS cell_above, p.null_keys AS null_above, p.all_the_same AS same_above
    FROM nodes c LEFT JOIN nodes p ON p.place = c.parent)
  SELECT format('place %s twice', place) FROM nodes GROUP BY place HAVING count(*) > 1
  UNION ALL SELECT format('node %s: no way there', place) FROM pairs WHERE (parent IS NULL) <> (level = 1) OR (parent IS NOT NULL) <> (of IS NOT NULL)
  UNION ALL SELECT format('node %s: step', place) FROM pairs WHERE level > 1 AND (level <> above + 1 OR kind_above <> 'inner' OR null_keys <> null_above)
  UNION ALL SELECT format('node %s: cell', place) FROM pairs
    WHERE level > 1 AND NOT null_keys AND NOT covers(cell_above, cell)
  UNION ALL SELECT format('node %s: size bound', place) FROM nodes WHERE NOT null_keys AND NOT size_bound > 0
  UNION ALL SELECT format('node %s: children', p.place)
    FROM nodes p LEFT JOIN (SELECT parent, count(*) AS n, sum(c.tuples) AS tuples FROM nodes c GROUP BY parent) c ON c.parent = p.place
    WHERE p.kind = 'inner' AND (p.nodes, p.tuples) IS DISTINCT FROM (c.n, c.tuples)
  UNION ALL SELECT format('node %s: numbers', parent) FROM nodes WHERE parent IS NOT NULL GROUP BY parent, parent_node HAVING count(*) > 1
  UNION ALL SELECT format('node %s: nulls', place) FROM nodes
    WHERE (cell IS NULL) <> null_keys OR (size_bound IS NULL) <> null_keys OR (bounds IS NULL) <> (null_keys OR parent IS NULL)
       OR (nodes IS NULL) <> (kind = 'leaf') OR (markers IS NULL) <> (kind = 'leaf') OR (all_the_same IS NULL) <> (kind = 'leaf') OR kind NOT IN ('inner', 'leaf');
END $$;
CREATE FUNCTION wrong_of_all(OUT index regclass, OUT what text) RETURNS SETOF record LANGUAGE sql AS $$
  SELECT i.indexrelid::regclass, w.what
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_opclass o ON o.oid = i.indclass[0], LATERAL wrong(c.oid::regclass) w
  WHERE c.relnamespace IN ('inspected'::regnamespace, pg_my_temp_schema()) AND c.relkind = 'i' AND o.opcname ~ '^spqtree_box' $$;

-- Indexes that are small enough to know everything.
CREATE TABLE home (id int, b box) WITH (autovacuum_enabled = off);
CREATE INDEX home_b ON home USING spgist (b spqtree_box_ops);
SELECT tuples, null_tuples, inner_tuples, leaf_chains, average_chain, longest_chain, average_depth, max_depth, pages, inner_pages, leaf_pages, empty_pages FROM spqtree_stats('home_b');
SELECT * FROM spqtree_nodes('home_b');
SELECT * FROM spqtree_explain('home_b', '((0,0),(10,10))');
INSERT INTO home VALUES (1, '((1,2),(3,4))');
SELECT tuples, null_tuples, inner_tuples, leaf_chains, average_chain, longest_chain, average_depth, max_depth, pages, inner_pages, leaf_pages, empty_pages FROM spqtree_stats('home_b');
SELECT * FROM spqtree_nodes('home_b');
SELECT * FROM spqtree_explain('home_b', '((0,0),(10,10))');
SELECT * FROM spqtree_explain('home_b', '((0,0),(0,0))');
INSERT INTO home VALUES (2, NULL), (3, NULL), (4, box(point('NaN', 1), point('Infinity', 7)));
SELECT tuples, null_tuples, leaf_chains, average_chain, max_depth, pages, leaf_pages, empty_pages FROM spqtree_stats('home_b');
SELECT level, kind, tuples, block, item, oversize, null_keys FROM spqtree_nodes('home_b') ORDER BY block;
SELECT * FROM spqtree_explain('home_b', '((0,0),(10,10))');
SELECT * FROM wrong('home_b');
-- a row that was deleted is in the index until it is vacuumed
DELETE FROM home WHERE id = 1;
SELECT tuples FROM spqtree_stats('home_b');
VACUUM home;
SELECT tuples FROM spqtree_stats('home_b');
SELECT * FROM wrong('home_b');

-- Trees of every kind.
CREATE TABLE nothing (b box, t text);
CREATE INDEX nothing_b_t ON nothing USING spgist (b spqtree_box_ops) INCLUDE (t);
INSERT INTO nothing SELECT NULL, nullif('text ' || i % 3, 'text 0') FROM generate_series(1, 2000) i;
SELECT tuples, null_tuples, oversize_tuples, inner_tuples, leaf_chains, average_chain, average_depth FROM spqtree_stats('nothing_b_t');
CREATE TABLE same (id int, b box);
INSERT INTO same SELECT i, '((1,2),(3,4))' FROM generate_series(1, 1000) i;
CREATE INDEX same_b ON same USING spgist (b spqtree_box_ops);
INSERT INTO same SELECT i, '((1,2),(3,4))' FROM generate_series(1, 1000) i;
SELECT tuples, all_the_same = inner_tuples AS all_the_same, inner_tuples > 0 AS tree FROM spqtree_stats('same_b');
-- the cell is the smallest there is around the one anchor of all, (2,3); the sides are 2
SELECT DISTINCT size_bound, cell @> point(2, 3) AS holds_anchor, area(cell) = 0 AS tiny, bounds @> box '((1,2),(3,4))' AS holds_box, bounds <@ box '((0.8,1.8),(3.2,4.2))' AS tight
FROM spqtree_nodes('same_b') WHERE level > 1;
CREATE TABLE many (id int, b box, t text, n numeric) WITH (autovacuum_enabled = off);
CREATE INDEX many_grown ON many USING spgist (b spqtree_box_ops);
CREATE INDEX many_include ON many USING spgist (b spqtree_box_ops) INCLUDE (id, t, n);
INSERT INTO many SELECT id, b, CASE id % 5 WHEN 0 THEN NULL WHEN 1 THEN repeat('long text ', 15) ELSE 't' || id END, id / 7.0 FROM boxes(4000);
CREATE INDEX many_built ON many USING spgist (b spqtree_box_ops);
CREATE INDEX many_partial ON many USING spgist (b spqtree_box_ops) WHERE id % 3 = 0;
CREATE INDEX many_expression ON many USING spgist ((b + point(id, 1)) spqtree_box_ops);
CREATE INDEX many_full ON many USING spgist (b spqtree_box_ops) WITH (fillfactor = 100);
CREATE INDEX many_loose ON many USING spgist (b spqtree_box_ops) WITH (fillfactor = 10);
CREATE TABLE wild (id int, b box);
CREATE INDEX wild_b ON wild USING spgist (b spqtree_box_ops);
INSERT INTO wild SELECT i, CASE i % 7 WHEN 0 THEN box(point('NaN', i), point(1, 2)) WHEN 1 THEN box(point('-Infinity', i), point(i, 7)) WHEN 2 THEN box(point('-Infinity', '-Infinity'), point('Infinity', 'Infinity'))
  WHEN 3 THEN box(point(1e300 * (i % 5), i), point(-1e300, 0)) WHEN 4 THEN box(point(i * 1e-300, 0), point(i * 1e-300, 0)) ELSE box(point(i, i), point(i + 1, i + 1)) END FROM generate_series(1, 3000) i;
CREATE UNLOGGED TABLE unlogged AS SELECT * FROM boxes(1000);
CREATE INDEX unlogged_b ON unlogged USING spgist (b spqtree_box_ops);
CREATE TEMPORARY TABLE fleeting AS SELECT * FROM boxes(2000);
CREATE INDEX fleeting_b ON fleeting USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO fleeting SELECT * FROM boxes(1000, 5);
SELECT * FROM wrong_of_all();
-- those are trees, with what makes them worth a look
SELECT bool_and(inner_tuples > 5 AND leaf_pages > 10 AND oversize_tuples BETWEEN 1 AND tuples - 1 AND average_depth BETWEEN 1 AND max_depth) AS trees,
       bool_or(markers > 0) AS markers, bool_or(redirects > 0) AS redirects, bool_or(placeholders > 0) AS placeholders, bool_or(empty_pages > 0) AS empty_pages
FROM unnest('{many_grown,many_include,many_built,many_full,many_loose}'::regclass[]) i, LATERAL spqtree_stats(i) s;
SELECT bool_or(oversize) AS oversize, bool_or(all_the_same) AS all_the_same, max(level) > 3 AS deep, bool_or(null_keys) AS null_keys FROM spqtree_nodes('many_grown');
-- what has no place on the lattice has a cell without an end
SELECT count(*) > 0 AS "without end" FROM spqtree_nodes('wild_b') WHERE size_bound = 'Infinity' AND (cell[0])[0] = 'Infinity' AND level > 1;

-- Rows for which a chain says that it may have them: at least as many as it has.
SELECT n.block, n.item, n.tuples, count(*) AS rows
FROM spqtree_nodes('many_grown') n LEFT JOIN many m ON covers(n.bounds, m.b) AND covers(n.cell, box(center(m.b), center(m.b)))
  AND greatest(width(m.b), height(m.b)) <= n.size_bound
WHERE n.kind = 'leaf' AND NOT n.null_keys GROUP BY 1, 2, 3 HAVING count(m.id) < n.tuples;

-- After deletions, with vacuum and reuse.
DELETE FROM many WHERE id % 4 = 1 OR b << '((300,0),(301,1))';
DELETE FROM wild WHERE id % 3 = 0;
DELETE FROM nothing;
DELETE FROM same;
VACUUM many, wild, nothing, same;
SELECT * FROM wrong_of_all();
SELECT tuples, leaf_chains, dead_tuples > 0 AS dead FROM spqtree_stats('same_b');
SELECT bool_or(dead_tuples > 0) AS dead FROM unnest('{many_grown,many_include,many_built}'::regclass[]) i, LATERAL spqtree_stats(i) s;
INSERT INTO many SELECT id, b, 'second', 0 FROM boxes(2000, 13);
INSERT INTO same SELECT i, box(point(i, i), point(1, 2)) FROM generate_series(1, 100) i;
SELECT * FROM wrong_of_all();
BEGIN;
INSERT INTO many SELECT id, b FROM boxes(500, 17);
SELECT * FROM wrong('many_grown');
ROLLBACK;
-- what was rolled back is there until vacuum
SELECT tuples > (SELECT count(*) FROM many) AS more FROM spqtree_stats('many_grown');
VACUUM many;
SELECT * FROM wrong_of_all();

-- What a scan visits: rows by the sequential scan, pages by the bitmap scan, for
-- every operator and boxes of every size; half of them end at sides of boxes that
-- are there.
CREATE TABLE queries AS
  SELECT i, CASE i % 4 WHEN 0 THEN box(point(x, y), point(x + w, y + w)) WHEN 1 THEN b WHEN 2 THEN box(b[0], point(x, y)) ELSE box(point(x, y), point(x, y)) END AS q
  FROM boxes(500) JOIN generate_series(1, 12) i ON id = 41 * i + 1, LATERAL (SELECT i * 7877 % 1000 AS x, i * 7919 % 997 AS y, 1000.0 / i AS w) v
  UNION ALL VALUES (0, '((-1e9,-1e9),(1e9,1e9))'::box), (0, '((-10,-10),(-9,-9))'), (0, '(-Infinity,-Infinity),(Infinity,Infinity)'), (0, '(NaN,1),(2,2)');
CREATE FUNCTION misjudged(index regclass, last int) RETURNS TABLE (operator text, q box, what text) LANGUAGE plpgsql AS $$
DECLARE
  explained record;
  rows bigint;
  plan json;
  blocks bigint;
  head text := format(' FROM %s WHERE %s', (SELECT indrelid::regclass FROM pg_index WHERE indexrelid = index),
                      coalesce((SELECT pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid = index) || ' AND ', '') || pg_get_indexdef(index, 1, true));
BEGIN
  PERFORM set_config('enable_indexscan', 'off', true), set_config('enable_indexonlyscan', 'off', true);
  FOREACH operator IN ARRAY '{&&,@>,<@,~=,<<,&<,&>,>>,<<|,&<|,|&>,|>>}'::text[] LOOP
    FOR q IN SELECT u.q FROM queries u WHERE i <= last LOOP
      SELECT * INTO explained FROM spqtree_explain(index, q, operator);
      PERFORM set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'on', true);
      EXECUTE format('SELECT count(*) %s %s $1', head, operator) INTO rows USING q;
      PERFORM set_config('enable_bitmapscan', 'on', true), set_config('enable_seqscan', 'off', true);
      EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) SELECT 1 %s %s %L::box', head, operator, q) INTO plan;
      plan := plan -> 0 -> 'Plan' -> 'Plans' -> 0;
      blocks := (plan ->> 'Shared Hit Blocks')::bigint + (plan ->> 'Shared Read Blocks')::bigint + (plan ->> 'Local Hit Blocks')::bigint + (plan ->> 'Local Read Blocks')::bigint;
      IF plan ->> 'Index Name' IS DISTINCT FROM (SELECT relname FROM pg_class WHERE oid = index) OR plan ->> 'Node Type' <> 'Bitmap Index Scan' THEN
        RAISE EXCEPTION 'plan is %', plan;
      END IF;
      what := concat_ws(', ', CASE WHEN rows NOT BETWEEN explained.rows - explained.rechecked AND explained.rows THEN format('%s rows: %s', rows, explained) END,
        CASE WHEN (plan ->> 'Actual Rows')::float8 <> explained.rows THEN format('%s rows by the scan: %s', plan ->> 'Actual Rows', explained) END,
        -- a page is read again when the scan comes back to it
        CASE WHEN blocks NOT BETWEEN explained.pages AND greatest(1, explained.inner_tuples + explained.leaf_chains) THEN format('%s blocks: %s', blocks, explained) END,
        CASE WHEN explained.leaf_tuples < explained.rows OR explained.oversize_tuples > explained.leaf_tuples OR explained.chains_without_match > explained.leaf_chains
                  OR explained.hit_rate IS DISTINCT FROM explained.rows::float8 / nullif(explained.leaf_tuples, 0) THEN explained::text END);
      IF what <> '' THEN
        RETURN NEXT;
      END IF;
    END LOOP;
  END LOOP;
END $$;
-- One index a table, or the planner takes another one.  Index entries of rows that
-- nobody sees are counted, so there shall be none.
CREATE TABLE asked_grown (LIKE many);
CREATE INDEX asked_grown_b ON asked_grown USING spgist (b spqtree_box_ops);
INSERT INTO asked_grown SELECT * FROM many;
CREATE TABLE asked_built AS SELECT * FROM many;
CREATE INDEX asked_built_b ON asked_built USING spgist (b spqtree_box_ops) INCLUDE (id, t);
CREATE TABLE asked_partial AS SELECT * FROM many;
CREATE INDEX asked_partial_b ON asked_partial USING spgist (b spqtree_box_ops) WHERE id % 3 = 0;
CREATE TABLE asked_expression AS SELECT * FROM many;
CREATE INDEX asked_expression_b ON asked_expression USING spgist ((b + point(id, 1)) spqtree_box_ops);
VACUUM home, nothing, same, asked_grown, asked_built, asked_partial, asked_expression, wild, unlogged, fleeting;
SELECT i AS index, m.* FROM unnest('{home_b,nothing_b_t,same_b,wild_b}'::regclass[]) i, LATERAL misjudged(i, 4) m;
SELECT i AS index, m.* FROM unnest('{asked_grown_b,asked_built_b,asked_partial_b,asked_expression_b,unlogged_b,fleeting_b}'::regclass[]) i, LATERAL misjudged(i, 12) m;
-- a scan for everything goes everywhere, one for nothing no further than it has to
SELECT e.inner_tuples = s.inner_tuples AS inner_tuples, e.leaf_chains = s.leaf_chains + s.dead_tuples AS leaf_chains, e.leaf_tuples = s.tuples - s.null_tuples AS leaf_tuples,
       e.oversize_tuples = s.oversize_tuples AS oversize, e.hit_rate
FROM spqtree_stats('many_built') s, spqtree_explain('many_built', '((-1e9,-1e9),(1e9,1e9))') e;
SELECT inner_tuples, leaf_chains, rows, pages, hit_rate FROM spqtree_explain('many_built', '((-1e9,-1e9),(-1e8,-1e8))');

-- However they are called.
SELECT spqtree_stats(NULL) IS NULL AS stats, spqtree_explain('home_b', NULL) IS NULL AS query, spqtree_explain(NULL, '((1,1),(2,2))') IS NULL AS index, spqtree_explain('home_b', '((1,1),(2,2))', NULL) IS NULL AS operator;
SELECT count(*) FROM spqtree_nodes(NULL);
SELECT rows FROM spqtree_explain(index => 'inspected.same_b'::regclass, query => '((1,1),(2,2))', operator => '~=');
BEGIN READ ONLY;
SELECT count(*) > 10 AS nodes FROM spqtree_nodes('many_grown');
COMMIT;
BEGIN;
DECLARE c CURSOR FOR SELECT level FROM spqtree_nodes('many_built') WHERE parent_block IS NULL AND NOT null_keys;
FETCH ALL FROM c;
COMMIT;
SET work_mem = '64kB';
SELECT * FROM wrong('many_grown');
RESET work_mem;
-- the recipes of src/inspect/README.md: hot spots, levels, a drawing
SELECT (SELECT tuples FROM spqtree_nodes('many_built') WHERE kind = 'leaf' AND NOT null_keys ORDER BY tuples DESC LIMIT 1) = longest_chain AS "hot spot"
FROM spqtree_stats('many_built');
SELECT sum(boxes) FILTER (WHERE kind = 'leaf') = (SELECT count(*) FROM many) AS boxes, count(*) FILTER (WHERE kind = 'inner') = max(level) - 1 AS levels, sum(oversize) > 0 AS oversize
FROM (SELECT level, kind, count(*) AS nodes, sum(tuples) AS boxes, round(avg(tuples), 1) AS each, count(*) FILTER (WHERE oversize) AS oversize FROM spqtree_nodes('many_built') GROUP BY level, kind) levels;
CREATE VIEW cells AS
SELECT (cell[1])[0] AS x, -(cell[0])[1] AS y, width(cell) AS w, height(cell) AS h, tuples
FROM spqtree_nodes('many_built') WHERE kind = 'leaf' AND NOT null_keys AND NOT oversize AND width(cell) < 'Infinity';
WITH extent AS (SELECT min(x) AS x, min(y) AS y, max(x + w) - min(x) AS w, max(y + h) - min(y) AS h FROM cells)
SELECT (length(picture) - length(replace(picture, '<rect', ''))) / 5 = (SELECT count(*) FROM cells) AS rectangles, (SELECT count(*) > 50 FROM cells) AS many, picture ~ '^<svg [^<>]*>(<rect [^<>]*/>)*</svg>$' AS formed
FROM extent e, format('<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s">%s</svg>', e.x, e.y, e.w, e.h,
  (SELECT string_agg(format('<rect x="%s" y="%s" width="%s" height="%s" fill="none" stroke="black" stroke-width="%s"/>', x, y, w, h, e.w / 2000), '') FROM cells)) picture;

-- Not an index of ours, or no index that can be looked into.
CREATE INDEX many_btree ON many (id);
CREATE INDEX home_gist ON home USING gist (b);
CREATE INDEX home_core ON home USING spgist (b);
CREATE TABLE parts (id int, b box) PARTITION BY RANGE (id);
CREATE TABLE part_1 PARTITION OF parts FOR VALUES FROM (0) TO (500);
CREATE INDEX parts_b ON parts USING spgist (b spqtree_box_ops);
SELECT spqtree_stats('many');
\echo :LAST_ERROR_SQLSTATE
SELECT spqtree_nodes('many_btree');
\echo :LAST_ERROR_SQLSTATE
SELECT spqtree_explain('home_gist', '((1,1),(2,2))');
\echo :LAST_ERROR_SQLSTATE
SELECT spqtree_stats('home_core');
\echo :LAST_ERROR_SQLSTATE
SELECT spqtree_stats('parts_b');
\echo :LAST_ERROR_SQLSTATE
SELECT spqtree_explain('parts_b', '((1,1),(2,2))');
\echo :LAST_ERROR_SQLSTATE
SELECT relid, (spqtree_stats(relid)).tuples FROM pg_partition_tree('inspected.parts_b') WHERE isleaf;
SELECT spqtree_nodes(4000000000::oid::regclass);
\echo :LAST_ERROR_SQLSTATE
SELECT spqtree_explain('home_b', '((1,1),(2,2))', '=');
\echo :LAST_ERROR_SQLSTATE
SELECT spqtree_explain('home_b', '((1,1),(2,2))', 'no such');
\echo :LAST_ERROR_SQLSTATE
SELECT spqtree_explain('home_b', '((1,1),(2,2))', '<->');
\echo :LAST_ERROR_SQLSTATE
CREATE TABLE broken AS SELECT 0 AS zero, box '((1,1),(2,2))' AS b;
CREATE INDEX CONCURRENTLY broken_b ON broken USING spgist ((b + point(1 / zero, 1)) spqtree_box_ops);
SELECT spqtree_stats('broken_b');
\echo :LAST_ERROR_SQLSTATE
DROP TABLE broken;

-- Who may look: whoever may read the table, or the column of the key; members of
-- pg_stat_scan_tables in any case.
CREATE ROLE inspect_reader;
CREATE ROLE inspect_scanner IN ROLE pg_stat_scan_tables;
CREATE ROLE inspect_owner;
GRANT USAGE ON SCHEMA inspected TO inspect_reader, inspect_scanner, inspect_owner;
-- what the role may see
CREATE FUNCTION seen(index regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  states text[] := '{}';
  call text;
BEGIN
  FOREACH call IN ARRAY '{spqtree_stats($1),spqtree_nodes($1),"spqtree_explain($1, box ''((1,1),(2,2))'')"}'::text[] LOOP
    BEGIN
      EXECUTE format('SELECT count(*) FROM %s', call) USING index;
      states := states || 'seen'::text;
    EXCEPTION WHEN insufficient_privilege THEN
      states := states || SQLSTATE;
    END;
  END LOOP;
  RETURN array_to_string(states, ' ');
END $$;
SET ROLE inspect_reader;
SELECT spqtree_stats('many_built');
\echo :LAST_ERROR_SQLSTATE
SELECT seen('many_built');
SELECT seen('many_expression');
SET ROLE inspect_scanner;
SELECT seen('many_built'), seen('many_expression');
RESET ROLE;
GRANT SELECT (id, t) ON many TO inspect_reader;
SET ROLE inspect_reader;
SELECT seen('many_built');
RESET ROLE;
GRANT SELECT (b) ON many TO inspect_reader;
SET ROLE inspect_reader;
SELECT seen('many_built'), seen('many_include'), seen('many_expression');
-- that a row is in it tells its id
SELECT seen('many_partial');
RESET ROLE;
GRANT SELECT ON many TO inspect_reader;
SET ROLE inspect_reader;
SELECT seen('many_built'), seen('many_include'), seen('many_expression'), seen('many_partial');
RESET ROLE;
-- row security hides rows, and the index does not
ALTER TABLE many ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON many USING (id = 1);
SET ROLE inspect_reader;
SELECT spqtree_nodes('many_built');
SELECT seen('many_built');
SET row_security = off;
SELECT seen('many_built');
RESET row_security;
SET ROLE inspect_scanner;
SELECT seen('many_built');
RESET ROLE;
SELECT seen('many_built');
ALTER TABLE many OWNER TO inspect_owner;
SET ROLE inspect_owner;
SELECT seen('many_built');
RESET ROLE;
ALTER TABLE many FORCE ROW LEVEL SECURITY;
SET ROLE inspect_owner;
SELECT seen('many_built');
RESET ROLE;
SELECT pg_get_function_arguments(p), pg_get_function_result(p) FROM unnest('{spqtree_stats,spqtree_nodes,spqtree_explain}'::regproc[]) p;

DROP SCHEMA inspected CASCADE;
DROP ROLE inspect_reader, inspect_scanner, inspect_owner;
