--
-- The access method's classes for ranges and multiranges: every operator of each class, as
-- pg_amop lists them, against the sequential scan, for many types of ranges: of numbers that are
-- exact, rounded, infinite, NaN; of types without a number; with an order of their own. Then both
-- positions in a key, arrays, exclusion constraints, changes.
--
SET jit = off;
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '10min';
CREATE SCHEMA ranges;
SET search_path = ranges, public;

-- Types whose ranges are ordered by their numbers ...
CREATE TYPE float4range AS RANGE (subtype = float4);
CREATE TYPE float8range AS RANGE (subtype = float8, subtype_diff = float8mi);
CREATE TYPE timerange AS RANGE (subtype = time);
CREATE TYPE intervalrange AS RANGE (subtype = interval);
CREATE TYPE uuidrange AS RANGE (subtype = uuid);
CREATE TYPE moneyrange AS RANGE (subtype = money);
CREATE TYPE lsnrange AS RANGE (subtype = pg_lsn);
CREATE DOMAIN small AS int CHECK (VALUE < 1000000);
CREATE TYPE smallrange AS RANGE (subtype = small);
-- ... types without a number, with another order, and one that decides itself what is adjacent
CREATE TYPE textrange AS RANGE (subtype = text, collation = "C");
CREATE FUNCTION descending(int, int) RETURNS int IMMUTABLE STRICT LANGUAGE sql RETURN btint4cmp($2, $1);
CREATE OPERATOR CLASS descending FOR TYPE int USING btree AS
  OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=, OPERATOR 5 <, FUNCTION 1 descending(int, int);
CREATE TYPE fallingrange AS RANGE (subtype = int, subtype_opclass = descending);
CREATE TYPE steprange;
CREATE FUNCTION step(steprange) RETURNS steprange IMMUTABLE STRICT LANGUAGE internal AS 'int4range_canonical';
CREATE TYPE steprange AS RANGE (subtype = int, canonical = step);

-- Bounds and values come from these, so that many are equal, adjacent or close.
CREATE TABLE kind (type regtype, vals text[]);
INSERT INTO kind VALUES
  ('int4range', '{-2147483648,-2147483647,-1,0,1,2,3,5,6,20,2147483646}'),
  ('int8range', '{-9223372036854775808,-4503599627370497,-4503599627370496,-4503599627370495,-2251799813685249,-2251799813685248,-1,0,1,2,2251799813685247,2251799813685248,2251799813685249,4503599627370494,4503599627370495,4503599627370496,4503599627370497,9007199254740992,9007199254740993,9223372036854775806}'),
  ('numrange', '{-Infinity,-1e400,-1.5,-1,0,1e-400,0.1,0.10000000000000000001,0.1000000000000000055511151231257827,1,1.000000000000000000000001,4503599627370497.5,1e400,1.1e400,Infinity,NaN}'),
  ('tsrange', '{-infinity,4713-01-01 BC,1999-12-31 23:59:59.999999,2000-01-01,2000-01-01 00:00:00.000001,2020-02-29 10:00,2020-02-29 11:00,2071-05-10 12:11:03.685248,2071-05-10 12:11:03.685249,2142-09-19 00:22:07.370495,2142-09-19 00:22:07.370496,2142-09-19 00:22:07.370497,294276-12-31 23:59:59.999999,infinity}'),
  ('tstzrange', '{-infinity,1999-12-31 23:59:59.999999+00,2000-01-01+00,2000-01-01 01:00+01,2020-03-29 01:59:59+00,2020-03-29 02:00+00,294276-12-31 23:59:59.999999+00,infinity}'),
  ('daterange', '{-infinity,4713-01-01 BC,1999-12-31,2000-01-01,2000-01-02,2000-01-03,2142-09-18,2142-09-19,2142-09-20,5874897-12-30,infinity}'),
  ('float4range', '{-Infinity,-3.4e38,-1,-1e-45,0,-0,1e-45,0.1,1,1.0000001,3.4e38,Infinity,NaN}'),
  ('float8range', '{-Infinity,-1.7976931348623157e308,-1,-5e-324,0,-0,5e-324,0.1,0.10000000000000002,1,1.0000000000000002,1.7976931348623157e308,Infinity,NaN}'),
  ('timerange', '{00:00,00:00:00.000001,11:59:59.999999,12:00,12:00:00.000001,23:59:59.999999,24:00}'),
  ('intervalrange', '{-170000000 years,-142 years,-1 day,-24:00,0,1 day,24:00,1 month,30 days,720:00,720:00:00.000001,142 years 8 months,52124 days,52125 days,52125 days 00:00:00.000001,52125 days 00:00:00.000002,2000000000 days -2000000000:00,1916666666 days 16:00,170000000 years}'),
  ('uuidrange', '{00000000-0000-0000-0000-000000000000,80000000-0000-0000-0000-000000000000,80000000-0000-0000-0000-000000000001,80000000-0000-0001-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}'),
  ('moneyrange', '{-92233720368547758.08,-0.01,0,0.01,1,92233720368547758.07}'),
  ('lsnrange', '{0/0,0/1,100000/0,100000/1,FFFFFFFF/FFFFFFFE,FFFFFFFF/FFFFFFFF}'),
  ('smallrange', '{-2147483648,-1,0,1,2,3,999999}'),
  ('textrange', '{"",A,B,a,aa,ab,b,z}'),
  ('fallingrange', '{-2147483648,-1,0,1,2,3,2147483647}'),
  ('steprange', '{-2147483648,-1,0,1,2,3,5,6,2147483646}');

