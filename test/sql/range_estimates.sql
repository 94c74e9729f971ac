--
-- Estimates of joins of ranges, and of intervals in two columns: the rows of the join, and those
-- expected.  PostgreSQL expects 0.5 % of all pairs.
--
LOAD 'spqtree';
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET client_min_messages = warning;
CREATE SCHEMA range_estimates;
SET search_path = range_estimates, public;

-- Lengths: 1 minute to 7 days, log-uniform; in "hour", one hour.  One row in 20 of "open" has no end,
-- and one in 21 no value of "end".
CREATE TABLE event AS
SELECT i AS id, i / 2 % 50 AS room, side, t AS since, t + length AS until,
       tsrange(t, t + length) AS during, tsrange(t, t + interval '1 hour') AS hour,
       tsrange(t, CASE WHEN i % 20 > 0 THEN t + length END) AS open, CASE WHEN i % 21 > 0 THEN t + length END AS "end",
       int4range(s, s + (i % 7)) AS number, numrange(s / 8.0, s / 8.0 + i % 5 + 0.5) AS price
FROM generate_series(1, 40000) i,
     LATERAL (SELECT (tst.rnd(7, i, 1) * 1000000)::int AS s, 1 + i % 2 AS side) x,
     LATERAL (SELECT '2026-01-01'::timestamp + s * interval '3 minutes' AS t,
                     10 ^ (4 * tst.rnd(7, i, 2)) * interval '1 minute' AS length) y;
CREATE TABLE a AS SELECT * FROM event WHERE side = 1;
CREATE TABLE b AS SELECT * FROM event WHERE side = 2;
CREATE TABLE sorted_a AS SELECT * FROM a ORDER BY since;
CREATE TABLE sorted_b AS SELECT * FROM b ORDER BY since;
DROP TABLE event;
-- 200 versions of each room, one after the other; the last one has no end
CREATE TABLE version AS
SELECT room, since, lead(since) OVER (PARTITION BY room ORDER BY since) AS "end"
FROM (SELECT room, '2027-01-01'::timestamp + n * (7 + room % 5) * interval '3 days' AS since
      FROM generate_series(0, 49) room, generate_series(0, 199) n) v;
ANALYZE;

-- Return the number of rows, and whether the estimate is within 3 times of it.
CREATE FUNCTION factor(query text, OUT rows bigint, OUT "within 3 times" boolean) LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
  rows := (plan -> 0 -> 'Plan' ->> 'Actual Rows')::numeric;
  "within 3 times" := (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8 BETWEEN rows / 3.0 AND rows * 3.0;
END $$;
CREATE TABLE question (nr serial, question text);
INSERT INTO question (question) VALUES
  ('SELECT FROM a JOIN b ON a.during && b.during'),
  ('SELECT FROM a JOIN b ON a.hour && b.hour'),
  ('SELECT FROM a JOIN b ON a.open && b.open'),
  ('SELECT FROM a JOIN b ON a.number && b.number'),
  ('SELECT FROM a JOIN b ON a.price && b.price'),
  ('SELECT FROM a JOIN b ON a.during @> b.during'),
  ('SELECT FROM a JOIN b ON a.hour <@ b.during'),
  ('SELECT FROM a JOIN b ON a.during @> b.since'),
  ('SELECT FROM a JOIN b ON a.during && b.during AND a.room = b.room'),
  ('SELECT FROM a JOIN b ON a.since BETWEEN b.since AND b.until'),
  ('SELECT FROM a JOIN b ON a.since < b.until AND b.since < a.until'),
  ('SELECT FROM a JOIN b ON lower(a.hour) < upper(b.hour) AND lower(b.hour) < upper(a.hour)'),
  ('SELECT FROM a JOIN b ON a.open && b.open AND a.number && b.number'),
  ('SELECT FROM a JOIN b ON a.during && b.during AND a.price && b.price'),
  ('SELECT FROM sorted_a a JOIN sorted_b b ON a.during && b.during'),
  ('SELECT FROM sorted_a a JOIN sorted_b b ON a.since >= b.since AND a.since < b.until'),
  ('SELECT FROM a WHERE EXISTS (SELECT FROM b WHERE a.hour && b.hour)'),
  ('SELECT FROM a WHERE NOT EXISTS (SELECT FROM b WHERE a.hour && b.hour)'),
  ('SELECT FROM a WHERE EXISTS (SELECT FROM b WHERE a.since BETWEEN b.since AND b.until)'),
  ('SELECT FROM a WHERE NOT EXISTS (SELECT FROM b WHERE a.since BETWEEN lower(b.hour) AND upper(b.hour))'),
  ('SELECT FROM a LEFT JOIN b ON a.hour && b.hour'),
  ('SELECT FROM a x JOIN a y ON x.hour && y.hour'),
  ('SELECT FROM a JOIN b ON a.since >= b.since AND (a.since < b."end" OR b."end" IS NULL)'),
  ('SELECT FROM a JOIN b ON a.since >= b.since AND a.since < coalesce(b."end", ''infinity'')'),
  ('SELECT FROM a JOIN b ON a.room = b.room AND (b."end" IS NULL OR a.since < b."end") AND a.since >= b.since'),
  ('SELECT FROM a JOIN b ON (a.since < b."end" OR b."end" IS NULL) AND (b.since < a."end" OR a."end" IS NULL)'),
  ('SELECT FROM a JOIN b ON a.since < coalesce(b."end", ''infinity'') AND b.since < coalesce(a."end", ''infinity'')'),
  ('SELECT FROM a WHERE EXISTS (SELECT FROM b WHERE a.room = b.room AND a.since >= b.since AND (a.since < b."end" OR b."end" IS NULL))'),
  ('SELECT FROM a LEFT JOIN b ON a.room = b.room AND a.since >= b.since AND (a.since < b."end" OR b."end" IS NULL)'),
  ('SELECT FROM a x JOIN a y ON x.room = y.room AND (x.since < y."end" OR y."end" IS NULL) AND (y.since < x."end" OR x."end" IS NULL)'),
  ('SELECT FROM a JOIN version v ON a.room = v.room AND a.since >= v.since AND (a.since < v."end" OR v."end" IS NULL)'),
  ('SELECT FROM a WHERE NOT EXISTS (SELECT FROM version v WHERE a.room = v.room AND a.since >= v.since AND (a.since < v."end" OR v."end" IS NULL))');
SELECT question, factor.* FROM question, factor(question) ORDER BY nr;

-- A second condition on ranges does not make an index scan by the first one seem larger: its cost is
-- that of the first one alone. With an index on both ranges the scan is by both, and cheaper.
CREATE FUNCTION inner_cost(condition text) RETURNS float8 LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_material = off SET spqtree.enable_hashjoin = off AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT JSON) SELECT FROM few a JOIN b ON ' || condition INTO plan;
  plan := plan -> 0 -> 'Plan' -> 'Plans' -> 1;
  IF plan ->> 'Node Type' <> 'Index Scan' THEN
    RAISE EXCEPTION 'no index scan: %', plan;
  END IF;
  RETURN plan ->> 'Total Cost';
