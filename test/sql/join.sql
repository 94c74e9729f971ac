--
-- The spatial join: the pairs of the nested loop on real data, and all the ways
-- in which the functions can be called.
--
SET jit = off;
CREATE TABLE join_csv (x1 float8, y1 float8, x2 float8, y2 float8, id int);
\copy join_csv FROM PROGRAM 'gzip -dc "$PG_ABS_SRCDIR/../data/us_counties.csv.gz" | awk "NR % 9 == 1"' (FORMAT csv, HEADER)
CREATE TABLE join_counties AS SELECT id, box(point(x1, y1), point(x2, y2)) AS b FROM join_csv;
TRUNCATE join_csv;
\copy join_csv FROM PROGRAM 'gzip -dc "$PG_ABS_SRCDIR/../data/world_country_parts.csv.gz" | awk "NR % 9 == 1"' (FORMAT csv, HEADER)
CREATE TABLE join_countries AS SELECT id, box(point(x1, y1), point(x2, y2)) AS b FROM join_csv;
TRUNCATE join_csv;
\copy join_csv FROM PROGRAM 'gzip -dc "$PG_ABS_SRCDIR/data/roads_first_600.csv.gz"' (FORMAT csv, HEADER)
CREATE TABLE join_roads AS SELECT id, box(point(x1, y1), point(x2, y2)) AS b FROM join_csv;
TRUNCATE join_csv;
\copy join_csv FROM PROGRAM 'gzip -dc "$PG_ABS_SRCDIR/data/buildings_first_500.csv.gz"' (FORMAT csv, HEADER)
CREATE TABLE join_buildings AS SELECT id, box(point(x1, y1), point(x2, y2)) AS b FROM join_csv;
-- the same box on both sides, by chance rare
INSERT INTO join_buildings SELECT -id, b FROM join_roads WHERE id % 10 = 0;
INSERT INTO join_countries SELECT -id, b FROM join_counties WHERE id % 10 = 0;
ANALYZE join_counties, join_countries, join_roads, join_buildings;

-- The nested loop.  What is farther apart than any distance asked for is left out.
CREATE FUNCTION join_apart(a box, b box) RETURNS float8 IMMUTABLE LANGUAGE sql
RETURN point(0, 0) <-> point(greatest((a[1])[0] - (b[0])[0], (b[1])[0] - (a[0])[0], 0),
                             greatest((a[1])[1] - (b[0])[1], (b[1])[1] - (a[0])[1], 0));
CREATE TABLE join_near AS
SELECT l.tableoid::regclass AS l, r.tableoid::regclass AS r, l.id AS lid, r.id AS rid, l.b AS lb, r.b AS rb, join_apart(l.b, r.b) AS apart
FROM join_counties l CROSS JOIN join_countries r WHERE l.b && r.b OR join_apart(l.b, r.b) < 3
UNION ALL
SELECT l.tableoid, r.tableoid, l.id, r.id, l.b, r.b, join_apart(l.b, r.b)
FROM join_roads l CROSS JOIN join_buildings r WHERE l.b && r.b OR join_apart(l.b, r.b) < 300
UNION ALL
SELECT l.tableoid, r.tableoid, l.id, r.id, l.b, r.b, join_apart(l.b, r.b)
FROM join_counties l JOIN join_counties r ON r.id > l.id WHERE l.b && r.b OR join_apart(l.b, r.b) < 3
UNION ALL
SELECT l.tableoid, r.tableoid, l.id, r.id, l.b, r.b, join_apart(l.b, r.b)
FROM join_roads l JOIN join_roads r ON r.id > l.id WHERE l.b && r.b OR join_apart(l.b, r.b) < 300;

-- The pairs of the nested loop, how many the join lacks, and how many it has too many.
CREATE FUNCTION join_compare(l regclass, r regclass, predicate text, distance float8, size float8 DEFAULT NULL,
                             OUT pairs bigint, OUT lost bigint, OUT made_up bigint) LANGUAGE plpgsql AS $$
DECLARE
  -- pairs of a table with itself are there in one direction only
  truth text := format('SELECT lid, rid FROM join_near WHERE l = %s AND r = %s AND (lb %s rb%s)', l::oid, r::oid, predicate,
                       coalesce(' OR apart <= ' || distance, ''));
  joined text := CASE WHEN l = r THEN format('SELECT * FROM spqtree_self_join(%L, %L, %L)', 'TABLE ' || l, distance, size)
                      ELSE format('SELECT * FROM spqtree_join(%L, %L, %L, %L, %L)', 'TABLE ' || l, 'TABLE ' || r, predicate, distance, size) END;