-- Return text of a range: one in twelve is empty, bounds are of each kind.
CREATE FUNCTION range_text(kind kind, seed int, i int) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE
  n int := cardinality(kind.vals);
  low text := CASE WHEN tst.rndint(seed, i, 1, 1, 8) > 1 THEN '"' || kind.vals[tst.rndint(seed, i, 2, 1, n)] || '"'
  ELSE '' END;
  high text := CASE WHEN tst.rndint(seed, i, 3, 1, 8) > 1 THEN '"' || kind.vals[tst.rndint(seed, i, 4, 1, n)] || '"'
  ELSE '' END;
  result text := substr('[(', tst.rndint(seed, i, 5, 1, 2), 1) || low || ',' || high || substr('])',
      tst.rndint(seed, i, 6, 1, 2), 1);
BEGIN
  IF tst.rndint(seed, i, 7, 1, 12) = 1 THEN RETURN 'empty'; END IF;
  EXECUTE format('SELECT %L::%s', result, kind.type);
  RETURN result;
EXCEPTION WHEN data_exception THEN
  -- the wrong way round
  RETURN left(result, 1) || high || ',' || low || right(result, 1);
END $$;

CREATE VIEW operator AS
SELECT amopopr::regoperator::text AS operator, f.opfname AS family, c.condition, c.plan
FROM pg_amop a JOIN pg_opfamily f ON f.oid = amopfamily JOIN pg_am m ON m.oid = f.opfmethod
  JOIN pg_operator o ON o.oid = amopopr,
     LATERAL (SELECT format('%s.%s', 't', l.name) AS l, format('%s.%s', 'q', r.name) AS r
              FROM (VALUES ('anyrange', 'r'), ('anymultirange', 'm'), ('anyelement', 'e')) l(type, name),
                   (VALUES ('anyrange', 'r'), ('anymultirange', 'm'), ('anyelement', 'e')) r(type, name)
              WHERE l.type = amoplefttype::regtype::text AND r.type = amoprighttype::regtype::text) v,
     LATERAL (SELECT format('%s %s %s', l, o.oprname, r), 'index'
              UNION ALL SELECT format('%s %s %s', r, com.oprname, l), 'bitmap' FROM pg_operator com
              WHERE com.oid = o.oprcom
              UNION ALL SELECT format('%s %s %s', l, o.oprname, r), 'bitmap' WHERE o.oprcom = 0) c(condition, plan)
