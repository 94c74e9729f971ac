--
-- The spatial hash join in plans: each join type, with its plan and its rows.
--
-- A town of 20 x 20 squares, most of them far away, and six houses.  Other join methods
-- are disabled.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_joins;
SET search_path = node_joins;
CREATE TABLE square (id int, b box, kind text);
INSERT INTO square
SELECT x * 100 + y, box(point(x, y), point(x + 1, y + 1)), CASE WHEN y = 3 THEN 'park' WHEN x = 7 THEN NULL ELSE 'town' END
FROM generate_series(0, 19) x, generate_series(0, 19) y;
INSERT INTO square VALUES (9001, NULL, 'town'), (9002, '((500,500),(501,501))', 'far');
CREATE TABLE house (name text, b box, kind text);
INSERT INTO house VALUES ('alder', '((2.2,3.2),(2.7,3.8))', 'park'), ('birch', '((7.4,3.5),(8.6,4.5))', 'town'), ('cedar', '((19,19),(20,20))', 'town'),
  ('elm', '((90,90),(91,91))', 'town'), ('fir', NULL, 'town'), ('gum', '((7.1,7.1),(7.2,7.2))', NULL);
ANALYZE square, house;
SET enable_nestloop = off;
SET enable_mergejoin = off;

-- inner
EXPLAIN (COSTS OFF) SELECT name, id FROM house h JOIN square s ON h.b && s.b;
SELECT name, id FROM house h JOIN square s ON h.b && s.b ORDER BY 1, 2;
SELECT name, id FROM square s, house h WHERE s.b @> h.b ORDER BY 1, 2;
-- further conditions: an equality, which becomes part of the key, and a filter
EXPLAIN (COSTS OFF) SELECT name, id FROM house h JOIN square s ON h.b && s.b AND h.kind = s.kind AND s.id + length(name) > 300;
SELECT name, id FROM house h JOIN square s ON h.b && s.b AND h.kind = s.kind AND s.id + length(name) > 300 ORDER BY 1, 2;
-- expressions, and conditions on one side
EXPLAIN (COSTS OFF) SELECT name, id FROM house h JOIN square s ON center(h.b) <@ box(s.b[0], s.b[1]) WHERE s.kind = 'park' AND h.name > 'alder';
SELECT name, id FROM house h JOIN square s ON center(h.b) <@ box(s.b[0], s.b[1]) WHERE s.kind = 'park' AND h.name > 'alder' ORDER BY id;
-- two conditions that can be the key
SELECT name, id FROM house h JOIN square s ON h.b && s.b AND center(h.b) <@ s.b ORDER BY 1, 2;
-- conditions that do not join two sides: one table, both on one side, OR
SET enable_nestloop = on;
EXPLAIN (COSTS OFF) SELECT FROM house h, square s WHERE bound_box(h.b, s.b) && '((0,0),(1,1))' AND h.b && '((0,0),(5,5))';
EXPLAIN (COSTS OFF) SELECT FROM house h, square s WHERE h.b && s.b OR h.kind < s.kind;
EXPLAIN (COSTS OFF) SELECT FROM house h, square s WHERE h.b << s.b;
EXPLAIN (COSTS OFF) SELECT FROM house h, square s WHERE NOT h.b && s.b;
SET enable_nestloop = off;

