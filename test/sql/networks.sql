--
-- Networks and addresses, inet and cidr: every operator in scans and joins, with and without
-- indexes, against sequential scans and nested loops.  SPQTREE_SEED sets another seed than 1,
-- or a new one with "time".
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '10min';
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA networks;
SET search_path = networks, public;
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: networks with seed %', (SELECT seed FROM setup); END $$;

-- Values around some addresses: their bits from some place on are kept, cleared or set, so that
-- values differ at each place, also where an axis of the boxes ends; and the mask has any length.
CREATE FUNCTION value(side int, i int) RETURNS inet STABLE LANGUAGE plpgsql AS $$
DECLARE
  seed bigint := (SELECT s.seed * 2 + side FROM setup s);
  near inet[] := '{0.0.0.0,10.1.2.3,10.1.2.4,10.1.3.0,127.0.0.1,128.0.0.0,192.168.0.1,255.255.255.255,
                   ::,::1,::10.1.2.3,::ffff:10.1.2.3,::ffff:0:0,2001:db8::1,2001:db8:0:7::9,2001:db8:1:2:3:4:5:6,
                   5555:5555:5555:5555:5555:5555:5555:5555,fe80::1:2,ff02::1,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff}';
  ip inet := near[tst.rndint(seed, i, 1, 1, cardinality(near))];
  most int := CASE family(ip) WHEN 4 THEN 32 ELSE 128 END;
  place inet := set_masklen(ip, tst.rndint(seed, i, 2, 0, most));
BEGIN
  ip := CASE tst.rndint(seed, i, 3, 1, 4) WHEN 1 THEN ip & netmask(place) WHEN 2 THEN ip | hostmask(place)
        WHEN 3 THEN ip | (hostmask(place) & set_masklen(near[tst.rndint(seed, i, 4, 1, 8) + CASE most WHEN 32 THEN 0 ELSE 8 END], masklen(ip)))
        ELSE ip END;
  RETURN set_masklen(ip, CASE tst.rndint(seed, i, 5, 1, 4) WHEN 1 THEN most WHEN 2 THEN masklen(place)
                         ELSE tst.rndint(seed, i, 6, 0, most) END);
END $$;
CREATE FUNCTION make(side int, first int, last int)
RETURNS TABLE (id int, ip inet, net cidr, k int, t text) LANGUAGE sql AS $$
  SELECT i, CASE WHEN i % 23 <> 7 THEN v END,
         CASE WHEN i % 19 <> 4 THEN network(value(side + 7, CASE WHEN i % 3 = 0 THEN i ELSE -i END)) END, i % 4, chr(97 + i % 3)
  FROM generate_series(first, last) i, LATERAL (SELECT value(side, i) AS v OFFSET 0) v
$$;
-- built at once, grown, and both
CREATE TABLE a1 AS SELECT * FROM make(1, 1, 240);
CREATE TABLE a2 (LIKE a1);
CREATE INDEX a1_ip ON a1 USING spqtree (ip);
CREATE INDEX a1_net ON a1 USING spqtree (net) INCLUDE (id, net, k, t);
CREATE INDEX a2_ip ON a2 USING spqtree (ip) INCLUDE (id, ip, k);
CREATE INDEX a2_net ON a2 USING spqtree (net);
INSERT INTO a2 SELECT * FROM make(2, 1, 300);
INSERT INTO a1 SELECT * FROM make(1, 241, 320);
DELETE FROM a1 WHERE id % 13 = 0;
VACUUM ANALYZE a1, a2;
UPDATE a2 SET ip = value(2, id + 5000) WHERE id % 17 = 0;
-- every kind is there
SELECT family(ip), count(DISTINCT masklen(ip)) > 25 AS masks, bool_or(ip <> network(ip)) AS host_bits FROM a1 WHERE ip IS NOT NULL GROUP BY 1 ORDER BY 1;

-- The operators of the class are those of PostgreSQL's class for GiST but the order of btree.
SELECT amopstrategy, amopopr::regoperator FROM pg_amop JOIN pg_opfamily f ON f.oid = amopfamily JOIN pg_am m ON m.oid = opfmethod
WHERE amname = 'spqtree' AND opfname = 'inet_ops' ORDER BY 1;
SELECT amvalidate(c.oid) FROM pg_opclass c JOIN pg_am m ON m.oid = opcmethod WHERE amname = 'spqtree' AND opcname = 'inet_ops';