WHERE m.amname = 'spqtree' AND f.opfname IN ('range_ops', 'multirange_ops');

-- The operators are those of PostgreSQL's classes.
SELECT family, count(DISTINCT operator), count(*) FROM operator GROUP BY family ORDER BY family;
SELECT count(*) FROM pg_amop a JOIN pg_opfamily f ON f.oid = amopfamily
WHERE amopmethod = 783 AND opfname IN ('range_ops', 'multirange_ops')
  AND amopopr::regoperator::text NOT IN (SELECT operator FROM operator);

CREATE TABLE result (type regtype, operator text, condition text, plan text, rows bigint, faults bigint, example int);
CREATE FUNCTION ask(type regtype) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  o record;
  body text;
  expected text[];
  answer text[];
BEGIN
  FOR o IN SELECT * FROM operator LOOP
    body := format('SELECT array_agg(t.id ORDER BY t.id)::text AS answer FROM val t WHERE %s', o.condition);
    expected := tst.answers(body, 'qry', 'seq');
    answer := tst.answers(body, 'qry', o.plan);
    INSERT INTO result
    SELECT type, o.operator, o.condition, o.plan, coalesce(sum(cardinality(e::text[])), 0),
           count(*) FILTER (WHERE e IS DISTINCT FROM a), min(i) FILTER (WHERE e IS DISTINCT FROM a)
    FROM unnest(expected, answer) WITH ORDINALITY AS u(e, a, i);
  END LOOP;
END $$;
DO $$
DECLARE
  k kind;