BEGIN
  EXECUTE 'SELECT count(*) FROM (' || truth || ') t' INTO pairs;
  EXECUTE format('SELECT count(*) FROM (%s EXCEPT ALL %s) t', truth, joined) INTO lost;
  EXECUTE format('SELECT count(*) FROM (%s EXCEPT ALL %s) t', joined, truth) INTO made_up;
END $$;

SELECT l, r, predicate, distance, pairs, lost, made_up
FROM (VALUES ('join_counties'::regclass, 'join_countries'::regclass), ('join_roads', 'join_buildings')) t(l, r),
     (VALUES ('&&', NULL::float8), ('@>', NULL), ('<@', NULL), ('~=', NULL), ('&&', 1e-9), ('&&', 0.1), ('&&', 2.5), ('&&', 250)) v(predicate, distance),
     LATERAL join_compare(l, r, predicate, distance)
WHERE distance < 3 IS NOT FALSE OR l = 'join_roads'::regclass;
SELECT l, distance, pairs, lost, made_up
FROM unnest('{join_counties,join_roads}'::regclass[]) l, unnest('{NULL,1e-9,0.1,2.5,250}'::float8[]) distance, LATERAL join_compare(l, l, '&&', distance)
WHERE distance < 3 IS NOT FALSE OR l = 'join_roads'::regclass;
-- cells of any size
SELECT size, sum(pairs) AS pairs, sum(lost) AS lost, sum(made_up) AS made_up
FROM unnest('{1e-300,1e-9,0.01,7,1e5,1e300}'::float8[]) size,
     (VALUES ('join_counties'::regclass, 'join_countries'::regclass), ('join_roads', 'join_buildings'), ('join_roads', 'join_roads')) t(l, r),
     LATERAL join_compare(l, r, '&&', 1, size)
GROUP BY size ORDER BY size;
-- no memory to speak of
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT l, r, predicate, distance, pairs, lost, made_up
FROM (VALUES ('join_counties'::regclass, 'join_countries'::regclass), ('join_roads', 'join_buildings'), ('join_roads', 'join_roads')) t(l, r),
     (VALUES ('&&', NULL::float8), ('@>', NULL), ('<@', NULL), ('~=', NULL), ('&&', 2.5)) v(predicate, distance),
     LATERAL join_compare(l, r, predicate, distance)
WHERE l <> r OR predicate = '&&';
RESET work_mem;
RESET hash_mem_multiplier;
DROP TABLE join_near, join_csv;

-- Distances that are whole numbers, so that "at most" can be told from "less".
-- Corner from corner it is 3, 4 and so 5.
SELECT distance, array_agg(right_id ORDER BY right_id) AS ids
FROM (VALUES (NULL::float8), (1), (3), (4), (4.999999), (5), (1e300)) d(distance),
     LATERAL spqtree_join($$SELECT 1, box '(0,0),(10,10)'$$,
                          $$VALUES (1, box '(10,10),(12,12)'), (2, '(13,0),(15,9)'), (3, '(13,14),(20,20)'), (4, '(-4,2),(-4,3)'),
                                   (5, '(-3,-4),(-3,-4)'), (6, '(0,10.0000009),(0,11)'), (7, '(0,10.0000011),(0,11)'),
                                   (8, '(inf,0),(inf,inf)'), (9, '(-inf,0),(inf,0)'), (10, '(NaN,0),(0,0)')$$, '&&', distance)
GROUP BY 1 ORDER BY 1 NULLS FIRST;

-- A distance between boxes that && finds takes none of them away.
SELECT count(*) FROM spqtree_join($$SELECT 1, box '(0,0),(1,1)'$$, $$SELECT 1, box '(1.0000005,0),(2,2)'$$, '&&', 1e-300);

-- Boxes that are infinite together are not apart: inf - inf is no distance.
SELECT * FROM spqtree_join($$VALUES (1, box '(inf,0),(inf,1)'), (2, '(inf,inf),(inf,inf)'), (3, '(-inf,0),(-inf,1)')$$,
                           $$VALUES (1, box '(inf,3),(inf,4)'), (2, '(-inf,-inf),(inf,inf)'), (3, '(-inf,2),(5,2)')$$, '&&', 2) ORDER BY 1, 2;
