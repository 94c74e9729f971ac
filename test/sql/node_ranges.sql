--
-- Joins of ranges by the node: the same rows as nested loops, for each operator, type and
-- kind of join, with every kind of bound.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
CREATE SCHEMA node_ranges;
SET search_path = node_ranges, public;
SET TimeZone = 'UTC';

CREATE TYPE float8range AS RANGE (subtype = float8, subtype_diff = float8mi);
CREATE TYPE timerange AS RANGE (subtype = time);
CREATE TYPE intervalrange AS RANGE (subtype = interval);
CREATE TYPE moneyrange AS RANGE (subtype = money);
CREATE TYPE uuidrange AS RANGE (subtype = uuid);
CREATE DOMAIN positive AS int CHECK (VALUE IS NULL OR VALUE > -1000);
CREATE DOMAIN shift AS int4range;

-- Values of each type: small ones, whose ranges touch, and those at the ends of the type and
-- of float8.
CREATE TABLE kind (nr serial, range text, multirange text, element text, vals text[]);
INSERT INTO kind (range, multirange, element, vals) VALUES
  ('int4range', 'int4multirange', 'int4', '{1,2,3,4,7,-2147483648,2147483646}'),
  ('shift', 'int4multirange', 'positive', '{1,2,3,4,7,50}'),
  ('int8range', 'int8multirange', 'int8', '{1,2,3,9007199254740992,9007199254740993,9007199254740994,-9223372036854775808,9223372036854775806}'),
  ('numrange', 'nummultirange', 'numeric', '{1,1.0000000000000000001,2,1e-400,1e400,-1e400,1e308,NaN,Infinity,-Infinity}'),
  ('float8range', 'float8multirange', 'float8', '{0,-0,1,1.0000000000000002,2,1e-320,1.7e308,NaN,Infinity,-Infinity}'),
  ('daterange', 'datemultirange', 'date', '{2026-01-01,2026-01-02,2026-01-03,2026-01-07,infinity,-infinity,4713-01-01 BC,5874896-12-31}'),
  ('tsrange', 'tsmultirange', 'timestamp', '{2026-01-01,2026-01-01 00:00:00.000001,2026-01-01 00:00:00.000002,2026-01-02,infinity,-infinity,4713-01-01 BC,294276-12-31 23:59:59.999999,294276-12-31 23:59:59.999998}'),
  ('tstzrange', 'tstzmultirange', 'timestamptz', '{2026-01-01,2026-01-01 00:00:00.000001,2026-01-02,infinity,-infinity}'),
  ('timerange', 'timemultirange', 'time', '{00:00,00:00:00.000001,12:00,24:00}'),
  ('intervalrange', 'intervalmultirange', 'interval', '{1 month,30 days,720:00:00,31 days,0,-178000000 years,178000000 years}'),
  ('moneyrange', 'moneymultirange', 'money', '{0,0.01,0.02,-92233720368547758.08,92233720368547758.07}'),
  ('uuidrange', 'uuidmultirange', 'uuid', '{00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000001,00000000-0000-0001-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}');

