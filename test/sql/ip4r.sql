--
-- Ranges of addresses, of the extension ip4r: every operator of every type in scans and joins, with and
-- without indexes, against sequential scans and nested loops.  SPQTREE_SEED sets another seed than 1, or
-- a new one with "time".
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '10min';
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA ip4rs;
SET search_path = ip4rs, public;
CREATE EXTENSION spqtree_ip4r CASCADE;
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: ip4r with seed %', (SELECT seed FROM setup); END $$;
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname ~ '^spqtree_ip' ORDER BY 1;
-- all objects of the extension
\getenv abs_srcdir PG_ABS_SRCDIR
\set ECHO none
\i :abs_srcdir/definitions.sql
\set ECHO all
\pset format unaligned
\pset tuples_only on
SELECT concat_ws(': ', object, definition, comment) FROM definition WHERE extname = 'spqtree_ip4r' ORDER BY object, definition;
\pset format aligned
\pset tuples_only off
DROP VIEW definition;

-- An address: near one of these, with its last bits kept, cleared or set from any place on, so that
-- addresses differ at each place, also where an axis of the boxes ends.
CREATE FUNCTION address(seed bigint, i bigint, v6 boolean) RETURNS inet STABLE LANGUAGE sql AS $$
  SELECT CASE tst.rndint(seed, i, 3, 1, 5) WHEN 1 THEN set_masklen(ip & netmask(place), most)
         WHEN 2 THEN set_masklen(ip | hostmask(place), most) WHEN 3 THEN ip + tst.rndint(seed, i, 4, 0, 3) * CASE WHEN ip > '255.255.255.250' THEN 0 ELSE 1 END
         ELSE ip END
  FROM (SELECT ip, CASE WHEN v6 THEN 128 ELSE 32 END AS most,
               set_masklen(ip, tst.rndint(seed, i, 2, 0, CASE WHEN v6 THEN 128 ELSE 32 END)) AS place
        FROM (SELECT CASE WHEN v6 THEN ('{::,::1,::10.1.2.3,::ffff:10.1.2.3,::ffff:0:0,2001:db8::1,2001:db8:0:7::9,2001:db8:1:2:3:4:5:6,
                        5555:5555:5555:5555:5555:5555:5555:5555,2001:db8:1f:ffff::,2001:db8:20::,fe80::1:2,ff02::1,ffff:ffff:ffff:ffff:ffff:ffff:ffff:fff0}'::inet[])[tst.rndint(seed, i, 1, 1, 14)]
                     ELSE ('{0.0.0.0,10.1.2.3,10.1.2.4,10.1.3.0,127.0.0.1,128.0.0.0,192.168.0.1,255.255.255.250}'::inet[])[tst.rndint(seed, i, 1, 1, 8)] END AS ip) a) b
$$;
-- A range: of one address, a prefix, or between any two addresses.
CREATE FUNCTION prefix(seed bigint, i bigint, v6 boolean) RETURNS cidr STABLE LANGUAGE sql
RETURN network(set_masklen(address(seed, i, v6), tst.rndint(seed, i, 11, 0, CASE WHEN v6 THEN 128 ELSE 32 END)));
CREATE FUNCTION range4(seed bigint, i bigint) RETURNS ip4r STABLE LANGUAGE sql
RETURN CASE tst.rndint(seed, i, 12, 1, 3) WHEN 1 THEN ip4(address(seed, i, false))::ip4r WHEN 2 THEN ip4r(prefix(seed, i, false))
       ELSE ip4r(ip4(address(seed, i, false)), ip4(address(seed, -i - 9, false))) END;
CREATE FUNCTION range6(seed bigint, i bigint) RETURNS ip6r STABLE LANGUAGE sql
RETURN CASE tst.rndint(seed, i, 12, 1, 3) WHEN 1 THEN ip6(address(seed, i, true))::ip6r WHEN 2 THEN ip6r(prefix(seed, i, true))
       ELSE ip6r(ip6(address(seed, i, true)), ip6(address(seed, -i - 9, true))) END;