--
-- Scans
--
CREATE TABLE qry AS
SELECT i AS qid, v AS ip FROM generate_series(1, 70) i, LATERAL (SELECT value(3, i) AS v OFFSET 0) v
UNION ALL VALUES (1001, inet '0.0.0.0/0'), (1002, '::/0'), (1003, '10.1.2.3/0'), (1004, '::ffff:0:0/96'), (1005, NULL);
CREATE TABLE scanned (tab text, col text, operator text, plan text, queries int, rows bigint, wrong bigint);
CREATE FUNCTION scan(tab text, col text, operator text, plan text, condition text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body text := format('SELECT array_agg(t.id ORDER BY t.id)::text AS answer FROM %I t WHERE %s', tab, condition);
  expected text[] := tst.answers(body, 'qry', 'seq');
  answer text[] := tst.answers(body, 'qry', plan);
BEGIN
  INSERT INTO scanned
  SELECT tab, col, operator, plan, count(*), coalesce(sum(cardinality(e::text[])), 0), count(*) FILTER (WHERE e IS DISTINCT FROM a)
  FROM unnest(expected, answer) AS u(e, a);
END $$;
SELECT count(scan('a' || side, col, operator, plan, format(condition, 't.' || col, operator)))
FROM generate_series(1, 2) side, unnest('{ip,net}'::text[]) col, unnest('{<<,<<=,>>,>>=,&&,=}'::text[]) operator,
     (VALUES ('index', '%s %s q.ip'), ('bitmap', 'q.ip %2$s %1$s'), ('bitmap', '%s %s ANY (ARRAY[q.ip, network(q.ip), ''10.1.0.0/16''])')) form (plan, condition);
SELECT operator, count(*) AS kinds, min(queries) AS queries, sum(wrong) AS wrong, min(rows) > 0 AS some FROM scanned GROUP BY operator ORDER BY operator COLLATE "C";

-- In an index-only scan the operator is evaluated for the INCLUDE column.
SELECT count(scan(tab, col, operator, 'index only', format('t.%s %s q.ip AND t.k > 0', col, operator)))
FROM (VALUES ('a2', 'ip'), ('a1', 'net')) c(tab, col), unnest('{<<,<<=,>>,>>=,&&,=}'::text[]) operator;
SELECT count(*) AS kinds, sum(wrong) AS wrong, sum(rows) > 0 AS some FROM scanned WHERE plan = 'index only';

-- NULL
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM a1 WHERE ip IS NULL;
SELECT count(*) FROM a1 WHERE ip IS NULL;
SELECT count(*) FROM a1 WHERE ip IS NOT NULL;
SELECT count(*) FROM a1 WHERE ip << NULL;
RESET enable_seqscan;

--
-- Joins
--
CREATE TABLE joined (form text, operator text, plan text, used boolean, same boolean, nrows bigint);
CREATE FUNCTION compare(form text, operator text, query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wrapped text := format('SELECT count(*), md5(string_agg(r::text, '','' ORDER BY r::text COLLATE "C")) FROM (%s) r', query);
  expected text;
  found text;
  n bigint;
  node text;
BEGIN
  PERFORM tst.use_join('loop');
  EXECUTE wrapped INTO n, expected;
  FOREACH node IN ARRAY '{hash,index}'::text[] LOOP
    PERFORM tst.use_join(node);
    EXECUTE wrapped INTO n, found;
    IF found IS DISTINCT FROM expected THEN
      RAISE WARNING 'wrong rows (%): %', node, query;
    END IF;
    INSERT INTO joined VALUES (form, operator, node,
      tst.plan_has(wrapped, CASE node WHEN 'hash' THEN 'Spqtree Spatial Hash Join' ELSE 'Spqtree Index Join' END), found IS NOT DISTINCT FROM expected, n);
  END LOOP;
END $$;
CREATE TABLE form (form text, query text);
INSERT INTO form VALUES
  ('inner', 'SELECT l.id, r.id AS other FROM a1 l JOIN a2 r ON %s'),
  ('left', 'SELECT l.id, l.ip, r.id AS other, r.t FROM a1 l LEFT JOIN a2 r ON %s'),
  ('right', 'SELECT l.id, l.net, r.id AS other, r.t FROM a1 l RIGHT JOIN a2 r ON %s'),
  ('left filter', 'SELECT l.id, r.id AS other FROM a1 l LEFT JOIN a2 r ON %s AND l.k < r.k WHERE r.t IS DISTINCT FROM ''a'''),
  ('semi', 'SELECT l.id, l.t FROM a1 l WHERE EXISTS (SELECT FROM a2 r WHERE %s)'),
  ('anti', 'SELECT l.id, l.t FROM a1 l WHERE NOT EXISTS (SELECT FROM a2 r WHERE %s)'),
  ('filter', 'SELECT l.id, r.id AS other FROM a1 l JOIN a2 r ON %s AND l.k = r.k WHERE l.t = ''b''');
SELECT count(compare(form, operator, format(query, format('l.%s %s r.%s', l, operator, r))))
FROM form, unnest('{<<,<<=,>>,>>=,&&}'::text[]) operator, (VALUES ('ip', 'ip'), ('ip', 'net'), ('net', 'net')) columns (l, r);
SELECT plan, operator, count(*) AS queries, count(*) FILTER (WHERE NOT used) AS otherwise, bool_and(same) AS same, bool_and(nrows > 0) AS some
FROM joined GROUP BY plan, operator ORDER BY plan, operator COLLATE "C";
SELECT plan, form, count(*) AS queries, count(*) FILTER (WHERE NOT used) AS otherwise FROM joined GROUP BY plan, form ORDER BY plan, form;

-- By several processes, and with little memory.
CREATE TABLE big1 AS SELECT * FROM make(1, 1, 900);
CREATE TABLE big2 AS SELECT * FROM make(2, 1, 1400);
ANALYZE big1, big2;
SELECT condition, parallel, same, nrows > 1000 AS many
FROM unnest('{l.ip << r.net,l.ip <<= r.net,l.net >>= r.ip,l.net >> r.net,l.ip && r.ip}'::text[]) condition, tst.small_and_parallel(format('SELECT count(*), sum(l.id * r.id::bigint) FROM big1 l JOIN big2 r ON %s', condition));

-- The longest prefix for each address, and which addresses have none.
SET enable_nestloop = off;
SELECT tst.plan_has('SELECT DISTINCT ON (l.id) l.id, r.net FROM big1 l LEFT JOIN big2 r ON l.ip <<= r.net ORDER BY l.id, masklen(r.net) DESC NULLS LAST, r.id', 'Spatial Hash Join');
CREATE TABLE longest AS
SELECT DISTINCT ON (l.id) l.id, r.net FROM big1 l LEFT JOIN big2 r ON l.ip <<= r.net ORDER BY l.id, masklen(r.net) DESC NULLS LAST, r.id;
RESET enable_nestloop;
SET spqtree.enable = off;
SELECT count(*), count(f.net) > 0 AS some, count(*) - count(f.net) > 0 AS none,
       count(*) FILTER (WHERE f.net IS DISTINCT FROM (SELECT r.net FROM big2 r WHERE r.net >>= l.ip ORDER BY masklen(r.net) DESC, r.id LIMIT 1)) AS wrong
FROM longest f JOIN big1 l USING (id);
RESET spqtree.enable;

--
-- Estimates
--
CREATE TABLE route AS
SELECT i AS id, network(set_masklen(inet '10.0.0.0' + (hashint4(i)::bigint & 16777215), 12 + i % 11)) AS net, inet '10.0.0.0' + (hashint4(-i)::bigint & 16777215) AS ip
FROM generate_series(1, 8000) i;
ANALYZE route;
SELECT query, tst.off_by('SELECT FROM ' || query) <= 3 AS near
FROM unnest('{route a JOIN route b ON a.ip <<= b.net,route a JOIN route b ON a.ip << b.net,route a JOIN route b ON a.net << b.net,route a JOIN route b ON a.net >>= b.net,route a JOIN route b ON a.net && b.net,route WHERE ip <<= ''10.64.0.0/10'',route WHERE net << ''10.64.0.0/10'',route WHERE net && ''10.0.0.0/9''}'::text[]) query;

--
-- Indexes
--
SELECT count(*) FROM unnest('{a1_ip,a1_net,a2_ip,a2_net}'::regclass[]) i, spqtree_check(i);

-- Hosts in one network of IPv6, in an index that is built or grows: a page is an interval of
-- addresses, so a small block is on few pages, whatever comes after its bits.
CREATE TABLE host AS
SELECT i AS id, inet '2001:db8::' + (hashint8extended(i, 1) & 9223372036854775807) AS ip FROM generate_series(1, 8000) i
UNION ALL SELECT i, set_masklen(inet '2001:db8:a::' | (inet '0:0:0:ffff::' & (inet '::' + (i & 1023)::bigint)), 128) | (inet '::' + i::bigint) FROM generate_series(8001, 16000) i
UNION ALL SELECT i, set_masklen(inet '2400::' + (hashint8extended(i, 2) & 9223372036854775807), 128) FROM generate_series(16001, 20000) i;
CREATE INDEX host_ip ON host USING spqtree (ip) INCLUDE (id);
CREATE TABLE grown (LIKE host);
CREATE INDEX grown_ip ON grown USING spqtree (ip) INCLUDE (id);
INSERT INTO grown SELECT * FROM host ORDER BY hashint4(id);
VACUUM ANALYZE host, grown;
CREATE FUNCTION buffers(query text) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  plan jsonb;
BEGIN
  EXECUTE query;
  EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT json) ' || query INTO plan;
  IF plan::text !~ '"Index Name"' THEN
    RAISE EXCEPTION 'no index: %', query;
  END IF;
  RETURN (plan #> '{0,Plan,Shared Hit Blocks}')::int + (plan #> '{0,Plan,Shared Read Blocks}')::int;
END $$;
SELECT tab, max(buffers(format('SELECT id FROM %I WHERE ip <<= %L', tab, network(set_masklen(ip, length))))) <= most AS few
FROM (VALUES ('host', 10), ('grown', 40)) t(tab, most), unnest('{124,125,127,128}'::int[]) length, (SELECT ip FROM host WHERE id % 1000 = 0) h
GROUP BY tab, most ORDER BY tab;

-- Before a spatial column equality is all that such a column has, before ranges as well; after
-- ranges it is the spatial one.
CREATE TABLE lease AS
SELECT i AS id, CASE WHEN i % 9 = 0 THEN '10.1.2.3' ELSE value(1, i % 300) END AS ip, int4range(i % 50, i % 50 + 10) AS during,
       box(point(i % 40, i % 30), point(i % 40 + 1, i % 30 + 1)) AS b
FROM generate_series(1, 3000) i;
CREATE INDEX lease_b ON lease USING spqtree (ip, b);
CREATE INDEX lease_during ON lease USING spqtree (ip, during);
DELETE FROM qry WHERE qid > 9;
TRUNCATE scanned;
SELECT count(scan('lease', 'ip', condition, 'bitmap', condition))
FROM unnest('{t.ip = ''10.1.2.3'' AND t.during @> q.qid,t.ip = q.ip AND t.b && ''(20\,20\,0\,0)'',t.ip <<= ''10.0.0.0/8'' AND t.during @> q.qid}'::text[]) condition;
DROP INDEX lease_b, lease_during;
CREATE INDEX lease_ip ON lease USING spqtree (during, ip);
SELECT count(scan('lease', 'ip', condition, 'bitmap', condition))
FROM unnest('{t.during = int4range(q.qid\, q.qid + 10) AND t.ip && ''10.1.2.0/24'',t.ip >>= q.ip}'::text[]) condition;
SELECT operator, rows > 0 AS some, wrong FROM scanned ORDER BY operator COLLATE "C";
SELECT count(*) FROM spqtree_check('lease_ip');

-- An exclusion constraint: no two blocks may overlap.
CREATE TABLE pool (net cidr, EXCLUDE USING spqtree (net WITH &&));
INSERT INTO pool VALUES ('10.1.0.0/16'), ('10.2.0.0/16'), ('2001:db8::/32'), ('::ffff:10.1.0.0/112');
INSERT INTO pool VALUES ('10.1.2.0/24');
INSERT INTO pool VALUES ('::/0');
INSERT INTO pool VALUES ('11.0.0.0/8'), ('2001:db9::/32');
SELECT count(*) FROM pool;

DROP SCHEMA networks CASCADE;