SELECT * FROM spqtree_self_join($$VALUES (1, box '(inf,0),(inf,1)'), (2, '(inf,3),(inf,4)'), (3, '(-inf,2),(-inf,2)'), (4, '(NaN,NaN),(NaN,NaN)')$$, 2);

-- NaN matches nothing, but is the same as NaN.
SELECT predicate, (SELECT count(*) FROM spqtree_join(q, q, predicate))
FROM unnest('{&&,@>,<@,~=}'::text[]) predicate, (VALUES ($$VALUES (1, box '(NaN,0),(1,1)'), (2, '(NaN,NaN),(NaN,NaN)')$$)) v(q);

-- The direction of a predicate is left to right, whichever side is the smaller.
SELECT predicate, few, count(*), min(left_id), max(left_id), min(right_id), max(right_id)
FROM unnest('{@>,<@}'::text[]) predicate, unnest('{left,right}'::text[]) few,
     LATERAL spqtree_join(format($$SELECT i, box %L FROM generate_series(1, %s) i$$,
                                 CASE predicate WHEN '@>' THEN '(0,0),(9,9)' ELSE '(2,2),(3,3)' END, CASE few WHEN 'left' THEN 3 ELSE 30 END),
                          format($$SELECT 100 + i, box %L FROM generate_series(1, %s) i$$,
                                 CASE predicate WHEN '@>' THEN '(2,2),(3,3)' ELSE '(0,0),(9,9)' END, CASE few WHEN 'left' THEN 30 ELSE 3 END), predicate)
GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(*) FROM spqtree_join($$SELECT 1, box '(0,0),(9,9)'$$, $$SELECT 1, box '(2,2),(3,3)'$$, '<@');
SELECT count(*) FROM spqtree_join($$SELECT 1, box '(2,2),(3,3)'$$, $$SELECT 1, box '(0,0),(9,9)'$$, '@>');

-- Each pair of rows once, where ids repeat, too.
SELECT left_id, right_id, count(*) FROM spqtree_join($$SELECT i / 2, box '(0,0),(1,1)' FROM generate_series(2, 5) i$$,
                                                     $$SELECT 7, box '(1,1),(2,2)' FROM generate_series(1, 3)$$) GROUP BY 1, 2 ORDER BY 1, 2;
SELECT id1, id2, count(*) FROM spqtree_self_join($$SELECT i / 2, box '(0,0),(1,1)' FROM generate_series(2, 7) i$$) GROUP BY 1, 2 ORDER BY 1, 2;
-- the smaller id first; a row not with itself
SELECT count(*), bool_and(id1 <= id2) AS ordered, count(*) FILTER (WHERE id1 = id2) AS same
FROM spqtree_self_join($$SELECT (i * 7919) % 1000 - 500, box(point(i, 0), point(i + 5, 0)) FROM generate_series(0, 999) i$$);
SELECT * FROM spqtree_self_join($$SELECT 1, box '(0,0),(1,1)'$$);
-- ids at the ends of what there is
SELECT * FROM spqtree_join($$VALUES (9223372036854775807, box '(0,0),(0,0)'), (-9223372036854775808, '(0,0),(0,0)')$$,
                           $$VALUES (32767::int2, box '(0,0),(0,0)'), ((-32768)::int2, '(0,0),(0,0)')$$) ORDER BY 1, 2;
SELECT * FROM spqtree_self_join($$VALUES (9223372036854775807, box '(0,0),(0,0)'), (-9223372036854775808, '(0,0),(0,0)')$$);
SELECT * FROM spqtree_self_join($$VALUES (2147483647, box '(0,0),(0,0)'), (-2147483648, '(0,0),(0,0)')$$);

