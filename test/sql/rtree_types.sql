--
-- The access method's classes for point, circle, polygon, lseg and path: every operator
-- and every order of each class, as pg_amop lists them, against the sequential
-- scan, on values that are plain, that touch, an EPSILON apart, where sums and differences round
-- differently, tiny, large, with infinities and NaN.  Paths are open and closed, of one point
-- and more; circles have radius 0 and less.
--
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '10min';
SET extra_float_digits = 3;
CREATE SCHEMA types;
SET search_path = types, public;

-- Return coordinate k of value i of a kind.
CREATE FUNCTION coordinate(kind text, i int, k int) RETURNS float8 IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE kind
    WHEN 'plain' THEN i % 7 * 10 + tst.rnd(401, i / 2, k) * 4
    WHEN 'long' THEN tst.rnd(402, i, k) * 1000
    WHEN 'grid' THEN tst.rndint(403, i, k, 0, 4)
    -- sums and differences are exactly EPSILON, slightly less, slightly more
    WHEN 'epsilon' THEN tst.rndint(404, i, k, -6, 6) * 0.5e-6
    WHEN 'epsilon far out' THEN 1e8 + tst.rndint(405, i, k, -6, 6) * 0.5e-6
    WHEN 'epsilon beside a line' THEN CASE k % 2 WHEN 1 THEN tst.rndint(406, i, k, 0, 10) * 100 ELSE tst.rndint(406, i, k, -60, 60) * 0.5e-3 END
    -- shifted by EPSILON from others, where additions and subtractions round differently
    WHEN 'rounding' THEN ('{0,0.1,0.7,-2.6,1e-300,-1e-6,33.3}'::float8[])[tst.rndint(407, i % 1000 % 40, k, 1, 7)]
                         + CASE WHEN i >= 1000 THEN ('{0,1e-6,-1e-6,1.0000000000000002e-6}'::float8[])[tst.rndint(408, i, k % 2, 1, 4)] ELSE 0 END
    WHEN 'large' THEN (tst.rnd(409, i, k) - 0.5) * 1e15
    WHEN 'tiny' THEN (tst.rnd(410, i, k) - 0.5) * 3e-6
    WHEN 'infinite' THEN CASE WHEN i % 3 = 0 THEN tst.rndint(411, i, k, -2, 2) ELSE ('{Infinity,-Infinity,0,-1,2}'::float8[])[tst.rndint(412, i, k, 1, 5)] END
    WHEN 'NaN' THEN CASE WHEN tst.rndint(413, i, k, 1, 4) = 1 THEN 'NaN' ELSE ('{Infinity,-Infinity,0,-0,2,1}'::float8[])[tst.rndint(414, i, k, 1, 6)] END
    -- mostly finite
    WHEN 'some NaN' THEN CASE tst.rndint(415, i, k, 1, 60) WHEN 1 THEN 'NaN' WHEN 2 THEN 'Infinity' WHEN 3 THEN '-Infinity' ELSE tst.rnd(415, i, k) * 20 END
    END
