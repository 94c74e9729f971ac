--
-- spqtree_advise(query): what it says of joins, conditions and subqueries.  Costs and sizes
-- differ between versions, so they are N here.  EXPLAIN (SPQTREE), from PostgreSQL 18 on, says
-- the same.
--
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA advise_query;
SET search_path = advise_query, public;

CREATE FUNCTION numbers_gone(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT regexp_replace(regexp_replace($1, '\m(cost|it|of|takes|allows) \d+( rows)?( bytes| kB| MB)?', '\1 N', 'g'), '^\d+ kB', 'N kB') $$;
-- Without what it says of the whole database, and of the settings of this server.
CREATE FUNCTION advised(query text, OUT object text, OUT finding text, OUT advice text) RETURNS SETOF record LANGUAGE sql AS $$
SELECT regexp_replace(object, '\(SubPlan [^)]*\)', '(SubPlan)'), numbers_gone(finding), advice FROM spqtree_advise(query) WHERE object !~ '^(library|setting effective)' $$;

CREATE TABLE house (id int PRIMARY KEY, b box, c circle, outline polygon);
INSERT INTO house
SELECT i, box(point(x, y), point(x + 1, y + 1)), circle(point(x, y), 1), polygon(box(point(x, y), point(x + 1, y + 1)))
FROM (SELECT i, i % 60 AS x, i / 60 AS y FROM generate_series(1, 3000) i) s;
CREATE TABLE road (id int, b box, p point);
INSERT INTO road SELECT i, box(point(i, i), point(i + 9, i)), point(i % 50, i) FROM generate_series(1, 2000) i;
CREATE TABLE stay (id int, at timestamp, until timestamp, during tsrange);
INSERT INTO stay SELECT i, t, t + interval '1 hour', tsrange(t, t + interval '1 hour')
FROM generate_series(1, 2000) i, LATERAL (SELECT timestamp '2026-01-01' + i * interval '1 minute' AS t) s;
CREATE TABLE few AS SELECT * FROM road WHERE id < 10;
ANALYZE house, road, stay, few;

-- Joins by the node.
SELECT * FROM advised('SELECT count(*) FROM house JOIN road ON house.b && road.b');
SELECT * FROM advised('EXPLAIN SELECT * FROM house h LEFT JOIN road r ON h.c @> r.p');
SELECT * FROM advised('SELECT * FROM house h WHERE NOT EXISTS (SELECT FROM road r WHERE h.b && r.b)');
SELECT * FROM advised('SELECT * FROM house a JOIN house b ON a.b && b.b JOIN road r ON r.b && b.b WHERE a.id < 10');
SELECT * FROM advised('SELECT * FROM stay a JOIN stay b ON a.at BETWEEN b.at AND b.until');
SELECT * FROM advised('SELECT * FROM stay a JOIN stay b ON a.during && b.during WHERE a.id = $1');
SELECT * FROM advised('DELETE FROM house USING road WHERE house.b && road.b');
-- Too little memory; the advice is enough.
SET work_mem = '64kB';
SELECT * FROM advised('SELECT * FROM house a JOIN house b ON a.b && b.b');
SELECT advice FROM advised('SELECT * FROM house a JOIN house b ON a.b && b.b') \gexec
SELECT finding FROM advised('SELECT * FROM house a JOIN house b ON a.b && b.b');
RESET work_mem;

-- Joins that could have it.
SET spqtree.enable_hashjoin = off;
SELECT * FROM advised('SELECT count(*) FROM house JOIN road ON house.b && road.b');
RESET spqtree.enable_hashjoin;
SET enable_hashjoin = off;
SELECT * FROM advised('SELECT count(*) FROM house JOIN road ON house.b && road.b');
RESET enable_hashjoin;
SET spqtree.enable = off;
SELECT * FROM advised('SELECT count(*) FROM house JOIN road ON house.b && road.b');
RESET spqtree.enable;
CREATE INDEX house_b ON house USING spqtree (b);
SELECT * FROM advised('SELECT count(*) FROM house JOIN few ON house.b && few.b WHERE few.id = 1');

-- Conditions that are no key, and what to write instead.
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON h.b && r.b OR h.c @> r.p');
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON h.b && r.b OR h.b IS NULL');
SELECT * FROM advised('SELECT * FROM stay a JOIN stay b ON a.at >= b.at AND (a.at < b.until OR b.until IS NULL)');
SELECT * FROM advised('SELECT * FROM stay a JOIN stay b ON a.at >= b.at AND (b.at IS NULL OR b.at <= a.until)');
SELECT * FROM advised('SELECT * FROM stay a JOIN stay b ON a.at >= b.at');
SELECT * FROM advised('SELECT * FROM house a JOIN house b ON a.id < b.id AND area(box(a.c::point, b.c::point)) < 2');
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON NOT h.b && r.b');
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON h.b << r.b');
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON box(h.c::point, r.p) && h.b');
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON h.b && box(r.p, point(random(), 1))');
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON h.b && (SELECT b FROM few WHERE few.id = r.id)');
SELECT * FROM advised('SELECT * FROM house h LEFT JOIN road r ON h.id = r.id WHERE h.b && r.b OR r.id IS NULL');
-- The forms that it gives have the pairs of the condition.
SELECT count(*) FROM house h JOIN road r ON h.b && r.b OR h.c @> r.p;
SELECT sum(n) FROM (SELECT count(*) FROM house h, road r WHERE (h.b && r.b) UNION ALL SELECT count(*) FROM house h, road r WHERE (h.c @> r.p) AND (h.b && r.b) IS NOT TRUE) s(n);
SELECT advice FROM advised('SELECT * FROM house h WHERE EXISTS (SELECT FROM road r WHERE h.b && r.b OR h.c @> r.p)') WHERE object ~ ' OR ';
SELECT advice FROM advised('SELECT * FROM house h WHERE NOT EXISTS (SELECT FROM road r WHERE h.b && r.b OR h.c @> r.p)') WHERE object ~ ' OR ';
SELECT count(*) FROM house h WHERE EXISTS (SELECT FROM road r WHERE h.b && r.b OR h.c @> r.p);
SELECT sum(n) FROM (
	SELECT count(*) FROM house h WHERE EXISTS (SELECT FROM road r WHERE h.b && r.b)
	UNION ALL SELECT count(*) FROM house h WHERE EXISTS (SELECT FROM road r WHERE h.c @> r.p) AND NOT EXISTS (SELECT FROM road r WHERE h.b && r.b)) s(n);
SELECT count(*) FROM house h WHERE NOT EXISTS (SELECT FROM road r WHERE h.b && r.b OR h.c @> r.p);
SELECT count(*) FROM house h WHERE NOT EXISTS (SELECT FROM road r WHERE h.b && r.b) AND NOT EXISTS (SELECT FROM road r WHERE h.c @> r.p);
-- Two outer joins would have other rows.
SELECT * FROM advised('SELECT * FROM house h LEFT JOIN road r ON h.b && r.b OR h.c @> r.p') WHERE object ~ ' OR ';
SELECT advice FROM advised('SELECT * FROM few f RIGHT JOIN road r ON f.b && r.b OR f.b @> r.p') WHERE object ~ ' OR ';
UPDATE stay SET until = NULL WHERE id % 7 = 0;
SELECT count(*) FROM stay a JOIN stay b ON a.at >= b.at AND (a.at < b.until OR b.until IS NULL);
SELECT count(*) FROM stay a JOIN stay b ON a.at >= b.at AND a.at < coalesce(b.until, 'infinity');
SELECT * FROM advised('SELECT count(*) FROM stay a JOIN stay b ON a.at >= b.at AND a.at < coalesce(b.until, ''infinity'')');
-- Values between others that are no numbers are no intervals.
SELECT * FROM advised('SELECT count(*) FROM house h JOIN road r ON h.id::text BETWEEN r.id::text AND r.p::text');
-- Joins without extent are of no concern.
SELECT * FROM advised('SELECT * FROM house h JOIN road r USING (id)');

-- Subqueries that are run for each row.
SELECT * FROM advised('SELECT h.id, (SELECT count(*) FROM road r WHERE r.b && h.b) FROM house h');
SELECT * FROM advised('SELECT f.id, s.n FROM few f, LATERAL (SELECT max(r.id) AS n FROM road r WHERE r.b && f.b) s');
SELECT * FROM advised('SELECT f.id, s.id FROM few f, LATERAL (SELECT id FROM road r WHERE r.b && f.b LIMIT 1) s');
-- A table without an index is kept in memory, if there is enough.
CREATE TABLE spot AS SELECT id, b FROM road;
ANALYZE spot;
SELECT * FROM advised('SELECT h.id, (SELECT count(*) FROM spot s WHERE s.b && h.b) FROM house h');
SELECT * FROM advised('SELECT h.id, s.id FROM house h, LATERAL (SELECT id FROM spot s WHERE s.b && h.b ORDER BY area(s.b # h.b) DESC LIMIT 1) s');
SET work_mem = '64kB';
SELECT * FROM advised('SELECT h.id, (SELECT count(*) FROM spot s WHERE s.b && h.b) FROM house h');
SELECT * FROM advised('SELECT h.id, s.id FROM house h, LATERAL (SELECT id FROM spot s WHERE s.b && h.b ORDER BY area(s.b # h.b) DESC LIMIT 1) s');
RESET work_mem;
-- The nearest of several levels is that for whose rows it is run.
SELECT * FROM advised('SELECT (SELECT (SELECT count(*) FROM road r WHERE r.b && box(a.p, f.p)) FROM few f LIMIT 1) FROM road a') WHERE object ~ 'condition';
SELECT * FROM advised('SELECT (SELECT (SELECT count(*) FROM road r WHERE r.b && box(f.p, a.p)) FROM few f LIMIT 1) FROM road a') WHERE object ~ 'condition';
-- The form has the same rows.
SELECT count(*), sum(n) FROM (SELECT h.id, (SELECT count(*) FROM road r WHERE r.b && h.b) AS n FROM house h) s;
SELECT count(*), sum(n) FROM (SELECT h.id, count(r.id) AS n FROM house h LEFT JOIN road r ON r.b && h.b GROUP BY h.id) s;
-- It has all conditions of the subquery.
SELECT advice FROM advised('SELECT h.id, (SELECT max(r.id) FROM road r WHERE r.b && h.b AND r.id < h.id % 40 AND (r.p IS NULL OR r.id < 1000)) FROM house h') WHERE object ~ '&&';
SELECT count(*), sum(n) FROM (SELECT h.id, (SELECT max(r.id) FROM road r WHERE r.b && h.b AND r.id < h.id % 40 AND (r.p IS NULL OR r.id < 1000)) AS n FROM house h) s;
SELECT count(*), sum(n) FROM (SELECT h.id, max(r.id) AS n FROM house h LEFT JOIN road r ON r.b && h.b AND r.id < h.id % 40 AND (r.p IS NULL OR r.id < 1000) GROUP BY h.id) s;
SELECT advice FROM advised('SELECT h.id, (SELECT count(*) FROM road r WHERE r.b && h.b AND r.id = (SELECT max(id) FROM few f WHERE f.id < r.id)) FROM house h') WHERE object ~ '&&';

-- Conditions on one table.
SELECT * FROM advised('SELECT * FROM house WHERE b && box ''((1,1),(2,2))''');
SELECT * FROM advised('SELECT * FROM road WHERE b && box ''((1,1),(2,2))''');
SELECT * FROM advised('SELECT * FROM few WHERE b && box ''((1,1),(2,2))''');
SELECT * FROM advised('SELECT * FROM house WHERE b && box ''((-1,-1),(99,99))''');
SELECT * FROM advised('SELECT * FROM house WHERE b = box ''((1,1),(2,2))''');
SELECT * FROM advised('SELECT * FROM house WHERE area(b) > 1');
SELECT * FROM advised('SELECT * FROM house WHERE box(outline) && box ''((1,1),(2,2))''');
SELECT * FROM advised('SELECT * FROM house WHERE NOT b && box ''((1,1),(2,2))''');
SELECT * FROM advised('SELECT * FROM house WHERE b && box ''((1,1),(2,2))'' OR b && $1');
SELECT * FROM advised('SELECT * FROM house WHERE c && circle ''<(1,2),3>'' OR b && box ''((1,1),(2,2))''');
CREATE INDEX road_p ON road USING spqtree (p);
SELECT * FROM advised('SELECT * FROM road WHERE p <-> point(3,4) < 2');
-- The advice can be run, and then the index is searched.
SELECT advice FROM advised('SELECT * FROM house WHERE box(outline) && box ''((1,1),(2,2))''') \gexec
ANALYZE house;
SELECT * FROM advised('SELECT * FROM house WHERE box(outline) && box ''((1,1),(2,2))''');

-- What no index can have.
SELECT * FROM advised('SELECT * FROM stay WHERE tsrange(at, localtimestamp) && tsrange $1');
SELECT * FROM advised('SELECT * FROM road WHERE box(p, point(id, random())) && box $1') WHERE object ~ 'condition';
SELECT * FROM advised('SELECT * FROM road WHERE box(p, $1) && box $2') WHERE object ~ 'condition';
SELECT finding, advice FROM advised('SELECT * FROM road WHERE box(p, (SELECT p FROM few LIMIT 1)) && box $1') WHERE object ~ 'condition';
SELECT finding, advice FROM advised('SELECT * FROM road WHERE int4range(0, tableoid::int8::int4) && int4range $1') WHERE object ~ 'condition';
SELECT * FROM advised('SELECT id % 7 FROM road GROUP BY 1 ORDER BY point(avg(id), avg(id)) <-> point $1 LIMIT 3') WHERE object ~ 'order';
SELECT * FROM advised('SELECT id FROM road ORDER BY point(row_number() OVER (), id) <-> point $1 LIMIT 3') WHERE object ~ 'order';
SELECT * FROM advised('SELECT r.id FROM house h LEFT JOIN (SELECT id, coalesce(p, point(1, 1)) AS q FROM road) r ON h.id = r.id ORDER BY r.q <-> point $1 LIMIT 3') WHERE object ~ 'order';

-- A long text is cut off, between characters.
SELECT length(object), right(object, 4) FROM advised(format('SELECT * FROM house WHERE outline && %L', polygon(90, circle '<(1,2),3>')));

-- Row security: its condition comes first.
CREATE ROLE regress_spqtree_advised;
GRANT USAGE ON SCHEMA advise_query TO regress_spqtree_advised;
GRANT SELECT ON house, road TO regress_spqtree_advised;
CREATE FUNCTION is_mine(int) RETURNS bool LANGUAGE plpgsql STABLE AS 'BEGIN RETURN $1 > 0; END';
ALTER TABLE house ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON house USING (is_mine(id));
SET ROLE regress_spqtree_advised;
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON h.b ?# r.b AND h.outline @> r.p');
-- It says nothing of tables that the user may not read.
SELECT * FROM advised('SELECT * FROM few');
RESET ROLE;

-- What is no query.
SELECT * FROM advised('SELECT 1; DROP TABLE house');
SELECT * FROM advised('DROP TABLE house');
SELECT * FROM advised('EXPLAIN CREATE TABLE t AS SELECT 1');
SELECT * FROM advised('');
SELECT * FROM advised('SELECT * FROM missing');
-- An error leaves no request behind.
SELECT * FROM advised('SELECT count(*) FROM few');

-- Functions that plan queries while the query is planned.
CREATE FUNCTION planned_within(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN count(*) FROM house h JOIN road r ON h.b && r.b WHERE r.id < 0;
END $$;
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON h.b << r.b WHERE h.id > planned_within(1)');
CREATE FUNCTION fails_within(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  PERFORM count(*) FROM house h JOIN road r ON h.b && r.b WHERE r.id < 1 / $1;
  RETURN 1;
EXCEPTION WHEN division_by_zero THEN
  RETURN 0;
END $$;
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON h.b << r.b WHERE h.id > fails_within(0)');

-- Many tables, by GEQO; partitions; set operations; CTEs; MIN and MAX.
SET geqo_threshold = 2;
SELECT * FROM advised('SELECT * FROM house a JOIN house b ON a.b && b.b JOIN road r ON r.b && b.b JOIN few f ON f.b && r.b WHERE a.id < 10') WHERE object ~ 'a, b, r';
RESET geqo_threshold;
CREATE TABLE divided (id int, b box) PARTITION BY RANGE (id);
CREATE TABLE divided_1 PARTITION OF divided FOR VALUES FROM (0) TO (1000);
CREATE TABLE divided_2 PARTITION OF divided FOR VALUES FROM (1000) TO (9000);
INSERT INTO divided SELECT id, b FROM house;
ANALYZE divided;
SET enable_partitionwise_join = on;
SELECT object FROM advised('SELECT * FROM divided a JOIN divided b ON a.id = b.id AND a.b && b.b');
SELECT object FROM advised('WITH x AS MATERIALIZED (SELECT h.id FROM house h, road r WHERE h.b && r.b) SELECT id FROM x UNION (SELECT a.id FROM road a JOIN road b ON a.b && b.b EXCEPT SELECT max(id) FROM house)');

-- A condition on a table with partitions is searched for in each of them.
CREATE TABLE divided_0 (b box, removed int, id int);
ALTER TABLE divided_0 DROP COLUMN removed;
ALTER TABLE divided ATTACH PARTITION divided_0 FOR VALUES FROM (-1000) TO (0);
INSERT INTO divided SELECT -id, b FROM house WHERE id <= 1000;
ANALYZE divided;
SELECT * FROM advised('SELECT * FROM divided WHERE b && box $1');
SELECT * FROM advised('SELECT * FROM divided WHERE b && box $1 AND id < -999');
SELECT * FROM advised('SELECT * FROM divided WHERE area(b) > 2');
SELECT * FROM advised('SELECT * FROM divided WHERE b && box $1 AND id < -9999');
SELECT * FROM advised('SELECT * FROM divided ORDER BY b <-> point ''(1,1)'' LIMIT 3');
CREATE INDEX ON divided_0 USING spqtree (b);
SELECT * FROM advised('SELECT * FROM divided d WHERE d.b && box ''((1,1),(2,2))''');
SELECT advice FROM advised('SELECT * FROM divided WHERE b && box ''((1,1),(2,2))''') \gexec
SELECT * FROM advised('SELECT * FROM divided WHERE b && box ''((1,1),(2,2))''');
SELECT * FROM advised('SELECT * FROM divided d ORDER BY d.b <-> point ''(1,1)'' LIMIT 3');
SELECT * FROM advised('SELECT * FROM divided d ORDER BY d.b <-> point ''(1,1)'' DESC LIMIT 3');
SELECT * FROM advised('SELECT h.id, d.id FROM house h, LATERAL (SELECT id FROM divided ORDER BY b <-> center(h.b) LIMIT 2) d') WHERE object ~ 'order';
CREATE TABLE general (id int, b box);
CREATE TABLE special (more text) INHERITS (general);
INSERT INTO general SELECT id, b FROM house;
INSERT INTO special SELECT id, b FROM house;
CREATE INDEX ON special USING spqtree (b);
ANALYZE general, special;
SELECT * FROM advised('SELECT * FROM general WHERE b && box ''((1,1),(2,2))''');
CREATE TABLE tiny () INHERITS (general);
INSERT INTO tiny VALUES (1, box '((1,1),(2,2))');
DROP INDEX special_b_idx;
ANALYZE general, special, tiny;
SELECT * FROM advised('SELECT * FROM general WHERE b && box ''((1,1),(2,2))''');
SELECT regexp_split_to_table(advice, '; ') FROM advised('SELECT * FROM general WHERE b && box ''((1,1),(2,2))''') \gexec
SELECT * FROM advised('SELECT * FROM general WHERE b && box ''((1,1),(2,2))''');

-- Orders.
DROP INDEX road_p;
SELECT * FROM advised('SELECT * FROM road r ORDER BY r.p <-> point $1 LIMIT $2');
SELECT * FROM advised('SELECT * FROM few ORDER BY point ''(1,1)'' <-> p LIMIT 3');
SELECT * FROM advised('SELECT * FROM road ORDER BY p <-> point ''(1,1)'' DESC LIMIT 3');
SELECT * FROM advised('SELECT * FROM road ORDER BY p <-> point ''(1,1)''');
SELECT * FROM advised('SELECT h.id, r.id FROM house h, LATERAL (SELECT id FROM road ORDER BY p <-> center(h.b) LIMIT 2) r');
SELECT * FROM advised('SELECT * FROM house h JOIN road r ON h.b && r.b ORDER BY r.p <-> point ''(1,1)'' LIMIT 3') WHERE object ~ 'order';
SELECT * FROM advised('SELECT * FROM road ORDER BY area(b) LIMIT 3');
SELECT * FROM advised('SELECT * FROM road a, road b ORDER BY a.p <-> b.p LIMIT 3');
CREATE INDEX road_p ON road USING spgist (p);
SELECT * FROM advised('SELECT * FROM road ORDER BY p <-> point ''(1,1)'' LIMIT 3') WHERE object ~ 'order';
CREATE INDEX road_q ON road USING gist (b);
SELECT * FROM advised('SELECT * FROM road WHERE id < 100 ORDER BY b <-> box ''((1,1),(2,2))'' LIMIT 3') WHERE object ~ 'order';
DROP INDEX road_p, road_q;
SELECT advice FROM advised('SELECT * FROM road ORDER BY point ''(1,1)'' <-> p LIMIT 3') \gexec
SELECT * FROM advised('SELECT * FROM road ORDER BY point ''(1,1)'' <-> p LIMIT 3') WHERE object ~ 'order';
SELECT * FROM advised('SELECT * FROM road WHERE id = 1 ORDER BY point ''(1,1)'' <-> p LIMIT 1000') WHERE object ~ 'order';

-- Comparisons of distances search an index for a condition that they imply.
SELECT * FROM advised('SELECT * FROM road WHERE p <-> point ''(1,1)'' < 2');
SELECT * FROM advised('SELECT * FROM road WHERE p <-> point $1 < $2');
DROP INDEX road_p_idx;
CREATE INDEX road_p ON road USING gist (p);
SELECT * FROM advised('SELECT * FROM road WHERE p <-> point ''(1,1)'' < 2') WHERE object ~ 'condition';
DROP INDEX road_p;
SELECT * FROM advised('SELECT * FROM road WHERE p <-> point $1 < $2');
SELECT * FROM advised('SELECT * FROM road WHERE id = 7 AND point $1 <-> p < int $2');
SELECT advice FROM advised('SELECT * FROM road WHERE p <-> point $1 < $2') \gexec
SELECT * FROM advised('SELECT * FROM road WHERE p <-> point ''(1,1)'' < 2');
-- An index of the distance from one place would be of no use for another.
SELECT * FROM advised('SELECT * FROM house WHERE outline <-> polygon ''((1,1),(2,2),(3,1))'' < 2');

-- Columns that are equal to something come first in an index.
SELECT count(*) FROM stay WHERE during && tsrange('2026-01-01', '2026-01-02') AND id = 77;
SELECT * FROM advised('SELECT * FROM stay WHERE during && tsrange($1, $2) AND id = $3 AND 4 = id AND until > now()');
SELECT advice FROM advised('SELECT * FROM stay WHERE during && tsrange($1, $2) AND id = 77') \gexec
SELECT * FROM advised('SELECT * FROM stay WHERE during && tsrange($1, $2) AND id = 77');
SELECT count(*) FROM stay WHERE during && tsrange('2026-01-01', '2026-01-02') AND id = 77;
DROP INDEX stay_id_during_idx;
-- Rows that another index finds.
SELECT * FROM advised('SELECT * FROM house WHERE id = 77 AND c && circle ''((1,1),2)''');
SELECT * FROM advised('SELECT * FROM house WHERE id < 77 AND c && circle ''((1,1),2)''');

-- A subquery for each row has an index, or needs one.
SELECT * FROM advised('SELECT * FROM house h, LATERAL (SELECT id FROM road r WHERE r.b && h.b LIMIT 1) r');
SELECT * FROM advised('SELECT * FROM house h, LATERAL (SELECT id FROM road r WHERE r.p <@ h.b LIMIT 1) r');

-- The plan without the node costs what the planner compared.
CREATE TABLE booked AS SELECT id, id % 20 AS room, tsrange(at, at + interval '1 minute') AS during FROM stay;
ANALYZE booked;
SELECT n[1]::int < n[2]::int AS less
FROM (SELECT regexp_match(finding, 'cost (\d+); without it (\d+)') AS n
      FROM spqtree_advise('SELECT * FROM booked a WHERE EXISTS (SELECT FROM booked b WHERE a.room = b.room AND a.id <> b.id AND a.during && b.during)')
      WHERE object ~ 'join') s;

-- Sides that have no sample.
SELECT * FROM advised('SELECT count(*) FROM house h JOIN generate_series(1, 1000) i ON h.b && box(point(i, i), point(i, i))');
SET spqtree.sample_rows = 0;
SELECT * FROM advised('SELECT count(*) FROM house h JOIN road r ON h.b && r.b') WHERE finding ~ 'guess';
RESET spqtree.sample_rows;

-- Literals with a type, as pg_stat_statements shows them.
SELECT * FROM advised('SELECT count(*) FROM house WHERE id BETWEEN $1 AND int $2 AND c <@ /* of a place */ pg_catalog . circle $3 LIMIT $4');
SELECT * FROM advised('SELECT count(*) FROM stay WHERE at > timestamp $1 - interval $2 AND during && tsrange($1, $3)');
SELECT * FROM advised('SELECT count(*) FROM house WHERE b && no_such_type $1');
-- Without a space before the constant, and names that only look so.
SELECT object FROM advised('SELECT count(*) FROM house WHERE b && box$1 AND c <@ circle$2 AND id < $3 AND b @> point$4 AND b && Box$5') WHERE object ~ 'condition';
SELECT object FROM advised('SELECT s.box$1, "box$1", s FROM (SELECT b AS "box$1", id AS no_type$1 FROM house) s WHERE "box$1" && box $1 AND no_type$1 > 3') WHERE object ~ 'condition';
CREATE SCHEMA data;		-- a keyword
CREATE DOMAIN data.box AS box;
CREATE DOMAIN data."order" AS int;
SELECT object FROM advised('SELECT int $1 FROM house h WHERE b && data.box $2 AND id < data.order $3 AND c && U&"c\0069rcle" $4') WHERE object ~ 'condition';
SELECT * FROM advised('SELECT int $1.b $2');
DROP SCHEMA data CASCADE;

-- EXPLAIN.
CREATE FUNCTION explained(query text, options text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE format('EXPLAIN (COSTS OFF, %s) %s', options, query) LOOP
    RETURN NEXT line;
  END LOOP;
END $$;
CREATE FUNCTION has_option() RETURNS bool LANGUAGE sql AS $$ SELECT current_setting('server_version_num')::int >= 180000 $$;
CREATE FUNCTION differs(query text, options text) RETURNS TABLE (said text, line text) LANGUAGE plpgsql AS $$
BEGIN
  IF has_option() THEN
    RETURN QUERY
    SELECT coalesce(a.l, 'not said'), coalesce(e.l, 'not explained')
    FROM (SELECT format('Spqtree: %s: %s', object, finding) AS l FROM _spqtree_reasons(query) WHERE object IS NOT NULL) a
      FULL JOIN (SELECT l FROM explained(query, options) l WHERE l LIKE 'Spqtree:%') e ON a.l = e.l
    WHERE a.l IS DISTINCT FROM e.l;
  END IF;
END $$;
SELECT * FROM differs('SELECT * FROM house h JOIN road r ON h.b << r.b', 'SPQTREE');
SELECT * FROM differs('SELECT h.id, (SELECT count(*) FROM road r WHERE r.b && h.b) FROM house h', 'SPQTREE');
SELECT * FROM differs('SELECT * FROM few a JOIN few b ON a.b << b.b WHERE planned_within(a.id) = 0', 'SPQTREE, ANALYZE, TIMING OFF, SUMMARY OFF');
SELECT CASE WHEN has_option() THEN (SELECT count(*) FILTER (WHERE l LIKE 'Spqtree:%') FROM explained('SELECT * FROM house h JOIN road r ON h.b << r.b', 'SPQTREE') l) ELSE 2 END AS lines;
SELECT CASE WHEN has_option() THEN (SELECT count(*) FILTER (WHERE l LIKE 'Spqtree:%') FROM explained('SELECT * FROM house h JOIN road r ON h.b << r.b', 'SPQTREE OFF') l) ELSE 0 END AS lines;
-- A plan that EXPLAIN does not make has no reasons, nor does the next statement.
PREPARE kept AS SELECT count(*) FROM few a JOIN few b ON a.b << b.b WHERE planned_within(a.id) = 0;
SELECT CASE WHEN has_option() THEN (SELECT count(*) FILTER (WHERE l LIKE 'Spqtree:%') FROM explained('EXECUTE kept', 'SPQTREE, ANALYZE, TIMING OFF') l) ELSE 0 END AS lines;
SELECT * FROM advised('SELECT count(*) FROM few');

DROP OWNED BY regress_spqtree_advised;
DROP ROLE regress_spqtree_advised;
DROP SCHEMA advise_query CASCADE;

-- joins that read indexes
CREATE SCHEMA advise_indexes;
SET search_path = advise_indexes, public;
CREATE TABLE one AS SELECT i AS id, box(point(i % 1000, i / 100), point(i % 1000 + 1, i / 100 + 1)) AS b FROM generate_series(1, 20000) AS i;
CREATE TABLE two AS SELECT * FROM one WHERE id % 2 = 0;
CREATE INDEX ON one USING spqtree (b);
CREATE INDEX ON two USING spqtree (b);
VACUUM ANALYZE one, two;
SET spqtree.enable_hashjoin = off; SET enable_nestloop = off; SET random_page_cost = 1.1;
SELECT object, regexp_replace(finding, 'cost \d+', 'cost N') AS finding, advice FROM spqtree_advise('SELECT count(*) FROM one JOIN two ON one.b && two.b') WHERE object LIKE 'join%';
SELECT object, regexp_replace(finding, 'cost \d+', 'cost N') AS finding, advice
FROM spqtree_advise('SELECT count(*) FROM (SELECT * FROM one WHERE id % 100 = 0 OFFSET 0) o JOIN two ON o.b && two.b') WHERE object LIKE 'join%';
RESET spqtree.enable_hashjoin; RESET enable_nestloop; RESET random_page_cost;
DROP SCHEMA advise_indexes CASCADE;