-- For each type two tables: r1, e1, low1, high1 ... of all pairs of values with all kinds of
-- bounds, of which side 2 has another third than side 1.
CREATE FUNCTION make_tables(k kind) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR side IN 1..2 LOOP
    EXECUTE format($q$
      CREATE TABLE %1$s%2$s AS
      SELECT row_number() OVER (ORDER BY n)::int AS id, r::%1$s AS r, m::%3$s AS m, low, high,
             NULLIF(n %% 4, 0) AS k, CASE WHEN n %% 11 = %2$s THEN NULL ELSE high END AS e
      FROM (SELECT n, r, low, high,
                   CASE WHEN n %% 7 = 0 THEN NULL WHEN n %% 13 = 0 THEN '{}'::%3$s
                        ELSE (CASE WHEN r IS NULL THEN '{}' ELSE '{' || r::text || '}' END)::%3$s
                             + (lag('{' || r::text || '}', 3) OVER (ORDER BY n))::%3$s END AS m
            FROM (SELECT row_number() OVER (ORDER BY i, j, b) AS n, low, high,
                         CASE WHEN i = 0 AND j = 0 THEN CASE b WHEN '[]' THEN NULL WHEN '()' THEN 'empty' ELSE '(,)' END::%4$s
                              WHEN i = 0 THEN %4$s(NULL, high, b)
                              WHEN j = 0 THEN %4$s(low, NULL, b)
                              WHEN low <= high THEN %4$s(low, high, b) END AS r
                  FROM (SELECT 0 AS i, NULL::%5$s AS low
                        UNION ALL SELECT i, v::%5$s FROM unnest(%6$L::text[]) WITH ORDINALITY AS l(v, i)) l,
                       (SELECT 0 AS j, NULL::%5$s AS high
                        UNION ALL SELECT j, v::%5$s FROM unnest(%6$L::text[]) WITH ORDINALITY AS h(v, j)) h,
                       unnest('{[],"[)","(]",()}'::text[]) b) x
            WHERE n %% 3 <> %2$s) y$q$,
      k.range, side, k.multirange, CASE k.range WHEN 'shift' THEN 'int4range' ELSE k.range END, k.element, k.vals);
  END LOOP;
END $$;
SELECT count(make_tables(kind)) FROM kind;

CREATE FUNCTION has_node(query text) RETURNS boolean LANGUAGE plpgsql
SET enable_nestloop = off SET enable_hashjoin = off SET enable_mergejoin = off SET spqtree.enable_hashjoin = always AS $$
DECLARE
  line text;
  found boolean := false;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    found := found OR line ~ 'Spqtree Spatial Hash Join';
  END LOOP;
  RETURN found;
END $$;

-- Run a query by the node, and by PostgreSQL's own joins.  Raise an error unless the plan has
-- the node and both return the same rows; return the number of rows.
CREATE FUNCTION compare(query text) RETURNS bigint LANGUAGE plpgsql
SET enable_nestloop = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  counted text := format('SELECT count(*), sum(hashtextextended(q::text, 0)) FROM (%s) q', query);
  of_node record;
  of_loop record;
BEGIN
  SET LOCAL spqtree.enable_hashjoin = always;
  IF NOT has_node(query) THEN
    RAISE EXCEPTION 'the plan has no node' USING DETAIL = query;
  END IF;
  EXECUTE counted INTO of_node;
  SET LOCAL spqtree.enable = off;
  EXECUTE counted INTO of_loop;
  SET LOCAL spqtree.enable = on;
  IF of_node IS DISTINCT FROM of_loop THEN
    RAISE EXCEPTION 'the node returns %, the loop %', of_node, of_loop USING DETAIL = query;
  END IF;
  RETURN of_node.count;
END $$;

CREATE TABLE form (nr serial, form text);
INSERT INTO form (form) VALUES
  ('SELECT a.id, b.id AS other FROM %1$s1 a JOIN %1$s2 b ON %2$s'),
  ('SELECT a.id, b.id AS other FROM %1$s1 a JOIN %1$s2 b ON %2$s AND a.k = b.k'),
  ('SELECT a.id, a.r, b.id AS other, b.m FROM %1$s1 a LEFT JOIN %1$s2 b ON %2$s'),
  ('SELECT a.id, b.id AS other FROM %1$s1 a RIGHT JOIN %1$s2 b ON %2$s AND a.k = b.k'),
  ('SELECT a.id FROM %1$s1 a WHERE EXISTS (SELECT FROM %1$s2 b WHERE %2$s)'),
  ('SELECT a.id FROM %1$s1 a WHERE NOT EXISTS (SELECT FROM %1$s2 b WHERE %2$s AND a.k = b.k)');