$$;
CREATE FUNCTION shapes(kind text, first int, last int)
RETURNS TABLE (id int, p point, c circle, y polygon, s lseg, w path, b box) STABLE LANGUAGE sql AS $$
  SELECT i, CASE i % 2 WHEN 0 THEN point(x1, y1) ELSE point(x3, y3) END,
         circle(point(x1, y1), CASE i % 6 WHEN 0 THEN 0 WHEN 1 THEN x2 - x1 ELSE abs(x2 - x1) END),
         CASE i % 5 WHEN 0 THEN format('(%s,%s)', x1, y1)::polygon
                    WHEN 1 THEN format('(%s,%s),(%s,%s)', x1, y1, x2, y2)::polygon
                    WHEN 2 THEN polygon(box(point(x1, y1), point(x2, y2)))
                    WHEN 3 THEN format('(%s,%s),(%s,%s),(%s,%s)', x1, y1, x2, y2, x3, y3)::polygon
                    ELSE format('(%s,%s),(%s,%s),(%s,%s),(%s,%s)', x1, y1, x2, y2, x3, y3, x1, y2)::polygon END,
         lseg(point(x1, y1), CASE i % 5 WHEN 0 THEN point(x1, y1) WHEN 1 THEN point(x1, y2) ELSE point(x2, y2) END),
         CASE i % 5 WHEN 0 THEN format('[(%s,%s)]', x1, y1)::path
                    WHEN 1 THEN format('[(%s,%s),(%s,%s)]', x1, y1, x2, y2)::path
                    WHEN 2 THEN format('((%s,%s),(%s,%s))', x1, y1, x2, y2)::path
                    WHEN 3 THEN format('((%s,%s),(%s,%s),(%s,%s))', x1, y1, x2, y2, x3, y3)::path
                    ELSE format('[(%s,%s),(%s,%s),(%s,%s),(%s,%s)]', x1, y1, x2, y2, x3, y3, x1, y2)::path END,
         -- arithmetic turns corners round
         CASE i % 4 WHEN 0 THEN box(point(x1, y1), point(x2, y2)) * point(-1, 0) ELSE box(point(x1, y1), point(x2, y2)) END
  FROM generate_series(first, last) i,
       LATERAL (SELECT coordinate(kind, i, 1) AS x1, coordinate(kind, i, 2) AS y1, coordinate(kind, i, 3) AS x2,
                       coordinate(kind, i, 4) AS y2, coordinate(kind, i, 5) AS x3, coordinate(kind, i, 6) AS y3) v
$$;

-- All operators of the classes, and what is to be asked of table val t and a row q of queries.
CREATE VIEW operator AS
SELECT amopopr::regoperator::text AS operator, amoppurpose = 'o' AS is_order, f.opfname AS family, condition
FROM pg_amop a JOIN pg_opfamily f ON f.oid = amopfamily JOIN pg_am m ON m.oid = f.opfmethod JOIN pg_operator o ON o.oid = amopopr,
     LATERAL (SELECT format('{"point":"%1$s.p","circle":"%1$s.c","polygon":"%1$s.y","lseg":"%1$s.s","path":"%1$s.w","box":"%1$s.b"}', 't')::json ->> amoplefttype::regtype::text AS l,
                     format('{"point":"%1$s.p","circle":"%1$s.c","polygon":"%1$s.y","lseg":"%1$s.s","path":"%1$s.w","box":"%1$s.b"}', 'q')::json ->> amoprighttype::regtype::text AS r) v,
     -- the planner replaces path @> point by a function
     LATERAL (SELECT format('%s %s %s', l, o.oprname, r), o.oprcode
              -- with sides exchanged, but where PostgreSQL's function is not quite symmetric
              UNION ALL SELECT format('%s %s %s', r, com.oprname, l), com.oprcode FROM pg_operator com
              WHERE com.oid = o.oprcom AND com.oid <> ALL ('{"?#(lseg,lseg)","<->(lseg,lseg)","?#(path,path)","<->(path,path)","&&(polygon,polygon)","<->(polygon,polygon)"}'::regoperator[])) c(condition, function)
WHERE function <> 'path_contain_pt(path, point)'::regprocedure AND m.amname = 'spqtree' AND f.opfname IN ('point_ops', 'circle_ops', 'polygon_ops', 'lseg_ops', 'path_ops');
SELECT family, count(DISTINCT operator) FILTER (WHERE NOT is_order) AS conditions, count(DISTINCT operator) FILTER (WHERE is_order) AS orders FROM operator GROUP BY family ORDER BY family;

