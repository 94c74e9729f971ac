--
-- An index has entries of rows that nobody sees: deleted ones, those of transactions that
-- failed, those that row security hides.  No scan raises an error that only these would
-- raise: whatever the sequential scan answers, index scans answer.
--
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET extra_float_digits = 3;
SET client_min_messages = warning;
CREATE SCHEMA unseen;
SET search_path = unseen, public;

CREATE FUNCTION coordinate(tame boolean, i int, k int, numbers float8[]) RETURNS float8 IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE WHEN tame THEN tst.rndint(501, i, k, -20, 20) ELSE numbers[tst.rndint(502, i, k, 1, cardinality(numbers))] END
$$;
CREATE FUNCTION shapes(tame boolean, first int, last int, numbers float8[] DEFAULT NULL)
RETURNS TABLE (id int, p point, c circle, y polygon, s lseg, w path, b box, p3 point3, b3 box3, e sphere3, r ray3, l lseg3) STABLE LANGUAGE sql AS $$
  SELECT i, point(x1, y1), format('<(%s,%s),%s>', x1, y1, abs(CASE WHEN x2 = 'NaN' THEN 1 ELSE x2 END))::circle,
         format('(%s,%s),(%s,%s),(%s,%s)', x1, y1, x2, y2, x3, y3)::polygon, lseg(point(x1, y1), point(x2, y2)),
         format(CASE i % 2 WHEN 0 THEN '[(%s,%s),(%s,%s),(%s,%s)]' ELSE '((%s,%s),(%s,%s),(%s,%s))' END, x1, y1, x2, y2, x3, y3)::path,
         box(point(x1, y1), point(x2, y2)), point3(x1, y1, x3), box3(point3(x1, y1, x3), point3(x2, y2, y3)),
         format('<(%s,%s,%s),%s>', x1, y1, x3, CASE WHEN abs(x2) < 'Infinity' THEN abs(x2) ELSE 1 END)::sphere3,
         format('<(%s,%s,%s),(1,1e-200,%s)>', x1, y1, x3, CASE WHEN abs(y2) < 'Infinity' THEN y2 ELSE 1 END)::ray3,
         lseg3(point3(x1, y1, x3), point3(x2, y2, y3))
  FROM generate_series(first, last) i,
       LATERAL (SELECT coordinate(tame, i, 1, numbers) AS x1, coordinate(tame, i, 2, numbers) AS y1, coordinate(tame, i, 3, numbers) AS x2,
                       coordinate(tame, i, 4, numbers) AS y2, coordinate(tame, i, 5, numbers) AS x3, coordinate(tame, i, 6, numbers) AS y3) v
$$;
CREATE TABLE val WITH (autovacuum_enabled = off) AS SELECT * FROM shapes(true, 1, 60);
CREATE INDEX ON val USING spqtree (p) INCLUDE (id);
CREATE INDEX ON val USING spqtree (c);
CREATE INDEX ON val USING spqtree (y);
CREATE INDEX ON val USING spqtree (s);
CREATE INDEX ON val USING spqtree (w);
CREATE INDEX ON val USING spqtree (b) INCLUDE (id);
CREATE INDEX ON val USING spqtree (p3) INCLUDE (id);
CREATE INDEX ON val USING spqtree (b3) INCLUDE (id);
CREATE TABLE quadtree WITH (autovacuum_enabled = off) AS SELECT * FROM val;
CREATE INDEX ON quadtree USING spgist (b spqtree_box_ops) INCLUDE (id);