--
-- Anything that can be read can be joined.
--
CREATE TABLE join_a (id int PRIMARY KEY, b box, kind text);
INSERT INTO join_a SELECT i, box(point(i * 10, 0), point(i * 10 + 5, 5)), CASE i % 2 WHEN 0 THEN 'even' ELSE 'odd' END FROM generate_series(1, 6) i;
CREATE TABLE join_p (id bigint, b box) PARTITION BY RANGE (id);
CREATE TABLE join_p1 PARTITION OF join_p FOR VALUES FROM (0) TO (4);
CREATE TABLE join_p2 (b box, id bigint);  -- columns in another order
ALTER TABLE join_p ATTACH PARTITION join_p2 FOR VALUES FROM (4) TO (100);
INSERT INTO join_p SELECT i, box(point(i * 10 + 4, 4), point(i * 10 + 11, 11)) FROM generate_series(1, 6) i;
CREATE VIEW join_v AS SELECT id, b FROM join_a WHERE kind = 'even';
CREATE MATERIALIZED VIEW join_m AS SELECT * FROM join_p WHERE id > 2;
CREATE TEMPORARY TABLE join_t AS SELECT id::int2 AS id, b FROM join_a WHERE id < 4;
CREATE DOMAIN join_positive AS int CHECK (VALUE > 0);
CREATE DOMAIN join_more_positive AS join_positive;
CREATE DOMAIN join_area AS box;
CREATE FUNCTION join_f(int) RETURNS TABLE (id int, b box) STABLE LANGUAGE sql AS 'SELECT id, b FROM join_a WHERE id >= $1';

-- what it gives, as one line
CREATE FUNCTION join_pairs(l text, r text) RETURNS text LANGUAGE sql AS
$$ SELECT string_agg(left_id || '-' || right_id, ' ' ORDER BY left_id, right_id) FROM spqtree_join(l, r) $$;

SELECT what, join_pairs(l, 'TABLE join_p') AS pairs, join_pairs('TABLE join_p', l) AS swapped
FROM (VALUES
  ('table', 'SELECT id, b FROM join_a'),
  ('filter', 'SELECT id, b FROM join_a WHERE id BETWEEN 2 AND 3'),
  ('nothing', 'SELECT id, b FROM join_a WHERE false'),
  ('no rows', 'SELECT id, b FROM join_a WHERE id > 100'),
  ('join', 'SELECT a.id, c.b FROM join_a a JOIN join_a c ON c.id = a.id + 1'),
  ('partitioned', 'SELECT id, b FROM join_p'),
  ('partition', 'SELECT id, b FROM join_p2'),
  ('view', 'SELECT id, b FROM join_v'),
  ('materialized view', 'TABLE join_m'),
  ('temporary', 'TABLE join_t'),
  ('CTE', 'WITH x AS (SELECT id, b FROM join_a WHERE id < 3) SELECT x.id, x.b FROM x'),
  ('recursive', 'WITH RECURSIVE x AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM x WHERE id < 3) SELECT id, box(point(id * 10, 0), point(id * 10 + 9, 9)) FROM x'),
  ('VALUES', 'VALUES (1, box ''(10,0),(15,5)''), (2, ''(20,0),(25,5)'')'),
  ('aggregate', 'SELECT count(*), box(min(b[1]::text)::point, max(b[0]::text)::point) FROM join_a GROUP BY kind HAVING kind = ''even'''),
  ('function', 'SELECT * FROM join_f(5)'),
  ('generate_series', 'SELECT i, box(point(i * 10, 0), point(i * 10 + 5, 5)) FROM generate_series(1, 2) i'),
  ('UNION', 'SELECT 1, b FROM join_a WHERE id = 1 UNION ALL SELECT 2, b FROM join_a WHERE id = 2'),
  ('ORDER BY LIMIT', 'SELECT id, b FROM join_a ORDER BY id DESC LIMIT 2'),
  ('window', 'SELECT row_number() OVER (ORDER BY id DESC), b FROM join_a'),
  ('smallint', 'SELECT id::smallint, b FROM join_a'),
  ('bigint', 'SELECT id::bigint + 10000000000, b FROM join_a WHERE id < 3'),
  ('domains', 'SELECT id::join_more_positive, b::join_area FROM join_a WHERE id < 3'),
  ('NULL boxes', 'SELECT id, CASE WHEN id <> 2 THEN b END FROM join_a WHERE id < 4'),
  ('only NULL boxes', 'SELECT NULL::int, NULL::box FROM join_a'),
  ('sublinks', 'SELECT id, (SELECT b FROM join_a x WHERE x.id = a.id) FROM join_a a WHERE id IN (SELECT max(id) FROM join_a)'),
  ('parentheses', '((SELECT id, b FROM join_a WHERE id = 1))'),
  ('semicolon', ' SELECT id, b FROM join_a WHERE id = 1; ; -- a comment'),
  ('spatial join', 'SELECT left_id, a.b FROM spqtree_join(''TABLE join_p'', ''SELECT id, b FROM join_a'') JOIN join_a a ON a.id = left_id'),
  ('spatial self join', 'SELECT a.id, a.b FROM spqtree_self_join(''SELECT id, b FROM join_a'', 5) JOIN join_a a ON a.id = id1')) v(what, l);