-- left, in both directions
EXPLAIN (COSTS OFF) SELECT name, id FROM house h LEFT JOIN square s ON h.b && s.b;
SELECT name, id FROM house h LEFT JOIN square s ON h.b && s.b ORDER BY 1, 2;
SELECT name, count(*), sum(id) FROM square s LEFT JOIN house h ON h.b && s.b GROUP BY 1 ORDER BY 1;
SELECT name, id FROM square s RIGHT JOIN house h ON h.b @> s.b ORDER BY 1, 2;
-- conditions in ON keep the row, conditions in WHERE remove it
EXPLAIN (COSTS OFF) SELECT name, id FROM house h LEFT JOIN square s ON h.b && s.b AND h.kind = s.kind AND length(name) = 5 WHERE s.id IS NULL OR s.id % 2 = 1;
SELECT name, id FROM house h LEFT JOIN square s ON h.b && s.b AND h.kind = s.kind AND length(name) = 5 WHERE s.id IS NULL OR s.id % 2 = 1 ORDER BY 1, 2;
SELECT name, id FROM house h LEFT JOIN square s ON h.b && s.b AND h.kind = 'park' ORDER BY 1, 2;
SELECT name, id FROM house h LEFT JOIN square s ON h.b && s.b AND s.kind = 'park' ORDER BY 1, 2;
SELECT name, id FROM house h LEFT JOIN square s ON h.b && s.b AND s.id <> 806 WHERE coalesce(s.kind, 'none') <> 'town' ORDER BY 1, 2;
-- a spatial condition above the join is not its key
EXPLAIN (COSTS OFF) SELECT name, id FROM house h LEFT JOIN square s ON h.b && s.b AND s.kind = 'park' WHERE h.kind = coalesce(s.kind, 'town');
SELECT name, id FROM house h LEFT JOIN square s ON h.b && s.b AND s.kind = 'park' WHERE h.kind = coalesce(s.kind, 'town') ORDER BY 1, 2;
SELECT name, id FROM house h LEFT JOIN square s ON h.b && s.b AND s.kind = 'park' WHERE h.b && coalesce(s.b, '((19,19),(91,91))') ORDER BY 1, 2;
-- a missing whole row is null
SELECT name, s IS NULL AS missing, s.* FROM house h LEFT JOIN square s ON h.b && s.b AND s.kind = 'park' WHERE name < 'c' OR name > 'e' ORDER BY 1, 3;
-- an expression that is not strict
SELECT name, id FROM house h LEFT JOIN square s ON coalesce(h.b, '((3.5,3.5),(3.6,3.6))') && s.b WHERE name IN ('elm', 'fir') ORDER BY 1, 2;
SELECT name, id FROM house h RIGHT JOIN square s ON h.b && coalesce(s.b, '((90,90),(90,90))') WHERE name = 'elm' OR id > 9000 ORDER BY 1, 2;

-- full, which PostgreSQL does not support for such conditions
EXPLAIN (COSTS OFF) SELECT name, id FROM house h FULL JOIN square s ON h.b && s.b;
SELECT name, count(*), sum(id) FROM house h FULL JOIN square s ON h.b && s.b GROUP BY 1 ORDER BY 1;
SELECT name, id FROM house h FULL JOIN square s ON h.b && s.b AND h.kind = s.kind AND length(name) = 5 WHERE name IS NOT NULL OR id > 9000 ORDER BY 1, 2;
SELECT count(*), count(h), count(s) FROM house h FULL JOIN square s ON h.b && s.b AND s.kind = 'nowhere';
SELECT name, id FROM house h FULL JOIN (SELECT * FROM square WHERE false) s ON h.b && s.b ORDER BY 1;
SELECT a.name, b.name FROM house a FULL JOIN house b ON a.b ~= b.b AND a.name > 'b' AND b.name < 'g' ORDER BY 1, 2;
SET spqtree.enable_hashjoin = off;
SELECT name, id FROM house h FULL JOIN square s ON h.b && s.b;
RESET spqtree.enable_hashjoin;