-- Ranges, multiranges, and elements.
CREATE TABLE condition (nr serial, condition text);
INSERT INTO condition (condition)
SELECT format('a.%s %s b.%s', l, op, r)
FROM unnest('{r,m}'::text[]) l, unnest('{r,m}'::text[]) r, unnest('{&&,@>,<@,-|-}'::text[]) op
UNION ALL
SELECT * FROM unnest('{a.r @> b.e,b.r @> a.e,a.m @> b.e,b.m @> a.e,a.e <@ b.r,b.e <@ a.r,a.e <@ b.m,b.e <@ a.m}'::text[])
UNION ALL
SELECT * FROM unnest('{a.r = b.r AND a.r && b.r,a.r && b.r AND a.m @> b.m,a.r @> b.r AND NOT a.r <@ b.r}'::text[]);
SELECT range, count(*), sum(compare(format(form, range, condition)))
FROM kind, form, condition
WHERE ((form.nr + condition.nr + kind.nr) % 6 = 0 OR range = 'int4range')
  -- PostgreSQL's hash join would fail, because money has no hash function
  AND NOT (range = 'moneyrange' AND condition LIKE 'a.r =%')
GROUP BY kind.nr, range ORDER BY kind.nr;

-- Full joins.  PostgreSQL has none on such conditions: a left join and an anti join.
CREATE FUNCTION compare_full(tab text, condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  of_node record;
  of_loop record;
BEGIN
  EXECUTE format('SELECT count(*), sum(hashtextextended(concat(a.id, ''-'', b.id), 0)) FROM %1$s1 a FULL JOIN %1$s2 b ON %2$s', tab, condition)
  INTO of_node;
  SET LOCAL spqtree.enable = off;
  EXECUTE format('SELECT count(*), sum(hashtextextended(concat(q.a, ''-'', q.b), 0)) FROM
                  (SELECT a.id, b.id FROM %1$s1 a LEFT JOIN %1$s2 b ON %2$s
                   UNION ALL
                   SELECT NULL, b.id FROM %1$s2 b WHERE NOT EXISTS (SELECT FROM %1$s1 a WHERE %2$s)) q (a, b)', tab, condition)
  INTO of_loop;
  SET LOCAL spqtree.enable = on;
  IF of_node IS DISTINCT FROM of_loop THEN
    RAISE EXCEPTION 'full join of % on %: % instead of %', tab, condition, of_node, of_loop;
  END IF;
  RETURN of_node.count;
END $$;
SELECT sum(compare_full(range, condition)) FROM kind, condition WHERE condition.nr % 4 = kind.nr % 4 AND NOT (range = 'moneyrange' AND condition LIKE 'a.r =%');
-- the node does not hash such ranges
SET enable_nestloop = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET spqtree.enable_hashjoin = always;
SELECT count(*) FROM moneyrange1 a JOIN moneyrange2 b ON a.r = b.r AND a.r && b.r;
RESET enable_nestloop;
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET spqtree.enable_hashjoin;

-- Intervals as two columns, which may be in the wrong order.
CREATE TABLE pair (nr serial, pair text);
INSERT INTO pair (pair) VALUES
  ('a.low <= b.high AND b.low <= a.high'), ('a.low < b.high AND b.low < a.high'), ('b.high > a.low AND a.high >= b.low'),
  ('a.e BETWEEN b.low AND b.high'), ('b.e >= a.low AND b.e < a.high'), ('a.low < b.e AND a.high > b.e'),
  ('a.low <= b.high AND a.k IS NOT NULL AND a.high >= b.low AND b.e <= a.high');
SELECT range, count(*), sum(compare(format(form, range, pair))) FROM kind, form, pair WHERE (form.nr + pair.nr + kind.nr) % 2 = 0 GROUP BY kind.nr, range ORDER BY kind.nr;
SELECT sum(compare_full(range, pair)) FROM kind, pair WHERE pair.nr <> 7;

-- Two conditions on intervals are one on boxes in the plane: two ranges, a range and a value,
-- a point in a rectangle, two rectangles; in all orders, with other conditions between them.
CREATE TABLE plane AS
SELECT i AS id, x1, x1 + tst.rnd(5, i, 3) * 9 - 1 AS x2, y1, y1 + (i % 11) - 1 AS y2,
       CASE WHEN i % 19 = 0 THEN 'empty' WHEN i % 17 > 0 THEN numrange(x1::numeric, x1::numeric + i % 5, CASE WHEN i % 3 = 0 THEN '[]' ELSE '(]' END) END AS v,
       CASE WHEN i % 13 > 0 THEN int4range(y1, CASE WHEN i % 7 > 0 THEN y1 + i % 9 END) END AS s, i % 3 AS k,
       -- ends that are equal as numbers, but not as they are
       numrange(y1 + (i % 3) * 1e-20, y1 + 1 + (i % 4) * 1e-20) AS n
FROM generate_series(1, 300) i, LATERAL (SELECT tst.rnd(5, i, 1) * 60 AS x1, (tst.rnd(5, i, 2) * 60)::int AS y1) x;
CREATE TABLE plane1 AS SELECT * FROM plane WHERE id <= 180;
CREATE TABLE plane2 AS SELECT * FROM plane WHERE id >= 100;
ANALYZE plane1, plane2;
CREATE TABLE two (nr serial, two text);
INSERT INTO two (two) VALUES
  ('a.v && b.v AND a.s && b.s'), ('b.s && a.s AND a.v && b.v'), ('a.s && b.s AND a.y1 <@ b.s'), ('a.s @> b.y1 AND a.v @> b.x1::numeric'),
  ('a.x1 BETWEEN b.x1 AND b.x2 AND a.y1 BETWEEN b.y1 AND b.y2'), ('a.x1 >= b.x1 AND a.y1 > b.y1 AND a.x1 <= b.x2 AND a.y1 < b.y2'),
  ('a.x1 <= b.x2 AND b.x1 <= a.x2 AND a.y1 <= b.y2 AND b.y1 <= a.y2'), ('b.y1 < a.y2 AND a.x1 < b.x2 AND a.y1 < b.y2 AND b.x1 < a.x2'),
  ('a.v && b.v AND a.x1 < b.x2 AND b.x1 < a.x2'), ('a.v && b.v AND a.s && b.s AND a.x1 BETWEEN b.x1 AND b.x2'),
  ('a.v && b.v AND a.s @> b.s'), ('a.v && b.v AND a.s -|- b.s'), ('a.v @> b.v AND a.s @> b.s'),
  ('a.s && b.s AND a.n && b.n'), ('a.n && b.n AND a.y1 BETWEEN b.y1 AND b.y2'),
  ('a.v && b.v AND a.x2 > a.x1 AND a.s && b.s AND a.x1 + b.x1 > 9');
SELECT two, sum(compare(format(replace(replace(form, 'a.r, ', ''), ', b.m', ''), 'plane', two))), sum(compare_full('plane', two)) FROM two, form GROUP BY two.nr, two ORDER BY two.nr;
EXPLAIN (COSTS OFF) SELECT FROM plane1 a JOIN plane2 b ON a.s && b.s AND a.v && b.v AND a.k = b.k;
EXPLAIN (COSTS OFF) SELECT FROM plane1 a JOIN plane2 b ON a.x1 <= b.x2 AND b.x1 <= a.x2 AND a.y1 < b.y2 AND b.y1 < a.y2;

-- Columns of different types that an operator family compares.
CREATE TABLE mixed AS
SELECT i AS id, i::int2 AS i2, i AS i4, i::int8 AS i8, (i / 3.0)::float4 AS f4, i / 3.0::float8 AS f8,
       '2026-01-01'::date + i AS d, '2026-01-01'::timestamp + i * interval '7 hours' AS t,
       '2026-01-01'::timestamptz + i * interval '7 hours' AS tz
FROM generate_series(-20, 20) i
UNION ALL VALUES (98, 32767, 2147483647, 9223372036854775807, float4 'Infinity', float8 'NaN', date 'infinity', timestamp 'infinity', timestamptz 'infinity'),
                 (99, -32768, -2147483648, -9223372036854775808, '-Infinity', '-0', '5874897-12-31', '294276-12-31', '-infinity');
ANALYZE mixed;
SELECT pair, compare(format('SELECT a.id, b.id AS other FROM mixed a JOIN mixed b ON ' || pair))
FROM unnest('{a.i2 <= b.i8 AND b.i4 <= a.i8,a.i4 BETWEEN b.i2 AND b.i8,a.f4 < b.f8 AND b.f4 <= a.f8,
              a.d <= b.t AND b.d < a.t,a.t BETWEEN b.d AND b.d,a.tz < b.tz AND b.tz <= a.tz}'::text[]) pair;

-- No key: the order of date and timestamptz depends on the time zone; two lower bounds; <>.
SELECT has_node('SELECT FROM mixed a JOIN mixed b ON a.d <= b.tz AND b.d <= a.tz');
SELECT has_node('SELECT FROM mixed a JOIN mixed b ON a.i4 <= b.i4 AND a.i8 <= b.i8');
SELECT has_node('SELECT FROM mixed a JOIN mixed b ON a.i4 <= b.i4 AND a.i8 <> b.i8');
-- a range whose order is not that of its type's default class, or whose values have no number
CREATE FUNCTION backwards_cmp(int4, int4) RETURNS int4 IMMUTABLE STRICT LANGUAGE sql RETURN btint4cmp($2, $1);
CREATE OPERATOR CLASS backwards FOR TYPE int4 USING btree AS
  OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=, OPERATOR 5 <, FUNCTION 1 backwards_cmp(int4, int4);
CREATE TYPE backrange AS RANGE (subtype = int4, subtype_opclass = backwards);
CREATE TYPE textrange AS RANGE (subtype = text);
CREATE TABLE odd AS SELECT i AS id, backrange(i + 3, i, '[]') AS b, textrange(i::text, i || 'z') AS t FROM generate_series(1, 9) i;
SELECT has_node('SELECT FROM odd a JOIN odd b ON a.b && b.b');
SELECT has_node('SELECT FROM odd a JOIN odd b ON a.t && b.t');
-- adjacent by the canonical function of a user: not by bounds
CREATE TYPE closedrange;
CREATE FUNCTION closed(closedrange) RETURNS closedrange IMMUTABLE STRICT LANGUAGE internal AS 'int4range_canonical';
CREATE TYPE closedrange AS RANGE (subtype = int4, canonical = closed);
CREATE TABLE canonical AS SELECT i AS id, closedrange(i, i + 1) AS r FROM generate_series(1, 9) i;
SELECT has_node('SELECT FROM canonical a JOIN canonical b ON a.r -|- b.r');
SELECT compare('SELECT a.id, b.id AS other FROM canonical a JOIN canonical b ON a.r && b.r');
-- volatile, and a subplan in the second comparison
SELECT has_node('SELECT FROM mixed a JOIN mixed b ON a.i4 <= b.i4 AND b.f8 <= a.f8 + random()');
SELECT has_node('SELECT FROM mixed a JOIN mixed b ON a.i4 <= b.i4 AND b.i4 <= a.i4 + (SELECT count(*) FROM mixed c WHERE c.id = a.id)');

-- Batches on disk, workers, rescans, partitions, three tables.
CREATE TABLE booking AS
SELECT i AS id, i % 40 AS room, tsrange(t, CASE WHEN i % 50 > 0 THEN t + (i % 9) * interval '37 minutes' END) AS during,
       repeat('x', i % 300) AS pad
FROM generate_series(1, 1500) i, LATERAL (SELECT '2026-01-01'::timestamp + (i * 7919 % 30000) * interval '1 minute' AS t) s;
CREATE TABLE visit (id int, room int, during tsrange, since timestamp, until timestamp) PARTITION BY LIST (room);
CREATE TABLE visit_low PARTITION OF visit DEFAULT;
CREATE TABLE visit_high PARTITION OF visit FOR VALUES IN (30, 31, 32, 33, 34, 35, 36, 37, 38, 39);
INSERT INTO visit SELECT id, room, during, lower(during), upper(during) FROM booking WHERE id % 2 = 0;
ANALYZE booking, visit;
SET work_mem = '64kB';
SELECT compare('SELECT a.id, b.id AS other, a.pad FROM booking a JOIN booking b ON a.during && b.during AND a.room = b.room AND a.id < b.id');
SELECT compare('SELECT a.id, b.id AS other, a.pad FROM booking a LEFT JOIN visit b ON a.during -|- b.during');
SELECT compare('SELECT a.id, b.id AS other FROM visit a JOIN visit b ON a.since < b.until AND b.since < a.until AND a.room = b.room');
SELECT compare('SELECT a.id, c.id AS other FROM booking a JOIN visit b USING (room) JOIN visit c ON c.since BETWEEN b.since AND b.until AND c.room = a.room WHERE a.during @> b.since');
SET enable_partitionwise_join = on;
SELECT compare('SELECT a.id, b.id AS other FROM visit a JOIN visit b ON a.room = b.room AND a.since BETWEEN b.since AND b.until');
SELECT compare('SELECT a.id, b.id AS other FROM visit a JOIN visit b ON a.room = b.room AND a.during && b.during');
RESET enable_partitionwise_join;
RESET work_mem;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT compare('SELECT a.id, b.id AS other FROM booking a JOIN booking b ON a.during && b.during AND a.room = b.room');
SELECT compare('SELECT a.id FROM booking a WHERE NOT EXISTS (SELECT FROM visit b WHERE lower(a.during) >= b.since AND lower(a.during) < b.until)');
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
SELECT compare('SELECT r.room, q.n FROM (VALUES (1), (2), (3)) r (room), LATERAL
                (SELECT count(*) AS n FROM (SELECT * FROM booking WHERE room = r.room OFFSET 0) a JOIN booking b ON a.during && b.during) q');

-- Outer joins with a condition above, and two levels: the two comparisons belong to one join.
SELECT compare('SELECT a.id, b.id AS other FROM visit a LEFT JOIN visit b ON a.room = b.room AND a.since < b.until AND b.since < a.until WHERE b.id IS NULL OR b.until > a.since');
SELECT count(*) FROM booking a LEFT JOIN visit b ON lower(a.during) <= b.until AND a.room = b.room WHERE b.since <= lower(a.during);

-- Row security: the condition of a user is not evaluated before the policy.
CREATE ROLE node_ranges_user;
GRANT USAGE ON SCHEMA node_ranges TO node_ranges_user;
GRANT SELECT ON visit, booking TO node_ranges_user;
ALTER TABLE visit ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_rooms ON visit FOR SELECT TO node_ranges_user USING (room < 20);
SET ROLE node_ranges_user;
SELECT compare('SELECT a.id, b.id AS other FROM visit a JOIN booking b ON a.room = b.room AND a.during && b.during');
SELECT compare('SELECT a.id, b.id AS other FROM visit a JOIN booking b ON a.room = b.room AND a.since BETWEEN lower(b.during) AND upper(b.during)');
RESET ROLE;

-- EXPLAIN shows the boxes that are compared, and the condition as written.
EXPLAIN (COSTS OFF) SELECT FROM booking a JOIN booking b ON a.during && b.during AND a.room = b.room;
EXPLAIN (COSTS OFF) SELECT FROM booking a JOIN visit b ON lower(a.during) >= b.since AND lower(a.during) < b.until;

DROP OWNED BY node_ranges_user;
DROP ROLE node_ranges_user;
DROP SCHEMA node_ranges CASCADE;