CREATE FUNCTION make(side int, first int, last int)
RETURNS TABLE (id int, a4 ip4, r4 ip4r, a6 ip6, r6 ip6r, a ipaddress, r iprange, c cidr, lo ip4, k int) LANGUAGE sql AS $$
  SELECT i, CASE WHEN i % 23 <> 7 THEN ip4(address(s, i, false)) END, CASE WHEN i % 19 <> 4 THEN range4(s, i) END,
         CASE WHEN i % 23 <> 8 THEN ip6(address(s, i, true)) END, CASE WHEN i % 19 <> 5 THEN range6(s, i) END,
         CASE WHEN i % 23 <> 9 THEN ipaddress(address(s, i + 1000, i % 2 = 0)) END,
         CASE WHEN i % 19 = 6 THEN NULL WHEN i % 50 = 3 THEN '-' WHEN i % 2 = 0 THEN range4(s, i + 2000)::iprange ELSE range6(s, i + 2000)::iprange END,
         prefix(s, i, i % 2 = 0), ip4(address(s, i + 3000, false)), i % 4
  FROM generate_series(first, last) i, (SELECT seed * 9 + side AS s FROM setup OFFSET 0) v
$$;
-- built at once, grown, and both
CREATE TABLE t1 AS SELECT * FROM make(1, 1, 160);
CREATE TABLE t2 (LIKE t1);
CREATE INDEX t1_r4 ON t1 USING spqtree (r4);
CREATE INDEX t1_r6 ON t1 USING spqtree (r6);
CREATE INDEX t1_r ON t1 USING spqtree (r) INCLUDE (id, r, k);
CREATE INDEX t1_a4 ON t1 USING spqtree (ip4r(a4));
CREATE INDEX t2_r4 ON t2 USING spqtree (r4) INCLUDE (id, r4, k);
CREATE INDEX t2_r6 ON t2 USING spqtree (r6);
CREATE INDEX t2_r ON t2 USING spqtree (r);
CREATE INDEX t2_a ON t2 USING spqtree (iprange(a));
INSERT INTO t2 SELECT * FROM make(2, 1, 200);
INSERT INTO t1 SELECT * FROM make(1, 161, 200);
INSERT INTO t1 (id, r4, r6, r) VALUES (1001, '0.0.0.0/0', '::/0', '-'), (1002, '255.255.255.255', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '0.0.0.0/0'),
                                      (1003, '0.0.0.0', '::', '::/0'), (1004, '10.1.2.3-10.1.3.0', '2001:db8::1-2001:db8:ffff::', '2001:db8::5-2001:db8::9');
DELETE FROM t1 WHERE id % 13 = 0;
VACUUM ANALYZE t1, t2;
UPDATE t2 SET r4 = range4(7, id), r = range6(7, id) WHERE id % 17 = 0;
-- every kind is there
SELECT count(*) FILTER (WHERE is_cidr(r4) AND lower(r4) < upper(r4)) > 9 AND count(*) FILTER (WHERE lower(r4) = upper(r4)) > 9 AND count(*) FILTER (WHERE NOT is_cidr(r4)) > 9 AS v4,
       count(*) FILTER (WHERE is_cidr(r6) AND lower(r6) < upper(r6)) > 9 AND count(*) FILTER (WHERE lower(r6) = upper(r6)) > 9 AND count(*) FILTER (WHERE NOT is_cidr(r6)) > 9 AS v6,
       count(DISTINCT pg_column_size(r)) > 4 AND count(DISTINCT family(r)) = 2 AS both, count(*) FILTER (WHERE r = '-') > 1 AS everything FROM t1;