-- semi: each row once
EXPLAIN (COSTS OFF) SELECT name FROM house h WHERE EXISTS (SELECT FROM square s WHERE s.b && h.b);
SELECT name FROM house h WHERE EXISTS (SELECT FROM square s WHERE s.b && h.b) ORDER BY 1;
SELECT name FROM house h WHERE EXISTS (SELECT FROM square s WHERE s.b && h.b AND s.kind = h.kind AND s.id % 2 = 1) ORDER BY 1;
SELECT name FROM house h WHERE h.b <@ ANY (SELECT b FROM square WHERE kind = 'park') ORDER BY 1;
SELECT id FROM square s WHERE EXISTS (SELECT FROM house h, generate_series(1, 3) WHERE s.b && h.b AND h.name || s.kind <> 'cedartown') ORDER BY 1;
-- anti
EXPLAIN (COSTS OFF) SELECT name FROM house h WHERE NOT EXISTS (SELECT FROM square s WHERE s.b && h.b);
SELECT name FROM house h WHERE NOT EXISTS (SELECT FROM square s WHERE s.b && h.b) ORDER BY 1;
SELECT name FROM house h WHERE NOT EXISTS (SELECT FROM square s WHERE s.b && h.b AND s.kind = h.kind AND s.id % 2 = 1) ORDER BY 1;
SELECT count(*), sum(id) FROM square s WHERE NOT EXISTS (SELECT FROM house h WHERE s.b && h.b AND h.kind = s.kind);
SELECT h.name FROM house h LEFT JOIN square s ON h.b && s.b AND h.kind = s.kind WHERE s.id IS NULL ORDER BY 1;

-- three tables, outer joins over outer joins
EXPLAIN (COSTS OFF) SELECT h.name, s.id, o.name FROM house h LEFT JOIN square s ON h.b && s.b AND s.kind = h.kind LEFT JOIN house o ON o.b && s.b AND o.name <> h.name;
SELECT h.name, s.id, o.name FROM house h LEFT JOIN square s ON h.b && s.b AND s.kind = h.kind LEFT JOIN house o ON o.b @> s.b ORDER BY 1, 2, 3;
SELECT h.name, s.id, o.name FROM house h LEFT JOIN (square s JOIN house o ON o.b @> s.b) ON h.b && s.b ORDER BY 1, 2, 3;
SELECT h.name, s.id, q.name FROM house h LEFT JOIN square s ON s.b @> h.b FULL JOIN (SELECT name, b FROM house WHERE name > 'c') q ON q.b && s.b ORDER BY 1, 2, 3;

-- empty tables
SELECT name, id FROM house h JOIN square s ON h.b && s.b AND s.kind = 'nowhere';
SELECT count(*) FROM square s LEFT JOIN house h ON h.b && s.b AND h.name = 'nobody';
SELECT count(*) FROM house h WHERE NOT EXISTS (SELECT FROM square s WHERE s.b && h.b AND s.kind = 'nowhere');
SELECT name FROM (SELECT * FROM house LIMIT 0) h RIGHT JOIN square s ON h.b && s.b WHERE s.id < 3;

-- settings
CREATE FUNCTION setting_shown(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
  shown text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF, SETTINGS) ' || query LOOP
    shown := coalesce(shown, substring(line from 'spqtree[^,]*'));
  END LOOP;
  RETURN shown;
END $$;
SELECT setting_shown('SELECT FROM house h JOIN square s ON h.b && s.b');
SHOW spqtree.enable_hashjoin;
SET spqtree.enable_hashjoin = off;
RESET enable_nestloop;
RESET enable_mergejoin;
EXPLAIN (COSTS OFF) SELECT name, id FROM house h JOIN square s ON h.b && s.b;
SELECT setting_shown('SELECT FROM house h JOIN square s ON h.b && s.b');
SELECT name, id FROM house h JOIN square s ON h.b && s.b ORDER BY 1, 2;
-- the cheapest plan, with all join methods enabled
SET spqtree.enable_hashjoin = on;
EXPLAIN (COSTS OFF) SELECT FROM square s JOIN square t ON s.b && t.b;
SET spqtree.sample_rows = 0;
EXPLAIN (COSTS OFF) SELECT FROM square s JOIN square t ON s.b && t.b;
SELECT count(*) FROM square s JOIN square t ON s.b && t.b;
SET spqtree.sample_rows = -1;
SET spqtree.enable_hashjoin = maybe;
SET spqtree.no_such_setting = 1;
DROP SCHEMA node_joins CASCADE;