-- What one scan says: its answer, or the error.
CREATE FUNCTION outcome(body text, plan text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  answer text;
BEGIN
  PERFORM tst.allow(plan);
  IF NOT tst.planned(body, plan) THEN
    RETURN 'no such plan';
  END IF;
  EXECUTE body INTO answer;
  RETURN coalesce(answer, 'no row');
EXCEPTION WHEN OTHERS THEN
  RETURN SQLSTATE;
END $$;

-- All operators of the extension's classes, with a constant for each kind of query.
CREATE VIEW operator AS
SELECT tab, family, amopopr::regoperator::text AS operator, amoppurpose = 'o' AS is_order, l AS value, oprname, r AS argument, has_image
FROM (VALUES ('val', 'spqtree'), ('quadtree', 'spgist')) v(tab, method),
     LATERAL (SELECT f.opfname AS family, a.*, o.oprname,
                     '{"point":"p","circle":"c","polygon":"y","lseg":"s","path":"w","box":"b","point3":"p3","box3":"b3","sphere3":"e","ray3":"r","lseg3":"l"}'::json ->> amoplefttype::regtype::text AS l,
                     '{"point":"p","circle":"c","polygon":"y","lseg":"s","path":"w","box":"b","point3":"p3","box3":"b3","sphere3":"e","ray3":"r","lseg3":"l"}'::json ->> amoprighttype::regtype::text AS r,
                     f.opfname IN ('point_ops', 'box_ops', 'point3_ops', 'box3_ops') OR tab = 'quadtree' AS has_image
              FROM pg_amop a JOIN pg_opfamily f ON f.oid = amopfamily JOIN pg_am m ON m.oid = f.opfmethod JOIN pg_operator o ON o.oid = amopopr
              WHERE m.amname = method AND EXISTS (SELECT FROM pg_depend d JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
                                                  WHERE d.classid = 'pg_opfamily'::regclass AND d.objid = f.oid AND d.deptype = 'e' AND e.extname = 'spqtree') AND (method = 'spqtree' OR f.opfname = 'spqtree_box_ops')) a
-- the planner replaces path @> point by a function
WHERE l IS NOT NULL AND r IS NOT NULL AND amopopr <> '@>(path,point)'::regoperator;
CREATE TABLE question (id int, p point, c circle, y polygon, s lseg, w path, b box, p3 point3, b3 box3, e sphere3, r ray3, l lseg3);
CREATE TABLE result (rows text, tab text, family text, operator text, plan text, asked int, raised int, differ int, example text);
-- Compare the scans of all operators, for questions of which the sequential scan answers.
CREATE FUNCTION compare(rows_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  o record;
  argument text;
  body text;
  seq text;
  answer text;
  plan_name text;
BEGIN
  FOR o IN SELECT * FROM operator LOOP
    FOR argument IN EXECUTE format('SELECT %I::text FROM question WHERE %1$I IS NOT NULL', o.argument) LOOP
      body := format(CASE WHEN o.is_order THEN 'SELECT array_agg(d)::text || count(DISTINCT id) FROM (SELECT t.id, t.%s %s %L::%s AS d FROM %s t ORDER BY 2) s'
                          ELSE 'SELECT array_agg(t.id ORDER BY t.id)::text FROM %5$s t WHERE t.%1$s %2$s %3$L::%4$s' END,
                     o.value, o.oprname, argument,
                     '{"p":"point","c":"circle","y":"polygon","s":"lseg","w":"path","b":"box","p3":"point3","b3":"box3","e":"sphere3","r":"ray3","l":"lseg3"}'::json ->> o.argument, o.tab);
      seq := outcome(body, 'seq');
      FOREACH plan_name IN ARRAY CASE WHEN o.is_order THEN '{index}'::text[] ELSE '{index,bitmap}' END || CASE WHEN o.has_image THEN '{index only}'::text[] ELSE '{}' END LOOP
        CONTINUE WHEN seq ~ '^[0-9]{5}$';
        answer := outcome(body, plan_name);
        INSERT INTO result VALUES (rows_name, o.tab, o.family, o.operator, plan_name, 1, (answer ~ '^[0-9A-Z]{5}$')::int, (answer IS DISTINCT FROM seq)::int, CASE WHEN answer IS DISTINCT FROM seq THEN body || ': ' || left(answer, 30) END);
      END LOOP;
    END LOOP;
  END LOOP;
END $$;

-- Tame and extreme questions.
INSERT INTO question SELECT * FROM shapes(true, 101, 101);
INSERT INTO question SELECT * FROM shapes(false, 105, 108, '{0,1,-3,1e150,-1e200,1e308,-1.7e308,1e-200}');
INSERT INTO question (id, c, y, s, w) VALUES
  (125, '<(0,0),1.75e308>', '((0,0),(1e308,0),(1e308,1e308),(0,1e308))', '[(0,0),(1e308,1e308)]', '[(0,0),(1e308,1e308)]'),
  (126, '<(3,4),1e200>', '((-1e200,-1e200),(1e200,-1e200),(0,1e200))', '[(-1e200,3),(5,3)]', '((-1e200,-1e200),(1e200,-1e200),(0,1e200))'),
  (127, '<(1,1),0>', '((-5,-5),(6,-4),(1,9))', '[(-1.7e308,0),(0,0)]', '[(-1e308,0),(0,0),(0,1e308)]');

-- Rows that the same transaction has deleted: nobody knows that they are dead to all, so they stay.
BEGIN;
DO $$
DECLARE
  tab text;
BEGIN
  FOREACH tab IN ARRAY '{val,quadtree}'::text[] LOOP
    EXECUTE format('INSERT INTO %s SELECT * FROM shapes(false, 201, 290, ''{0,1,-3,1e150,-1e200,1e308,-1.7e308,1e-200}'')', tab);
    EXECUTE format('DELETE FROM %s WHERE id > 200', tab);
  END LOOP;
  PERFORM compare('large');
END $$;
-- Where there are NaN and infinities, comparisons of ends say nothing.
DO $$
DECLARE
  tab text;
BEGIN
  FOREACH tab IN ARRAY '{val,quadtree}'::text[] LOOP
    EXECUTE format('INSERT INTO %s SELECT * FROM shapes(false, 301, 390, ''{0,-5,NaN,Infinity,-Infinity,1e308,-1.7e308,1e-200}'')', tab);
    EXECUTE format('DELETE FROM %s WHERE id > 200', tab);
  END LOOP;
  PERFORM compare('NaN');
END $$;
COMMIT;
SELECT rows, tab, family, count(DISTINCT operator) AS operators, sum(asked) > 0 AS asked, sum(raised) AS raised, sum(differ) AS differ
FROM result GROUP BY rows, tab, family ORDER BY rows COLLATE "C", tab, family;
SELECT rows, operator, plan, sum(raised) AS raised, sum(differ) AS differ, min(example) AS example FROM result WHERE differ > 0
GROUP BY rows, operator, plan ORDER BY rows, operator, plan;

-- Where a row that raises the error is seen, each scan raises it, or has no need to look at the row.
-- A difference of coordinates overflows in each version; the root of the sum of two squares does not from 19 on.
CREATE TABLE far (id int, p point, b box) WITH (autovacuum_enabled = off);
CREATE INDEX ON far USING spqtree (p) INCLUDE (id);
CREATE INDEX ON far USING spqtree (b) INCLUDE (id);
INSERT INTO far VALUES (1, '(1,1)', '(2,2),(1,1)'), (2, '(1.7e308,1.7e308)', '(1.7e308,1.7e308),(-1.7e308,-1.7e308)');
SELECT condition, plan, outcome('SELECT count(*) FROM far t WHERE ' || condition, plan)
FROM unnest(ARRAY[$$p <@ circle '<(-1e308,0),Infinity>'$$, $$p <@ ANY ('{"<(-1e308,0),Infinity>","<(1,1),1>"}'::circle[])$$, $$p <@ circle '<(0,0),3>'$$, $$b ?# lseg '[(-1,-9),(5,9)]'$$]) WITH ORDINALITY AS c(condition, n),
     unnest('{seq,index,index only,bitmap}'::text[]) WITH ORDINALITY AS a(plan, i)
WHERE plan <> 'seq' OR condition <> $$p <@ circle '<(0,0),3>'$$
ORDER BY n, i;
-- In order of distance it is the last one.
SELECT plan, outcome($$SELECT array_agg(id) FROM (SELECT id FROM far t ORDER BY p <-> circle '<(-1e308,0),1>' LIMIT 1) s$$, plan) AS first,
       outcome($$SELECT array_agg(id) FROM (SELECT id, p <-> circle '<(-1e308,0),1>' AS d FROM far t ORDER BY 2) s WHERE d > 0$$, plan) AS both
FROM unnest('{index,index only}'::text[]) AS plan;

-- Rows of a transaction that failed; an array.
TRUNCATE far;
INSERT INTO far VALUES (1, '(1,1)', '(2,2),(1,1)');
CREATE PROCEDURE fail() LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO far VALUES (2, '(1.7e308,1.7e308)', '(1.7e308,1.7e308),(-1.7e308,-1.7e308)');
  RAISE division_by_zero;
EXCEPTION WHEN division_by_zero THEN NULL;
END $$;
CALL fail();
SELECT outcome($$SELECT count(*) FROM far t WHERE p <@ ANY ('{"<(-1e308,0),Infinity>","<(1,1),1>"}'::circle[])$$, 'bitmap') AS "array";
SELECT outcome($$SELECT array_agg(d) FROM (SELECT p <-> path '((0,0),(0,1),(1,0))' AS d FROM far t ORDER BY 1) s$$, 'index') AS nearest;

-- Equality of scalars that a user has written: of 13 it raises an error.
CREATE FUNCTION touchy_eq(a int, b int) RETURNS boolean IMMUTABLE STRICT LANGUAGE plpgsql AS $$
BEGIN IF a = 13 THEN RAISE EXCEPTION 'there is a 13'; END IF; RETURN a = b; END $$;
CREATE FUNCTION touchy_hash(a int, seed bigint) RETURNS bigint IMMUTABLE STRICT LANGUAGE sql RETURN 0;
CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = touchy_eq, COMMUTATOR = ===);
CREATE OPERATOR CLASS touchy_ops FOR TYPE int USING spqtree AS OPERATOR 1 ===;
CREATE OPERATOR CLASS touchy_hash_ops FOR TYPE int USING spqtree AS OPERATOR 1 ===, FUNCTION 4 touchy_hash(int, bigint);
CREATE TABLE touchy (id int, a int, b box) WITH (autovacuum_enabled = off);
INSERT INTO touchy SELECT i, i % 7, box(point(i, i), point(i + 1, i)) FROM generate_series(1, 60) i;
INSERT INTO touchy VALUES (61, NULL, '(12,13),(11,11)');
CREATE FUNCTION ask_touchy() RETURNS TABLE (opclass text, plan text, one text, any_of text, both_of text, nearest text) LANGUAGE plpgsql AS $$
BEGIN
  FOREACH opclass IN ARRAY '{touchy_ops,touchy_hash_ops}'::text[] LOOP
    EXECUTE format('CREATE INDEX touchy_b ON touchy USING spqtree (a %s, b) INCLUDE (id)', opclass);
    INSERT INTO touchy SELECT 100 + i, 13, box(point(i, i), point(i + 1, i)) FROM generate_series(10, 20) i;
    DELETE FROM touchy WHERE id > 100;
    FOREACH plan IN ARRAY '{seq,index,index only,bitmap}'::text[] LOOP
      one := outcome('SELECT array_agg(id ORDER BY id) FROM touchy t WHERE a === 3 AND b && box ''(40,40),(10,10)''', plan);
      any_of := outcome('SELECT array_agg(id ORDER BY id) FROM touchy t WHERE a === ANY (''{2,14,NULL}'') AND b && box ''(20,20),(10,10)''', plan);
      both_of := outcome('SELECT array_agg(id ORDER BY id) FROM touchy t WHERE a === 4 AND a === ANY (''{3,4}'') AND b && box ''(20,20),(10,10)''', plan);
      nearest := CASE WHEN plan LIKE 'index%' THEN outcome('SELECT array_agg(id) FROM (SELECT id FROM touchy t WHERE a === 3 ORDER BY b <-> point ''(20,22)'' LIMIT 3) s', plan) END;
      RETURN NEXT;
    END LOOP;
    DROP INDEX touchy_b;
  END LOOP;
END $$;
SELECT * FROM ask_touchy();
-- An exclusion constraint compares as the operators do.
CREATE TABLE touchy_room (a int, b box, EXCLUDE USING spqtree (a touchy_hash_ops WITH ===, b WITH &&));
INSERT INTO touchy_room VALUES (1, '(1,1),(0,0)'), (2, '(1,1),(0,0)'), (1, '(5,5),(4,4)');
INSERT INTO touchy_room VALUES (2, '(3,3),(1,1)');

-- Row security: distances are computed before the policy is asked, and conditions with operators
-- that may tell of a row after that.
CREATE ROLE regress_spqtree_unseen;
GRANT USAGE ON SCHEMA unseen, tst TO regress_spqtree_unseen;
TRUNCATE far;
INSERT INTO far SELECT i, point(i, i), box(point(i, i), point(i, i)) FROM generate_series(1, 20) i;
INSERT INTO far VALUES (-1, '(1.7e308,1.7e308)', '(1.7e308,1.7e308),(-1.7e308,-1.7e308)');
GRANT SELECT ON far TO regress_spqtree_unseen;
ALTER TABLE far ENABLE ROW LEVEL SECURITY;
CREATE POLICY positive ON far USING (id > 0);
SET ROLE regress_spqtree_unseen;
SELECT plan, outcome($$SELECT array_agg(id) FROM (SELECT id FROM far t ORDER BY p <-> circle '<(-5,3),1>') s$$, plan) AS circle,
       outcome($$SELECT array_agg(id) FROM (SELECT id FROM far t ORDER BY p <-> polygon '((-5,3),(-6,7),(-9,0))') s$$, plan) AS polygon,
       outcome($$SELECT array_agg(id) FROM (SELECT id FROM far t ORDER BY b <-> point '(-5,3)') s$$, plan) AS box
FROM unnest('{index,index only}'::text[]) AS plan;
SELECT plan, outcome($$SELECT count(*) FROM far t WHERE p <@ circle '<(-1e308,0),Infinity>'$$, plan) FROM unnest('{seq,index,bitmap}'::text[]) AS plan;
RESET ROLE;
-- Of circles the executor computes distances, before the policy is asked; so there is no such scan.
CREATE TABLE secret (id int, c circle);
CREATE INDEX ON secret USING spqtree (c);
INSERT INTO secret SELECT i, circle(point(i, i), 1) FROM generate_series(1, 20) i;
SELECT outcome($$SELECT array_agg(id) FROM (SELECT id FROM secret t ORDER BY c <-> point '(-5,3)' LIMIT 3) s$$, 'index');
INSERT INTO secret VALUES (-1, '<(1.7e308,1.7e308),1>');
GRANT SELECT ON secret TO regress_spqtree_unseen;
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY positive ON secret USING (id > 0);
SET ROLE regress_spqtree_unseen;
SELECT outcome($$SELECT array_agg(id) FROM (SELECT id FROM secret t ORDER BY c <-> point '(-5,3)' LIMIT 3) s$$, 'index');
SET enable_seqscan = off;
SET enable_sort = off;
SELECT id FROM secret ORDER BY c <-> point '(-5,3)' LIMIT 3;
SELECT count(*) FROM (SELECT id, c <-> point '(-5,3)' FROM secret ORDER BY 2) s;
RESET enable_seqscan;
RESET enable_sort;
RESET ROLE;

DROP SCHEMA unseen CASCADE;
REVOKE ALL ON SCHEMA tst FROM regress_spqtree_unseen;
DROP ROLE regress_spqtree_unseen;