-- Toasted, compressed and short text is text.
SELECT count(*) FROM spqtree_self_join((SELECT 'SELECT id, b FROM join_a' || repeat(' ', 1000000)), 5);

-- Arguments from columns, by name, and no rows where an argument is no query's.
SELECT kind, left_id, right_id
FROM (SELECT DISTINCT kind FROM join_a) k,
     LATERAL spqtree_join(format('SELECT id, b FROM join_a WHERE kind = %L', kind), right_query => 'TABLE join_p')
ORDER BY 1, 2, 3;
SELECT d, (SELECT count(*) FROM spqtree_self_join(query => 'SELECT id, b FROM join_a', distance => d, cell_size => d / 2)) FROM unnest('{4.5,5,15}'::float8[]) d;
-- in the target list
SELECT spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') AS pair ORDER BY 1 LIMIT 3;
SELECT (spqtree_join('TABLE join_t', 'TABLE join_p')).*, generate_series(1, 2) ORDER BY 1, 2, 3;
-- under everything that keeps rows
SELECT DISTINCT left_id % 2 FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') ORDER BY 1;
SELECT l.*, r.* FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') l
FULL JOIN spqtree_join('TABLE join_p', 'SELECT id, b FROM join_a') r ON l.left_id = r.right_id AND l.right_id = r.left_id ORDER BY 1, 2 LIMIT 3;
SELECT count(*), max(n) FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') WITH ORDINALITY AS j(l, r, n);