END $$;
CREATE TABLE few AS SELECT * FROM a WHERE since < '2026-02-01';
ANALYZE few;
CREATE INDEX b_hour ON b USING spqtree (hour);
SELECT inner_cost('a.hour && b.hour AND a.during && b.during') / inner_cost('a.hour && b.hour') BETWEEN 0.9 AND 1.1 AS "as cheap as one",
       inner_cost('a.hour && b.hour AND a.since BETWEEN b.since AND b.until') / inner_cost('a.hour && b.hour') BETWEEN 0.9 AND 1.1 AS "beside an interval";
DROP INDEX b_hour;
CREATE INDEX b_open ON b USING spqtree (open);
CREATE INDEX b_both ON b USING spqtree (open, number);
SELECT inner_cost('a.open && b.open AND a.number && b.number') / inner_cost('a.open && b.open') < 0.5 AS "cheaper by both";
-- A condition on one of them alone touches more pages than in an index on that one.
CREATE FUNCTION scan_cost(condition text) RETURNS float8 LANGUAGE plpgsql
SET enable_seqscan = off SET enable_indexscan = off AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT JSON) SELECT FROM b WHERE ' || condition INTO plan;
  RETURN plan -> 0 -> 'Plan' -> 'Plans' -> 0 ->> 'Total Cost';
END $$;
CREATE TABLE cost AS SELECT scan_cost('number && int4range(5000, 5010)') AS both;
CREATE INDEX b_number ON b USING spqtree (number);
SELECT "both" > scan_cost('number && int4range(5000, 5010)') AS "more pages" FROM cost;
-- The rows found for equal ranges are kept, once the planner knows that ranges repeat.
CREATE TABLE shift AS SELECT i AS id, int4range(i * 10, i * 10 + 15) AS r FROM generate_series(1, 20000) i;
CREATE TABLE event AS SELECT i AS id, int4range(i % 100 * 50, i % 100 * 50 + 20) AS r FROM generate_series(1, 20000) i;
CREATE INDEX ON shift USING spqtree (r);
VACUUM ANALYZE shift, event;
CREATE FUNCTION memoizes() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  plan text;
BEGIN
  EXECUTE 'EXPLAIN (COSTS OFF, FORMAT JSON) SELECT FROM event a JOIN shift b ON a.r && b.r' INTO plan;
  RETURN plan LIKE '%Memoize%';
END $$;
SELECT memoizes() AS "if all differ";
ALTER TABLE event ALTER r SET (n_distinct = 100);
ANALYZE event;
SELECT memoizes() AS "if they repeat";

DROP SCHEMA range_estimates CASCADE;
