--
-- Indexes in three dimensions: check, statistics, nodes.
--
SET statement_timeout = '5min';

CREATE TABLE solid_seen (id int, b box3, p point3);
INSERT INTO solid_seen
SELECT i, CASE WHEN i % 50 <> 3 THEN box3(point3(x, y, z), point3(x + w, y + w / 2, z + w / 3)) END, point3(x, y, z)
FROM generate_series(1, 5000) i,
     LATERAL (SELECT tst.rnd(170, i, 1) * 100 AS x, tst.rnd(170, i, 2) * 100 AS y, tst.rnd(170, i, 3) * 20 + 1000 AS z, tst.rnd(170, i, 4) ^ 4 * 20 AS w) v;
CREATE INDEX solid_seen_b ON solid_seen USING spqtree (b) INCLUDE (id);
CREATE INDEX solid_seen_p ON solid_seen USING spqtree (p);
CREATE INDEX solid_seen_empty ON solid_seen USING spqtree (b) WHERE id < 0;
INSERT INTO solid_seen VALUES (5001, box3(point3('NaN', 0, 1), point3(1, 1, 2)), point3('NaN', 1, 2)), (5002, box3(point3('-Infinity', 0, 1), point3(1, 'Infinity', 2)), point3(1, 'Infinity', 2));
DELETE FROM solid_seen WHERE id % 7 = 0;
VACUUM ANALYZE solid_seen;

SELECT c.* FROM unnest('{solid_seen_b,solid_seen_p,solid_seen_empty}'::regclass[]) i, spqtree_check(i, true) c;

-- Rows and pages, counted in two ways.
SELECT i, s.tuples = (SELECT sum(n.tuples) FROM spqtree_nodes(i) n WHERE n.kind = 'leaf') AS tuples, s.null_tuples > 0 AS nulls,
       s.inner_tuples = (SELECT count(*) FROM spqtree_nodes(i) n WHERE n.kind = 'inner') AS inner_pages, s.max_depth
FROM unnest('{solid_seen_b,solid_seen_p,solid_seen_empty}'::regclass[]) i, spqtree_stats(i) s;

-- What a node promises holds what is below it, on all three axes; there are no bounds of two.
SELECT i, count(*) > 10 AS nodes, bool_and(n.bounds IS NULL) AS "not in two", bool_and(n.bounds3 IS NOT NULL OR n.null_keys) AS "in three",
       bool_and(up.bounds3 @> n.bounds3) AS "above holds"
FROM unnest('{solid_seen_b,solid_seen_p}'::regclass[]) i, spqtree_nodes(i) n LEFT JOIN LATERAL (SELECT * FROM spqtree_nodes(i) u WHERE u.block = n.parent_block) up ON true
GROUP BY i ORDER BY i::text;
SELECT bounds, bounds3 FROM spqtree_nodes('solid_seen_empty');

-- The third axis is that of the boxes.
CREATE TABLE solid_seen_few (b box3);
CREATE INDEX solid_seen_few_b ON solid_seen_few USING spqtree (b);
INSERT INTO solid_seen_few VALUES (box3(point3(1, 2, 3), point3(4, 5, 6))), (box3(point3(2, 3, -7), point3(3, 4, 1)));
SELECT kind, bounds3, tuples FROM spqtree_nodes('solid_seen_few_b') WHERE NOT null_keys;

-- What a scan finds is what the operator says, whichever it is.
CREATE TABLE solid_seen_kept AS SELECT b, p FROM solid_seen;
CREATE INDEX solid_seen_kept_b ON solid_seen_kept USING spqtree (b);
CREATE INDEX solid_seen_kept_p ON solid_seen_kept USING spqtree (p);
CREATE FUNCTION pg_temp.counted(col text, op text, query box3) RETURNS bigint LANGUAGE plpgsql
SET enable_indexscan = off SET enable_bitmapscan = off SET enable_indexonlyscan = off AS $$
DECLARE n bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM solid_seen_kept WHERE %I %s $1', col, op) INTO n USING query;
  RETURN n;
END $$;
SELECT q, count(*) AS operators, count(*) FILTER (WHERE e.rows > 0) AS "with rows",
       string_agg(op, ' ') FILTER (WHERE e.rows <> pg_temp.counted('b', op, q)) AS different
FROM unnest('{&&,@>,<@,~=,<<,&<,&>,>>,<<|,&<|,|&>,|>>,<</,&</,/>>,/&>}'::text[]) op,
     unnest('{"(60,60,1012),(20,20,1004)","(NaN,1,2),(0,0,0)"}'::box3[]) q, spqtree_explain3('solid_seen_kept_b', q, op) e
GROUP BY q ORDER BY q;
SELECT e.rows = pg_temp.counted('p', '<@', '(60,60,1012),(20,20,1004)') AS same, e.rows > 0 AS some, e.leaf_chains + e.inner_tuples = e.pages AS pages
FROM spqtree_explain3('solid_seen_kept_p', '(60,60,1012),(20,20,1004)', '<@') e;

-- A window between which and the boxes only the third axis tells.
SELECT e.rows, e.leaf_chains < s.leaf_chains AS "a part" FROM spqtree_explain3('solid_seen_b', '(100,100,3000),(0,0,2000)') e, spqtree_stats('solid_seen_b') s;
SELECT * FROM spqtree_explain3('solid_seen_empty', '(1,1,1),(0,0,0)');
SELECT spqtree_explain3('solid_seen_b', '(1,1,1),(0,0,0)', '=');
SELECT spqtree_explain3('solid_seen_p', '(1,1,1),(0,0,0)');
SELECT spqtree_explain3('solid_seen_b', NULL) IS NULL AS "null";

-- Queries of the others are boxes of two dimensions.
SELECT spqtree_explain('solid_seen_b', '((0,0),(1,1))');
SELECT spqtree_explain('solid_seen_p', '((0,0),(1,1))', '<@');

CREATE TABLE solid_seen_flat AS SELECT box(point(1, 2), point(4, 5)) AS b;
CREATE INDEX solid_seen_flat_b ON solid_seen_flat USING spqtree (b);
SELECT spqtree_explain3('solid_seen_flat_b', '(1,1,1),(0,0,0)');

DROP TABLE solid_seen, solid_seen_few, solid_seen_flat, solid_seen_kept;