--
-- Scans
--
CREATE TABLE qry AS
SELECT id AS qid, r4, r6, r FROM make(3, 1, 50)
UNION ALL VALUES (1001, '0.0.0.0/0'::ip4r, '::/0'::ip6r, '-'::iprange), (1002, '10.1.2.3', '::ffff:0:0/96', '0.0.0.0/0'), (1003, '10.1.2.0/24', '2001:db8::/32', '::/0'), (1004, NULL, NULL, NULL);
CREATE TABLE scanned (tab text, operator text, plan text, queries int, rows bigint, wrong bigint);
CREATE FUNCTION scan(tab text, operator text, plan text, condition text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body text := format('SELECT array_agg(t.id ORDER BY t.id)::text AS answer FROM %I t WHERE %s', tab, condition);
  expected text[] := tst.answers(body, 'qry', 'seq');
  answer text[] := tst.answers(body, 'qry', plan);
BEGIN
  INSERT INTO scanned
  SELECT tab, operator, plan, count(*), coalesce(sum(cardinality(e::text[])), 0), count(*) FILTER (WHERE e IS DISTINCT FROM a)
  FROM unnest(expected, answer) AS u(e, a);
END $$;
SELECT count(scan('t' || side, operator, plan, format(condition, col, operator)))
FROM generate_series(1, 2) side, unnest('{r4,r6,r}'::text[]) col, unnest('{<<,<<=,>>,>>=,&&,=}'::text[]) operator,
     (VALUES ('index', 't.%1$s %2$s q.%1$s'), ('bitmap', 'q.%1$s %2$s t.%1$s')) form (plan, condition);
-- addresses, by the expression that the cast is; in an index-only scan the operator is evaluated for the INCLUDE column
SELECT count(scan(tab, operator, 'bitmap', format('%s %s q.%s', expr, operator, q)))
FROM (VALUES ('t1', 't.a4', 'r4'), ('t2', 't.a', 'r')) c(tab, expr, q), unnest('{<<,<<=,>>=,&&}'::text[]) operator;
SELECT count(scan(tab, operator, 'index only', format('t.%s %s q.%1$s AND t.k > 0', col, operator)))
FROM (VALUES ('t2', 'r4'), ('t1', 'r')) c(tab, col), unnest('{<<,<<=,>>,>>=,&&,=}'::text[]) operator;
SELECT operator, plan, count(*) AS kinds, min(queries) AS queries, sum(wrong) AS wrong, sum(rows) > 0 AS some FROM scanned GROUP BY operator, plan ORDER BY operator COLLATE "C", plan;
SELECT count(*) FROM unnest('{t1_r4,t1_r6,t1_r,t1_a4,t2_r4,t2_r6,t2_r,t2_a}'::regclass[]) i, spqtree_check(i);

--
-- Joins
--
CREATE TABLE joined (condition text, plan text, used boolean, same boolean, nrows bigint);
CREATE FUNCTION compare(condition text, query text, VARIADIC nodes text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wrapped text := format('SELECT count(*), md5(string_agg(j::text, '','' ORDER BY j::text COLLATE "C")) FROM (%s) j', format(query, condition));
  expected text;
  found text;
  n bigint;
  node text;
BEGIN
  PERFORM tst.use_join('loop');
  EXECUTE wrapped INTO n, expected;
  FOREACH node IN ARRAY nodes LOOP
    PERFORM tst.use_join(node);
    EXECUTE wrapped INTO n, found;
    IF found IS DISTINCT FROM expected THEN
      RAISE WARNING 'wrong rows (%): %', node, format(query, condition);
    END IF;
    INSERT INTO joined VALUES (condition, node,
      tst.plan_has(wrapped, CASE node WHEN 'hash' THEN 'Spqtree Spatial Hash Join' ELSE 'Spqtree Index Join' END), found IS NOT DISTINCT FROM expected, n);
  END LOOP;
END $$;
CREATE TABLE form (query text);
INSERT INTO form VALUES
  ('SELECT l.id, m.id AS other FROM t1 l JOIN t2 m ON %s'),
  ('SELECT l.id, l.r4, m.id AS other, m.r FROM t1 l LEFT JOIN t2 m ON %s'),
  ('SELECT l.id FROM t1 l WHERE EXISTS (SELECT FROM t2 m WHERE %s)'),
  ('SELECT l.id FROM t1 l WHERE NOT EXISTS (SELECT FROM t2 m WHERE %s)'),
  ('SELECT l.id, m.id AS other FROM t1 l JOIN t2 m ON %s AND l.k = m.k');
-- ranges with ranges, by the node and by two indexes
SELECT count(compare(format('l.%s %s m.%1$s', col, operator), query, 'hash', 'index'))
FROM form, unnest('{r4,r6,r}'::text[]) col, unnest('{<<,<<=,>>,>>=,&&}'::text[]) operator;
-- addresses, which are cast, and other expressions
SELECT count(compare(condition, query, 'hash'))
FROM (SELECT query FROM form WHERE query ~ 'ON %s$') form, unnest('{l.a4 <<= m.r4,m.r4 >>= l.a4,l.a6 <<= m.r6,l.a6 << m.r6,l.a <<= m.r,m.r >> l.a,l.a4 <<= m.r,l.a6 && m.r,l.a4 && m.a,l.r4 <<= m.r,l.r >>= m.r6,l.a <<= iprange(m.c),"l.a4 <<= ip4r(m.a4, m.lo)"}'::text[]) condition;
SELECT plan, count(*) AS queries, min(condition) FILTER (WHERE NOT used) AS otherwise, bool_and(same) AS same, min(condition) FILTER (WHERE nrows = 0) AS none
FROM joined GROUP BY plan ORDER BY plan;

-- By several processes, and with little memory.
CREATE TABLE big1 AS SELECT * FROM make(1, 1, 700);
CREATE TABLE big2 AS SELECT * FROM make(2, 1, 1000);
ANALYZE big1, big2;
SELECT condition, same, nrows > 1000 AS many
FROM unnest('{l.a4 <<= m.r4,l.r6 && m.r6,l.a <<= m.r}'::text[]) condition, tst.small_and_parallel(format('SELECT count(*), sum(l.id * m.id::bigint) FROM big1 l JOIN big2 m ON %s', condition));

--
-- Plans and estimates, also without the right to call a cast, and without estimates from errors of others
--
EXPLAIN (COSTS OFF) SELECT l.id, m.id FROM big1 l JOIN big2 m ON l.a4 <<= m.r4;
EXPLAIN (COSTS OFF) SELECT l.id, m.id FROM big1 l LEFT JOIN big2 m ON m.r >> l.a AND m.k = 1;
CREATE TABLE route AS
SELECT i AS id, ip4r(n) AS r4, ip4(ip) AS a4, iprange(n) AS r, ipaddress(ip) AS a, ip6r(n6) AS r6, ip6(ip6) AS a6, text(ip4(ip)) AS t
FROM (SELECT i, network(set_masklen(inet '10.0.0.0' + (hashint4(i)::bigint & 16777215), 12 + i % 11)) AS n, inet '10.0.0.0' + (hashint4(-i)::bigint & 16777215) AS ip,
             network(set_masklen(inet '2001:db8::' + (hashint8extended(i, 1) & 9223372036854775807), 66 + i % 11)) AS n6, inet '2001:db8::' + (hashint8extended(i, 2) & 9223372036854775807) AS ip6
      FROM generate_series(1, 6000) i) v;
ANALYZE route;
SELECT query, tst.off_by('SELECT FROM ' || query) <= 3 AS near
FROM unnest('{route x JOIN route y ON x.a4 <<= y.r4,route x JOIN route y ON x.r4 << y.r4,route x JOIN route y ON x.r4 && y.r4,route x JOIN route y ON x.a <<= y.r,route x JOIN route y ON x.a6 <<= y.r6,route x JOIN route y ON x.r6 << y.r6,route x JOIN route y ON x.a4 <<= y.r,route WHERE a4 <<= ip4r ''10.64.0.0/10'',route WHERE r4 << ''10.64.0.0/10'',route WHERE r && ''10.0.0.0/9'',route WHERE a6 <<= ip6r ''2001:db8::/66''}'::text[]) query;
-- nothing is raised for rows that the query does not reach: casts from text are not evaluated for estimates
INSERT INTO route (id, t) VALUES (0, 'nonsense');
ANALYZE route;
SELECT tst.expected_rows('SELECT FROM route x JOIN route y ON ip4r(x.t) <<= y.r4 WHERE x.id > 0') > 0 AS planned;

-- Advice, with the cast that the index needs, and without our extension
SELECT advice FROM spqtree_advise('SELECT FROM route WHERE a4 <<= ip4r ''10.64.0.0/10''') WHERE advice LIKE 'CREATE%';
CREATE INDEX route_a4 ON route USING spqtree (((a4)::ip4r));
ANALYZE route;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT FROM route WHERE a4 <<= ip4r '10.64.0.0/20';
RESET enable_seqscan;
RESET enable_bitmapscan;

-- An exclusion constraint: no two ranges may overlap.  Before a spatial column a range has equality.
CREATE TABLE pool (site iprange, net iprange, EXCLUDE USING spqtree (site WITH =, net WITH &&));
INSERT INTO pool VALUES ('-', '10.1.0.0/16'), ('-', '10.2.0.0/16'), ('-', '2001:db8::/32'), ('10.0.0.0/8', '10.1.0.0/16');
INSERT INTO pool VALUES ('-', '10.1.2.0-10.1.3.7');
INSERT INTO pool VALUES ('-', '2001:db7::5-2001:db8::');
INSERT INTO pool VALUES ('10.0.0.0/8', '-');
INSERT INTO pool VALUES ('-', '10.3.0.0-10.3.1.7'), ('-', '2001:db9::/32');
SELECT count(*) FROM pool;

-- Errors and hints
CREATE TABLE plain (a ip4, b ipaddress);
CREATE INDEX ON plain USING spqtree (a);
CREATE INDEX ON plain USING spqtree (b);
DROP EXTENSION spqtree_ip4r CASCADE;
CREATE INDEX ON route USING spqtree (r4);
SELECT advice FROM spqtree_advise('SELECT FROM route x JOIN route y ON x.a4 <<= y.r4') WHERE advice LIKE 'CREATE%';
DROP EXTENSION ip4r CASCADE;
DROP SCHEMA ip4rs CASCADE;