CREATE TABLE val (id int, filler text, p point, c circle, y polygon, s lseg, w path);
ALTER TABLE val ALTER filler SET STORAGE PLAIN;
CREATE TABLE qry (qid int, p point, c circle, y polygon, s lseg, w path, b box);
CREATE TABLE result (family text, operator text, condition text, kind text, plan text, failed boolean, rows bigint, faults bigint, example int);
-- All questions to one table; where PostgreSQL's own operator raises an error for a value, it is left out.
CREATE FUNCTION ask(kind_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  o record;
  plan_name text;
  body text;
  expected text[];
  answer text[];
BEGIN
  FOR o IN SELECT * FROM operator LOOP
    body := CASE WHEN o.is_order THEN format('SELECT array_agg(d)::text || count(DISTINCT id)::text AS answer FROM (SELECT t.id, %s AS d FROM val t ORDER BY %1$s) s', o.condition)
                 ELSE format('SELECT array_agg(t.id ORDER BY t.id)::text AS answer FROM val t WHERE %s', o.condition) END;
    BEGIN
      expected := tst.answers(body, 'qry', 'seq');
    EXCEPTION WHEN numeric_value_out_of_range THEN
      INSERT INTO result VALUES (o.family, o.operator, o.condition, kind_name, NULL, true);
      CONTINUE;
    END;
    FOREACH plan_name IN ARRAY CASE WHEN o.family = 'point_ops' THEN '{index,index only}'::text[] ELSE '{index}' END || CASE WHEN o.is_order THEN '{}' ELSE '{bitmap}'::text[] END LOOP
      answer := tst.answers(body, 'qry', plan_name);
      INSERT INTO result
      SELECT o.family, o.operator, o.condition, kind_name, plan_name, false, coalesce(sum(cardinality(CASE WHEN e LIKE '%}' THEN e::text[] END)), 0),
             count(*) FILTER (WHERE e IS DISTINCT FROM a), min(i) FILTER (WHERE e IS DISTINCT FROM a)
      FROM unnest(expected, answer) WITH ORDINALITY AS u(e, a, i);
    END LOOP;
  END LOOP;
END $$;
DO $$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY '{plain,long,grid,epsilon,epsilon far out,epsilon beside a line,rounding,large,tiny,infinite,NaN,some NaN}'::text[] LOOP
    -- half built, half inserted, about seven rows to a leaf
    TRUNCATE val, qry;
    INSERT INTO val SELECT id, repeat('x', 900), p, c, y, s, w FROM shapes(kind, 1, 130);
    INSERT INTO val SELECT -i FROM generate_series(1, 9) i;
    CREATE INDEX ON val USING spqtree (p) INCLUDE (id, filler);
    CREATE INDEX ON val USING spqtree (c) INCLUDE (id, filler);
    CREATE INDEX ON val USING spqtree (y) INCLUDE (id, filler);
    CREATE INDEX ON val USING spqtree (s) INCLUDE (id, filler);
    CREATE INDEX ON val USING spqtree (w) INCLUDE (id, filler);
    INSERT INTO val SELECT id, repeat('x', 900), p, c, y, s, w FROM shapes(kind, 131, 260);
    INSERT INTO val SELECT -i FROM generate_series(10, 19) i;
    IF kind LIKE 'some%' THEN
      UPDATE val SET p = p, c = c, y = y, s = s, w = w WHERE id % 3 = 0;
    END IF;
    INSERT INTO qry SELECT id, p, c, y, s, w, b FROM shapes(kind, 1001, 1020);
    INSERT INTO qry SELECT id + 2000, p, c, y, s, w, b FROM shapes(kind, 1, 6);
    INSERT INTO qry VALUES (9999);
    PERFORM ask(kind);
    INSERT INTO result SELECT 'check', indexrelid::regclass::text, NULL, kind, NULL, false, 0, count(*), min(block)::int
    FROM pg_index, LATERAL spqtree_check(indexrelid, true) WHERE indrelid = 'val'::regclass GROUP BY indexrelid;
    DROP TABLE val;
    CREATE TABLE val (id int, filler text, p point, c circle, y polygon, s lseg, w path);
    ALTER TABLE val ALTER filler SET STORAGE PLAIN;
  END LOOP;
END $$;
SELECT family, operator, condition, count(DISTINCT kind) FILTER (WHERE NOT failed) AS kinds, count(DISTINCT kind) FILTER (WHERE failed) AS errors, count(DISTINCT kind) FILTER (WHERE rows > 0) AS "with rows", sum(faults) AS faults
FROM result GROUP BY family, operator, condition ORDER BY family, operator, condition COLLATE "C";
SELECT * FROM result WHERE faults > 0 ORDER BY kind, family, operator, plan LIMIT 20;