-- Inlined: pairs come from a ProjectSet, as they are wanted.
EXPLAIN (COSTS OFF) SELECT * FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p', '@>');
EXPLAIN (COSTS OFF) SELECT * FROM spqtree_self_join('SELECT id, b FROM join_a', 5);
CREATE FUNCTION join_plan(query text, node text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  line text;
  hit boolean := false;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP hit := hit OR line ~ node; END LOOP;
  RETURN hit;
END $$;
SELECT join_plan(q, 'ProjectSet') AS inlined, join_plan(q, 'Function Scan') AS "not inlined"
FROM (VALUES ($$SELECT a.id FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') JOIN join_a a ON a.id = left_id LIMIT 1$$),
             ($$SELECT * FROM join_a, spqtree_join(kind, kind, kind, id, id + 1)$$),
             ($$SELECT * FROM join_a, spqtree_self_join(kind, distance => id)$$)) v(q);

-- LIMIT stops the join: of ten thousand million pairs the first few do not take long.
SET statement_timeout = '20s';
SELECT * FROM spqtree_join($$SELECT 1, box '(0,0),(1,1)' FROM generate_series(1, 100000)$$, $$SELECT 2, box '(0,0),(1,1)' FROM generate_series(1, 100000)$$) LIMIT 2;
SELECT * FROM spqtree_self_join($$SELECT 1, box '(0,0),(1,1)' FROM generate_series(1, 100000)$$) LIMIT 2;
SELECT EXISTS (SELECT FROM spqtree_join($$SELECT 1, box '(0,0),(1,1)' FROM generate_series(1, 100000)$$, $$SELECT 2, box '(0,0),(1,1)' FROM generate_series(1, 100000)$$));
RESET statement_timeout;
-- the side that is not built is read no further than it has to be
CREATE SEQUENCE join_read;
SELECT * FROM spqtree_join($$SELECT 1, box '(0,0),(1,1)'$$, $$SELECT nextval('join_read'), box '(0,0),(1,1)' FROM generate_series(1, 100000)$$) LIMIT 1;
SELECT last_value < 10000 AS few FROM join_read;
-- nor at all if there is nothing that it could meet
SELECT setval('join_read', 1, false);
SELECT * FROM spqtree_join($$SELECT 1, box '(0,0),(1,1)' WHERE false$$, $$SELECT nextval('join_read'), box '(0,0),(1,1)' FROM generate_series(1, 100000)$$);
SELECT is_called FROM join_read;

-- A rescan begins again: the inner side of a nested loop, also after a LIMIT.
SET enable_material = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT join_plan($$SELECT count(*) FROM generate_series(1, 3) i LEFT JOIN spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') ON right_id <> i$$, 'Materialize|Hash|Merge') AS once;
SELECT i, count(*) FROM generate_series(1, 3) i LEFT JOIN spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') ON right_id <> i GROUP BY 1 ORDER BY 1;
SELECT i, (SELECT count(*) FROM (SELECT FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') WHERE left_id >= i LIMIT 3) s) FROM generate_series(1, 6) i;
RESET enable_material;
RESET enable_hashjoin;
RESET enable_mergejoin;

--
-- Transactions, cursors, procedures
--
-- Rows of the same transaction are seen, those of the same statement are not.
BEGIN;
INSERT INTO join_a VALUES (7, '(70,0),(75,5)', 'odd');
SELECT join_pairs('SELECT id, b FROM join_a', 'SELECT id, b FROM join_a WHERE id > 5');
SAVEPOINT s;
DELETE FROM join_a WHERE id = 6;
SELECT join_pairs('SELECT id, b FROM join_a', 'SELECT id, b FROM join_a WHERE id > 5');
ROLLBACK TO s;
SELECT join_pairs('SELECT id, b FROM join_a', 'SELECT id, b FROM join_a WHERE id > 5');
INSERT INTO join_a SELECT 100 + left_id, '(70,0),(75,5)', 'new' FROM spqtree_join('SELECT id, b FROM join_a', 'SELECT id, b FROM join_a');
SELECT count(*) FROM join_a WHERE kind = 'new';
ROLLBACK;
WITH x AS (DELETE FROM join_p2 WHERE id = 6 RETURNING id), y AS (INSERT INTO join_p2 SELECT b, id FROM join_p2 WHERE id = 6)
SELECT count(*) AS "as before" FROM spqtree_join('TABLE join_p', 'TABLE join_p', '~=');

-- The function is STABLE: called in a STABLE function it sees what that sees, the
-- snapshot of the calling query; in a VOLATILE one, what has happened since.
CREATE FUNCTION join_add(int) RETURNS int LANGUAGE sql AS $$ INSERT INTO join_a VALUES ($1, '(1000,0),(1001,1)', 'added') RETURNING id $$;
CREATE FUNCTION join_count_stable() RETURNS bigint STABLE LANGUAGE plpgsql AS
$$ BEGIN RETURN (SELECT count(*) FROM spqtree_self_join($q$SELECT id, b FROM join_a WHERE kind = 'added'$q$)); END $$;
CREATE FUNCTION join_count_volatile() RETURNS bigint LANGUAGE plpgsql AS
$$ BEGIN RETURN (SELECT count(*) FROM spqtree_self_join($q$SELECT id, b FROM join_a WHERE kind = 'added'$q$)); END $$;
BEGIN;
SELECT join_add(100 + i), join_count_stable(), join_count_volatile() FROM generate_series(1, 4) i;
SELECT join_count_stable(), join_count_volatile();
ROLLBACK;

-- A cursor in pieces, with other work in between.  It shows what was there when
-- it was opened, from the first row to the last.
CREATE TABLE join_got (l bigint, r bigint);
CREATE FUNCTION join_fetch(c refcursor, n int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  pair record;
BEGIN
  FOR i IN 1 .. n LOOP
    FETCH c INTO pair;
    IF NOT FOUND THEN RETURN i - 1; END IF;
    INSERT INTO join_got VALUES (pair.left_id, pair.right_id);
  END LOOP;
  RETURN n;
END $$;
CREATE TABLE join_many_rows AS SELECT i AS id, box(point(i, 0), point(i + 2, 0)) AS b FROM generate_series(1, 6000) i;
BEGIN;
DECLARE c CURSOR FOR SELECT * FROM spqtree_join('TABLE join_many_rows', 'TABLE join_many_rows');
SELECT join_fetch('c', 100);
DELETE FROM join_many_rows WHERE id % 2 = 0;
SELECT join_fetch('c', 5000);
SAVEPOINT s;
UPDATE join_many_rows SET b = '(0,0),(0,0)';
SELECT join_fetch('c', 3000);
SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM join_many_rows WHERE id < 100');
RELEASE s;
SAVEPOINT s;
SELECT join_fetch('c', 200);
SELECT 1 / 0;
ROLLBACK TO s;
SELECT count(*) FROM join_got;
SELECT join_fetch('c', 100000);
SELECT join_fetch('c', 10);
SELECT count(*), count(DISTINCT (l, r)), count(*) FILTER (WHERE abs(l - r) > 2) FROM join_got;
ROLLBACK;

-- An error in the midst of a FETCH ends the cursor, but not the transaction.
BEGIN;
DECLARE c CURSOR FOR SELECT * FROM spqtree_join($$SELECT 1, box '(0,0),(1,1)'$$, $$SELECT i / (5000 - i), box '(0,0),(1,1)' FROM generate_series(1, 10000) i$$);
FETCH 1 FROM c;
SAVEPOINT s;
\set VERBOSITY terse
MOVE ALL FROM c;
ROLLBACK TO s;
FETCH 1 FROM c;
\set VERBOSITY default
ROLLBACK TO s;
SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM join_many_rows');
COMMIT;

-- Opened in a savepoint that is rolled back; closed early; left open at the end.
BEGIN;
SAVEPOINT s;
DECLARE c CURSOR FOR SELECT * FROM spqtree_self_join('TABLE join_many_rows');
MOVE 3000 FROM c;
ROLLBACK TO s;
DECLARE c CURSOR FOR SELECT * FROM spqtree_self_join('TABLE join_many_rows');
MOVE 3000 FROM c;
CLOSE c;
DECLARE c CURSOR FOR SELECT * FROM spqtree_join('TABLE join_many_rows', 'TABLE join_many_rows', distance => 10);
MOVE 3000 FROM c;
COMMIT;

-- WITH HOLD, and forwards and backwards.
BEGIN;
DECLARE h CURSOR WITH HOLD FOR SELECT * FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') ORDER BY 1, 2;
FETCH 2 FROM h;
DELETE FROM join_a;
SAVEPOINT s;
DELETE FROM join_p;
ROLLBACK TO s;
COMMIT;
FETCH 2 FROM h;
FETCH ABSOLUTE 1 FROM h;
FETCH LAST FROM h;
CLOSE h;
INSERT INTO join_a SELECT i, box(point(i * 10, 0), point(i * 10 + 5, 5)), CASE i % 2 WHEN 0 THEN 'even' ELSE 'odd' END FROM generate_series(1, 6) i;
BEGIN;
DECLARE h CURSOR WITH HOLD FOR SELECT * FROM spqtree_self_join('TABLE join_many_rows', 3);
MOVE 1000 FROM h;
COMMIT;
DROP TABLE join_got;
MOVE ALL FROM h;
CLOSE h;

-- Loops that are left early, that catch errors, that commit; a loop in a loop.
CREATE PROCEDURE join_loops() LANGUAGE plpgsql AS $$
DECLARE
  pair record;
  other record;
  n int := 0;
  caught int := 0;
BEGIN
  FOR pair IN SELECT * FROM spqtree_self_join('TABLE join_many_rows') LOOP
    n := n + 1;
    EXIT WHEN n = 500;
  END LOOP;
  n := 0;
  FOR pair IN SELECT * FROM spqtree_self_join('SELECT id, b FROM join_many_rows WHERE id <= 1000') LOOP
    BEGIN
      n := n + 1 / (pair.id1 % 10);
    EXCEPTION WHEN division_by_zero THEN
      caught := caught + 1;
    END;
  END LOOP;
  RAISE NOTICE 'n %, caught %', n, caught;
  n := 0;
  FOR pair IN SELECT * FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') LOOP
    FOR other IN SELECT * FROM spqtree_self_join(format('SELECT id, b FROM join_many_rows WHERE id <= %s', pair.left_id)) LOOP
      n := n + 1;
    END LOOP;
  END LOOP;
  RAISE NOTICE 'n %', n;
  n := 0;
  FOR pair IN SELECT * FROM spqtree_self_join('SELECT id, b FROM join_many_rows WHERE id <= 500') LOOP
    n := n + 1;
    IF n % 100 = 0 THEN COMMIT; END IF;
    IF n % 150 = 0 THEN ROLLBACK; END IF;
  END LOOP;
  RAISE NOTICE 'n %', n;
END $$;
CALL join_loops();

-- Prepared and run often, with a plan that is made once; the queries are planned
-- each time, so they may see other tables.
PREPARE join_query(text, float8) AS SELECT count(*) FROM spqtree_self_join($1, $2);
SET plan_cache_mode = force_generic_plan;
DO $$
DECLARE
  n bigint := 0;
  k bigint;
BEGIN
  FOR i IN 1 .. 300 LOOP
    EXECUTE format('EXECUTE join_query(%L, %s)', format('SELECT id, b FROM join_many_rows WHERE id <= %s', i), CASE WHEN i % 2 = 0 THEN 'NULL' ELSE '1' END) INTO k;
    n := n + k;
  END LOOP;
  RAISE NOTICE '%', n;
END $$;
EXECUTE join_query('SELECT id, b FROM join_a', NULL);
ALTER TABLE join_a RENAME TO join_renamed;
CREATE TABLE join_a AS SELECT 1 AS id, box '(0,0),(1,1)' AS b FROM generate_series(1, 4);
EXECUTE join_query('SELECT id, b FROM join_a', NULL);
DROP TABLE join_a;
ALTER TABLE join_renamed RENAME TO join_a;
EXECUTE join_query('SELECT id, b FROM join_a', 5);
RESET plan_cache_mode;

-- Pairs go into tables with foreign keys and triggers, which fire once for each.
CREATE TABLE join_links (a int REFERENCES join_a, l bigint, r bigint);
CREATE FUNCTION join_tell() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE NOTICE '% rows, % in the table', (SELECT count(*) FROM new_rows), (SELECT count(*) FROM join_links); RETURN NULL; END $$;
CREATE TRIGGER tell AFTER INSERT ON join_links REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION join_tell();
INSERT INTO join_links SELECT left_id, left_id, right_id FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p');
\set VERBOSITY sqlstate
INSERT INTO join_links SELECT left_id + 1, left_id, right_id FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p');
\set VERBOSITY default
SELECT count(*) FROM join_links;
-- a query that calls a function which writes
CREATE FUNCTION join_writes(i int) RETURNS int LANGUAGE sql AS 'INSERT INTO join_links VALUES (i, 0, 0) RETURNING a';
SELECT count(*) FROM spqtree_join('SELECT join_writes(id), b FROM join_v', 'TABLE join_p');
SELECT count(*) FROM join_links WHERE l = 0;

-- Many short joins in one session, in one transaction.
DO $$
BEGIN
  FOR i IN 1 .. 1000 LOOP
    PERFORM FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p') LIMIT i % 4;
  END LOOP;
END $$;

--
-- What the catalog says
--
SELECT p.oid::regprocedure AS function, provolatile, proparallel, proisstrict, proretset, prosecdef, l.lanname, pg_get_function_result(p.oid) AS result,
       obj_description(p.oid, 'pg_proc') <> '' AS comment
FROM pg_proc p JOIN pg_language l ON l.oid = prolang
WHERE proname ~ '^_?spqtree_.*join' ORDER BY proname COLLATE "C";

-- No search path leads the functions astray.
CREATE SCHEMA join_evil;
CREATE FUNCTION join_evil.no(box, box) RETURNS boolean LANGUAGE sql AS 'SELECT false';
CREATE OPERATOR join_evil.&& (LEFTARG = box, RIGHTARG = box, FUNCTION = join_evil.no);
CREATE FUNCTION join_evil._spqtree_join_pairs(text, text, text, float8, float8, OUT left_id bigint, OUT right_id bigint) RETURNS SETOF record
LANGUAGE sql AS 'SELECT 666::bigint, 666::bigint';
CREATE FUNCTION join_evil._spqtree_self_join_pairs(text, float8, float8, OUT id1 bigint, OUT id2 bigint) RETURNS SETOF record
LANGUAGE sql AS 'SELECT 666::bigint, 666::bigint';
CREATE FUNCTION join_evil.max(bigint, bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 666::bigint';
CREATE TYPE join_evil.box AS (x int);
CREATE TYPE join_evil.bigint AS (x int);
CREATE TYPE join_evil.text AS (x int);
SELECT join_pairs('SELECT id, b FROM join_a', 'TABLE join_p') AS before;
SET search_path = join_evil, public, pg_catalog;
SELECT count(*) FILTER (WHERE b && b) AS "&& is evil" FROM join_a;
SELECT string_agg(left_id || '-' || right_id, ' ' ORDER BY left_id, right_id) AS after FROM spqtree_join('SELECT id, b FROM join_a', 'TABLE join_p');
SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM join_a', 5);
RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA join_evil CASCADE;