BEGIN
  FOR k IN SELECT * FROM kind ORDER BY type::text COLLATE "C" LOOP
    EXECUTE format('CREATE TABLE val (id int, filler text, r %s, m %s)', k.type,
                   (SELECT rngmultitypid::regtype FROM pg_range WHERE rngtypid = k.type));
    ALTER TABLE val ALTER filler SET STORAGE PLAIN;
    EXECUTE format('CREATE TABLE qry (qid int, r %s, m %s, e %s)', k.type,
                   (SELECT rngmultitypid::regtype FROM pg_range WHERE rngtypid = k.type),
                   (SELECT rngsubtype::regtype FROM pg_range WHERE rngtypid = k.type));
    -- half built, half inserted, about seven rows to a leaf
    FOR half IN 0 .. 1 LOOP
      EXECUTE format('INSERT INTO val SELECT i, repeat(''x'', 900), range_text($1, 901, i)::%1$s,
                        CASE i %% 10 WHEN 0 THEN multirange(range_text($1, 901, i)::%1$s) - multirange(range_text($1, 901, i)::%1$s)
                          ELSE multirange(range_text($1, 902, i)::%1$s) + multirange(range_text($1, 903, i)::%1$s) END
                      FROM generate_series(1 + $2 * 90, 90 + $2 * 90) i', k.type) USING k, half;
      INSERT INTO val SELECT -i FROM generate_series(1, 5) i;
      IF half = 0 THEN
        CREATE INDEX ON val USING spqtree (r) INCLUDE (id, filler);
        CREATE INDEX ON val USING spqtree (m) INCLUDE (id, filler);
      END IF;
    END LOOP;
    EXECUTE format('INSERT INTO qry SELECT i, range_text($1, 901, i + 1000)::%1$s,
                      CASE i WHEN 5 THEN multirange(''empty''::%1$s) WHEN 6 THEN multirange(''(,)''::%1$s)
                        ELSE multirange(range_text($1, 902, i + 1000)::%1$s) + multirange(range_text($1, 903, i + 1000)::%1$s) END,
                      ($1).vals[1 + i %% cardinality(($1).vals)]::%2$s
                    FROM generate_series(1, 24) i', k.type, (SELECT rngsubtype::regtype FROM pg_range WHERE rngtypid = k.type)) USING k;
    INSERT INTO qry SELECT 100 + id, r, m FROM val WHERE id % 40 = 1;
    INSERT INTO qry SELECT 999;
    UPDATE qry SET r = '(,)' WHERE qid = 3;
    UPDATE qry SET r = 'empty' WHERE qid = 4;
    PERFORM ask(k.type);
    INSERT INTO result SELECT k.type, 'check', NULL, NULL, 0, count(*), min(block)::int
    FROM pg_index, LATERAL spqtree_check(indexrelid, true) WHERE indrelid = 'val'::regclass;
    DROP TABLE val, qry;
  END LOOP;
END $$;
SELECT operator, condition, count(DISTINCT type) AS types, count(*) FILTER (WHERE rows > 0) AS "with rows",
       sum(faults) AS faults
FROM result GROUP BY operator, condition ORDER BY operator COLLATE "C", condition COLLATE "C";
SELECT * FROM result WHERE faults > 0 ORDER BY type::text, operator LIMIT 20;

--
-- Positions in a key
--
-- Rows of a condition by each kind of scan: how many there are, or an error that names those that differ.
CREATE FUNCTION agree(condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  body text := 'SELECT array_agg(t.id ORDER BY t.id)::text AS answer FROM stay t WHERE ' || condition;
  wanted text[];
  found text[];
  plan text;
BEGIN
  CREATE TEMP TABLE one ON COMMIT DROP AS SELECT 1 AS qid;
  FOREACH plan IN ARRAY '{seq,index,bitmap}'::text[] LOOP
    found := coalesce((tst.answers(body, 'one', plan))[1], '{}');
    wanted := coalesce(wanted, found);
    IF found <> wanted THEN
      RAISE EXCEPTION '% by %: %', condition, plan, tst.differing(wanted, found);
    END IF;
  END LOOP;
  DROP TABLE one;
  RETURN cardinality(wanted);
END $$;
CREATE DOMAIN span AS tsrange CHECK (NOT lower_inf(VALUE));
CREATE TABLE stay (id int, room int, during span, valid daterange, parts int4multirange, b box);
CREATE FUNCTION stays(first int, last int) RETURNS SETOF stay LANGUAGE sql AS $$
  SELECT i, i % 9, CASE WHEN i % 23 = 0 THEN NULL WHEN i % 19 = 0 THEN 'empty'
                        ELSE tsrange(t, CASE WHEN i % 17 > 0 THEN t + interval '1 minute' * power(2, tst.rndint(1, i, 2, 0, 12)) END,
                                     CASE WHEN i % 2 = 0 THEN '[)' ELSE '(]' END) END,
         CASE WHEN i % 29 > 0 THEN daterange(date '2024-01-01' + i % 30, date '2024-01-01' + i % 30 + i % 4) END,
         CASE WHEN i % 13 > 0 THEN int4multirange(int4range(i % 100, i % 100 + i % 7),
                                                  int4range(i % 100 + 8, i % 100 + 9)) END,
         box(point(i % 50, i % 31), point(i % 50 + 2, i % 31 + 2))
  FROM generate_series(first, last) i, LATERAL (SELECT timestamp '2024-01-01' + interval '1 minute' * tst.rndint(1, i, 1, 0, 40000) AS t) v $$;
INSERT INTO stay SELECT * FROM stays(1, 1500);
CREATE INDEX stay_room ON stay USING spqtree (room, during) INCLUDE (valid);
INSERT INTO stay SELECT * FROM stays(1501, 3000);
ANALYZE stay;
SELECT agree('room = 3 AND during && ''[2024-01-05,2024-01-06)'''),
       agree('room IN (1, 5) AND during @> timestamp ''2024-01-07 12:00'''),
       agree('room = 2 AND during <@ ''[2024-01-05,2024-01-09)'''), agree('during << ''[2024-01-02,)'''),
       agree('room = 4 AND during = ''empty''');
SELECT agree('room = 3 AND during IS NULL'), agree('during IS NULL'),
       agree('room < 3 AND during IS NOT NULL AND during -|- ''[2024-01-05,)''');
-- an array
SELECT agree('during && ANY (''{"[2024-01-05,2024-01-05 01:00)","(2024-01-20,2024-01-20 00:10]",empty,NULL}''::tsrange[])'),
       agree('during @> ANY (ARRAY[timestamp ''2024-01-05 10:00'', ''infinity'', NULL, ''2024-01-08 00:00:00.000001''])'),
       agree('room = ANY (''{1,2}'') AND during <@ ANY (''{"[2024-01-05,2024-01-06)",empty}''::tsrange[])'),
       agree('during <@ ANY (''{"{[2024-01-05,2024-01-05 12:00),[2024-01-09,2024-01-10)}"}''::tsmultirange[])'),
       agree('during && ANY (ARRAY(SELECT tsrange(t, t + interval ''3 minutes'') FROM generate_series(timestamp ''2024-01-03'', ''2024-01-12'', ''2 hours'') t))'),
       agree('during = ANY (ARRAY(SELECT during FROM stay WHERE id % 400 = 5)::tsrange[])');
DROP INDEX stay_room;
-- as a scalar, and behind a range, which is spatial, too
CREATE INDEX stay_valid ON stay USING spqtree (valid, b);
CREATE INDEX stay_two ON stay USING spqtree (valid, during);
CREATE INDEX stay_parts ON stay USING spqtree (parts, room, during);
INSERT INTO stay SELECT * FROM stays(3001, 4000);
SELECT agree('valid = ''[2024-01-05,2024-01-07)'' AND b && box(point(0,0), point(30,30))'),
       agree('valid && ''[2024-01-05,2024-01-06)'' AND b && box(point(0,0), point(9,9))'),
       agree('valid @> date ''2024-01-09'' AND b <@ box(point(0,0), point(20,20))'), agree('valid IS NULL AND b && box(point(0,0), point(9,9))'),
       agree('valid = ANY (''{"[2024-01-05,2024-01-07)",empty}'') AND b && box(point(0,0), point(9,19))'),
       agree('valid && ANY (''{"[2024-01-05,2024-01-07)",empty,NULL}'') AND b && box(point(0,0), point(9,19))'),
       agree('valid @> ANY (''{2024-01-05,2024-01-20}''::date[]) AND b && box(point(0,0), point(9,19))');
SELECT agree('valid = ''empty'' AND during && ''[2024-01-05,2024-01-12)'''), agree('valid -|- ''[2024-01-05,2024-01-06)'' AND during << ''[2024-01-12,)'''),
       agree('valid << ''{[2024-01-05,2024-01-06)}''::datemultirange AND during @> timestamp ''2024-01-05'''),
       agree('parts = ''{[5,6),[13,14)}'' AND room = 6 AND during IS NOT NULL'), agree('parts @> 7 AND during && ''[2024-01-05,2024-01-06)'''),
       agree('parts && int4range(7, 9) AND room = 3 AND during && ''[2024-01-05,2024-01-12)''');
-- the planner uses an index on a scalar for = rather than for another operator
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM stay WHERE valid = '[2024-01-05,2024-01-07)' AND b && box(point(0,0), point(1,1));
-- ... and one on two ranges for both
EXPLAIN (COSTS OFF) SELECT * FROM stay WHERE timestamp '2024-01-05' <@ during AND valid && '[2024-01-05,2024-01-09)';
RESET enable_seqscan;
CREATE INDEX ON stay USING spqtree (b, valid);

-- Deletion, reuse, VACUUM
CREATE INDEX stay_during ON stay USING spqtree (during);
CREATE INDEX stay_set ON stay USING spqtree (parts);
DELETE FROM stay WHERE id % 3 = 0 OR id BETWEEN 1000 AND 1400;
VACUUM stay;
INSERT INTO stay SELECT * FROM stays(4001, 4500);
UPDATE stay SET during = tsrange(lower(during), NULL) WHERE id % 50 = 1 AND during <> 'empty';
SELECT agree('during && ''[2024-01-05,2024-01-06)'''), agree('during <@ ''[2024-01-05,2024-01-06)'''), agree('during = ''empty'''), agree('during @> ''empty''::tsrange'),
       agree('during >> ''(,2024-01-26]'''), agree('during &> ''[2024-01-26,)'''), agree('during &< ''{[2024-01-02,2024-01-03)}''::tsmultirange'),
       agree('parts && ''{[7,8),[20,21)}'''), agree('parts <@ int4range(10, 30)'),
       agree('parts >> int4range(NULL, 90)'), agree('parts IS NULL');
VACUUM stay;
SELECT i.relname, count(c.problem) AS problems, s.tuples = (SELECT count(*) FROM stay) AS "all rows"
FROM pg_index x JOIN pg_class i ON i.oid = indexrelid, LATERAL spqtree_stats(indexrelid) s LEFT JOIN LATERAL spqtree_check(indexrelid, true) c ON true
WHERE indrelid = 'stay'::regclass GROUP BY i.relname, s.tuples ORDER BY i.relname;

-- Statistics, nodes and pictures; a box does not stand for a range.
SELECT sum(tuples) = (SELECT count(*) FROM stay WHERE during IS NOT NULL) AS tuples FROM spqtree_nodes('stay_during')
WHERE kind = 'leaf' AND NOT null_keys;
SELECT xmlparse(DOCUMENT spqtree_svg('stay_during')::text) IS DOCUMENT AS svg;
SELECT * FROM spqtree_explain('stay_during', '(1,1),(0,0)');
-- Where bounds are whole numbers, no row that the index finds is wrong; where they are rounded, some are.
CREATE TABLE twice (i int4range, n numrange);
INSERT INTO twice SELECT int4range(i, i + 2), numrange(i, i + 2) FROM generate_series(1, 1000) i;
CREATE INDEX ON twice USING spqtree (i);
CREATE INDEX ON twice USING spqtree (n);
CREATE FUNCTION rechecked(query text) RETURNS int LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json) ' || query INTO plan;
  RETURN plan -> 0 -> 'Plan' ->> 'Rows Removed by Index Recheck';
END $$;
SELECT rechecked('SELECT * FROM twice WHERE i && int4range(10, 12)') AS exact,
       rechecked('SELECT * FROM twice WHERE n && numrange(10, 12)') AS rounded;

--
-- Exclusion constraints
--
CREATE TABLE booking (room int, during tsrange, EXCLUDE USING spqtree (room WITH =, during WITH &&));
INSERT INTO booking VALUES (1, '[2024-01-01 10:00,2024-01-01 11:00)'), (1, '[2024-01-01 11:00,2024-01-01 12:00)'), (2, '[2024-01-01 10:30,2024-01-01 11:30)'),
  (1, 'empty'), (1, 'empty'), (1, NULL), (NULL, '[2024-01-01 10:00,2024-01-01 11:00)'),
  (1, '(2024-01-01 12:00,2024-01-01 12:00:00.000002)'), (1, '[2024-01-01 12:00:00.000002,2024-01-01 13:00]');
INSERT INTO booking VALUES (1, '[2024-01-01 10:59:59.999999,2024-01-01 11:00)');
INSERT INTO booking VALUES (1, '[2024-01-01 13:00,)');
INSERT INTO booking VALUES (1, '(2024-01-01 13:00,)');
INSERT INTO booking VALUES (1, '[9999-01-01,infinity)');
INSERT INTO booking VALUES (1, '[infinity,infinity]');
INSERT INTO booking VALUES (2, '[9999-01-01,infinity)'), (2, '[infinity,infinity]');
INSERT INTO booking VALUES (1, '(,2024-01-01 10:00)'), (1, '[2024-01-01 12:00,2024-01-01 12:00]');
INSERT INTO booking VALUES (3, '[2024-01-01,2024-01-02)') ON CONFLICT DO NOTHING;
INSERT INTO booking VALUES (3, '[2024-01-01,2024-01-02)') ON CONFLICT DO NOTHING;
UPDATE booking SET room = 2 WHERE during && '[2024-01-01 11:00,2024-01-01 11:01)' AND room = 1;
SELECT room, count(*) FROM booking GROUP BY room ORDER BY room;
CREATE TABLE alone (during int8multirange, EXCLUDE USING spqtree (during WITH &&));
INSERT INTO alone VALUES ('{[1,3),[5,7)}'), ('{[3,5)}'), ('{}'), ('{}');
INSERT INTO alone VALUES ('{[9,11),[6,7)}');
INSERT INTO alone VALUES ('{[7,)}');
INSERT INTO alone VALUES ('{[9223372036854775806,9223372036854775807)}');
-- no two equal, no two adjacent
CREATE TABLE distinct_range (r numrange, EXCLUDE USING spqtree (r WITH =));
INSERT INTO distinct_range VALUES ('[1,2)'), ('[1,2]'), ('empty'), ('(1,2)');
INSERT INTO distinct_range VALUES ('[1.0,2.00)');
INSERT INTO distinct_range VALUES ('empty');
CREATE TABLE apart (r textrange, EXCLUDE USING spqtree (r WITH -|-) DEFERRABLE INITIALLY DEFERRED);
INSERT INTO apart VALUES ('[a,b)'), ('[c,d)'), ('[b,c)');
CREATE TABLE far (s steprange, EXCLUDE USING spqtree (s WITH -|-));
INSERT INTO far VALUES ('[1,3)'), ('[4,6)'), ('[2,5)'), ('empty');
INSERT INTO far VALUES ('[6,7)');
-- the range first, as a scalar that is not compared by equality
CREATE TABLE place (during daterange, b box, EXCLUDE USING spqtree (during WITH &&, b WITH &&));
INSERT INTO place VALUES ('[2024-01-01,2024-01-05)', '(1,1),(0,0)'), ('[2024-01-05,2024-01-09)', '(1,1),(0,0)'),
  ('[2024-01-01,2024-01-05)', '(4,4),(3,3)');
INSERT INTO place VALUES ('[2024-01-04,2024-01-06)', '(3.5,3.5),(2,2)');
SELECT conrelid::regclass AS table, conname FROM pg_constraint
WHERE contype = 'x' AND connamespace = 'ranges'::regnamespace ORDER BY conname;
SELECT count(*) FROM pg_index JOIN pg_class i ON i.oid = indexrelid, LATERAL spqtree_check(indexrelid, true)
WHERE relnamespace = 'ranges'::regnamespace AND relam = (SELECT oid FROM pg_am WHERE amname = 'spqtree');

--
-- Classes for both positions that are not complete
--
CREATE OPERATOR CLASS no_equality FOR TYPE anyrange USING spqtree AS
  OPERATOR 3 && (anyrange, anyrange), FUNCTION 1 _spqtree_range_ends(anyrange, internal),
    FUNCTION 2 _spqtree_range_condition(internal, internal), FUNCTION 4 hash_range_extended(anyrange, int8);
CREATE OPERATOR CLASS boxes FOR TYPE anyrange USING spqtree AS
  OPERATOR 1 = (anyrange, anyrange), FUNCTION 1 _spqtree_range_ends(anyrange, internal),
    FUNCTION 2 _spqtree_range_condition(internal, internal), FUNCTION 4 hash_range_extended(anyrange, int8),
    STORAGE box;
CREATE OPERATOR CLASS no_hash FOR TYPE anyrange USING spqtree AS
  OPERATOR 1 = (anyrange, anyrange), FUNCTION 1 _spqtree_range_ends(anyrange, internal),
    FUNCTION 2 _spqtree_range_condition(internal, internal);
SELECT opcname, amvalidate(oid) FROM pg_opclass
WHERE opcname IN ('no_equality', 'boxes', 'no_hash') AND opcmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree')
ORDER BY opcname;

SET client_min_messages = warning;
DROP SCHEMA ranges CASCADE;
