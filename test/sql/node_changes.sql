--
-- The spatial hash join below UPDATE, DELETE and MERGE, and where it is not offered.
--
-- Each change is made with the node and without, and undone.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
CREATE SCHEMA node_changes;
SET search_path = node_changes;
-- Return how many rows a command changes, whether it is planned with the node, and
-- whether it does the same without: all tables, and the rows that it returns.
CREATE FUNCTION changed(command text, OUT "rows" bigint, OUT node boolean, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
  line text;
  state text;
  states text[] := '{}';
  returned text;
BEGIN
  FOREACH node IN ARRAY '{f,t}'::boolean[] LOOP
    BEGIN
      PERFORM tst.use_node(node);
      node := false;
      FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || command LOOP
        node := node OR line ~ 'Spatial Hash Join';
      END LOOP;
      IF command ~ '^(UPDATE|DELETE).* RETURNING ' THEN
        EXECUTE 'WITH c AS (' || command || ') SELECT count(*), string_agg(c::text, ''|'' ORDER BY c::text COLLATE "C") FROM c' INTO "rows", returned;
      ELSE
        EXECUTE command;
        GET DIAGNOSTICS "rows" = ROW_COUNT;
      END IF;
      SELECT string_agg(t, '|' ORDER BY t COLLATE "C") INTO state
      FROM (SELECT tableoid::regclass || t::text FROM lp t UNION ALL SELECT tableoid::regclass || t::text FROM rp t
            UNION ALL SELECT tableoid::regclass || t::text FROM r t UNION ALL SELECT tableoid::regclass || t::text FROM parent t
            UNION ALL SELECT tableoid::regclass || t::text FROM other t UNION ALL SELECT tableoid::regclass || t::text FROM log t) q (t);
      states := states || concat_ws('/', "rows", returned, state);
      RAISE SQLSTATE 'UNDO0';
    EXCEPTION WHEN SQLSTATE 'UNDO0' THEN
      NULL;
    END;
  END LOOP;
  same := states[1] = states[2];
END $$;

-- partitions: by list, one of them by range, one with other column numbers
CREATE TABLE lp (k int, id int, b box, pad text) PARTITION BY LIST (k);
CREATE TABLE lp0 PARTITION OF lp FOR VALUES IN (0);
CREATE TABLE lp1 PARTITION OF lp FOR VALUES IN (1) PARTITION BY RANGE (id);
CREATE TABLE lp1a PARTITION OF lp1 FOR VALUES FROM (0) TO (200);
CREATE TABLE lp1b PARTITION OF lp1 FOR VALUES FROM (200) TO (1000);
CREATE TABLE lp2 (gone int, pad text, b box, id int, k int);
ALTER TABLE lp2 DROP gone;
ALTER TABLE lp ATTACH PARTITION lp2 DEFAULT;
CREATE TABLE rp (k int, id int, b box, w int) PARTITION BY LIST (k);
CREATE TABLE rp0 PARTITION OF rp FOR VALUES IN (0);
CREATE TABLE rp1 PARTITION OF rp FOR VALUES IN (1);
CREATE TABLE rp2 PARTITION OF rp DEFAULT;
INSERT INTO lp SELECT i % 4, i, box(point(i % 20, i / 20), point(i % 20 + 0.9, i / 20 + 0.9)), 'l' || i FROM generate_series(0, 399) i;
INSERT INTO rp SELECT i % 4, i, box(point(i % 20 + 0.3, i / 20 + 0.3), point(i % 20 + 1.2, i / 20 + 1.5)), i * 7 % 5 FROM generate_series(0, 399) i WHERE i % 3 > 0;
CREATE TABLE r AS SELECT k, id, b, w FROM rp WHERE id % 5 < 3;
CREATE TABLE parent (id int, b box, k int);
CREATE TABLE child (more int) INHERITS (parent);
INSERT INTO parent SELECT id, b, k FROM lp WHERE id % 2 = 0;
INSERT INTO child SELECT id, b, k, id FROM lp WHERE id % 2 > 0;
CREATE ACCESS METHOD node_changes_heap TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE other (id int, b box, k int) USING node_changes_heap;
INSERT INTO other SELECT id, b, k FROM lp;
CREATE TABLE log (nr text);
ANALYZE;

-- the join gives each row's address and table
SET spqtree.enable_hashjoin = always; SET enable_nestloop = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
EXPLAIN (VERBOSE, COSTS OFF) UPDATE lp SET k = 3 - lp.k FROM r WHERE lp.b && r.b AND lp.id = r.id RETURNING lp.tableoid::regclass, lp, r.w;
RESET spqtree.enable_hashjoin; RESET enable_nestloop; RESET enable_hashjoin; RESET enable_mergejoin;

CREATE TABLE command (nr serial, command text);
INSERT INTO command (command) VALUES
  -- a partitioned target
  ('UPDATE lp SET k = 3 - lp.k FROM rp WHERE lp.b && rp.b AND lp.id = rp.id'),
  ('UPDATE lp SET k = 3 - lp.k, pad = lp::text || r.w FROM r WHERE lp.b && r.b AND lp.id = r.id RETURNING lp.tableoid::regclass, lp, lp.ctid IS NULL, r, r.ctid'),
  ('UPDATE lp SET pad = NULL FROM r WHERE lp.b && r.b'),
  ('UPDATE lp SET (k, pad) = (SELECT 3 - lp.k, count(*)::text FROM rp x WHERE x.k = lp.k) FROM r WHERE lp.b && r.b AND lp.id = r.id'),
  ('UPDATE lp SET pad = r.w FROM r JOIN rp ON r.b && rp.b AND rp.id = r.id WHERE lp.b && rp.b AND lp.id = r.id'),
  ('UPDATE lp SET pad = m.pad || r.id FROM r, lp m WHERE lp.b && r.b AND m.b && lp.b AND m.id = lp.id AND r.id = m.id'),
  ('UPDATE lp SET k = 9 FROM r LEFT JOIN rp ON r.b && rp.b AND rp.w > 1 WHERE lp.b && r.b AND rp.id IS NULL'),
  ('DELETE FROM lp USING rp WHERE lp.b && rp.b AND lp.k <> rp.k'),
  ('DELETE FROM lp USING rp WHERE lp.b && rp.b AND lp.k = rp.k RETURNING lp, lp.tableoid::regclass, rp.w'),
  ('DELETE FROM lp WHERE EXISTS (SELECT FROM r WHERE r.b && lp.b AND r.w > 1) RETURNING id'),
  ('DELETE FROM lp WHERE NOT EXISTS (SELECT FROM r WHERE r.b && lp.b)'),
  ('DELETE FROM lp USING (SELECT id % 60 AS k, (array_agg(b ORDER BY id))[1] AS b, sum(w) AS s FROM r GROUP BY 1) q WHERE lp.b && q.b AND q.s > 2'),
  ('DELETE FROM lp1 USING rp WHERE lp1.b && rp.b'),
  ('DELETE FROM lp2 USING rp WHERE lp2.b && rp.b RETURNING lp2'),
  ('DELETE FROM lp USING r WHERE lp.b && r.b AND lp.k > 100'),
  ('DELETE FROM lp USING r WHERE lp.b && r.b AND lp.k = 1'),
  ('MERGE INTO lp USING r ON lp.b && r.b AND lp.id = r.id WHEN MATCHED AND r.w = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET k = 3 - lp.k, pad = lp.tableoid::regclass::text WHEN NOT MATCHED THEN INSERT VALUES (r.k, r.id, r.b, ''new'')'),
  ('MERGE INTO lp USING (SELECT id + 1 AS id, k, b FROM rp) r ON lp.b && r.b AND lp.id = r.id WHEN MATCHED AND lp.k = 2 THEN DO NOTHING WHEN MATCHED THEN UPDATE SET pad = r::text WHEN NOT MATCHED AND r.k > 0 THEN INSERT VALUES (r.k, r.id, r.b, lower(''N''))'),
  -- a plain one
  ('UPDATE r SET w = lp.id FROM lp WHERE lp.b && r.b AND lp.id = r.id'),
  ('DELETE FROM r USING parent p WHERE p.b && r.b AND p.k = 3 RETURNING r, p, p.tableoid::regclass'),
  ('DELETE FROM r WHERE NOT EXISTS (SELECT FROM other o WHERE o.b && r.b AND o.k = r.k + 2)'),
  ('MERGE INTO r USING lp ON lp.b && r.b AND lp.id = r.id WHEN MATCHED THEN UPDATE SET w = lp.k WHEN NOT MATCHED THEN INSERT VALUES (lp.k, lp.id, lp.b, -1)'),
  ('WITH d AS (DELETE FROM lp USING r WHERE lp.b && r.b AND r.w = 2 RETURNING lp.*) INSERT INTO log SELECT d.id || ''-'' || rp.id FROM d JOIN rp ON d.b && rp.b');
SELECT nr, c.* FROM command, changed(command) c ORDER BY nr;
SET enable_partitionwise_join = on;
SELECT nr, c.* FROM command, changed(command) c ORDER BY nr;
RESET enable_partitionwise_join;

-- with triggers, and through a view
CREATE FUNCTION write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log VALUES (concat_ws(' ', TG_OP, TG_TABLE_NAME, OLD::text, CASE WHEN TG_OP <> 'DELETE' THEN NEW::text END));
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER before_row BEFORE UPDATE OR DELETE ON lp FOR EACH ROW EXECUTE FUNCTION write();
CREATE TRIGGER after_row AFTER UPDATE OR DELETE ON lp FOR EACH ROW EXECUTE FUNCTION write();
CREATE VIEW view AS SELECT id, b, k FROM lp WHERE k < 3;
CREATE TRIGGER instead INSTEAD OF UPDATE OR DELETE ON view FOR EACH ROW EXECUTE FUNCTION write();
SELECT nr, c.* FROM command, changed(command) c WHERE nr % 2 > 0 OR command ~ 'MERGE' ORDER BY nr;
SELECT * FROM changed('UPDATE view SET k = r.w FROM r WHERE view.b && r.b RETURNING view, r.id');
SELECT * FROM changed('DELETE FROM view USING r WHERE view.b && r.b AND r.id = view.id');

-- no node joins a target that an extension may have a say in: inheritance that is
-- not of partitions, another access method
TRUNCATE command RESTART IDENTITY;
INSERT INTO command (command) VALUES
  ('DELETE FROM parent USING r WHERE parent.b && r.b'),
  ('DELETE FROM ONLY parent USING r WHERE parent.b && r.b RETURNING parent'),
  ('DELETE FROM child USING r WHERE child.b && r.b'),
  ('DELETE FROM parent WHERE EXISTS (SELECT FROM r WHERE parent.b && r.b)'),
  ('DELETE FROM parent WHERE NOT EXISTS (SELECT FROM r WHERE parent.b && r.b AND parent.k = r.k)'),
  ('UPDATE parent SET k = 7 FROM r WHERE parent.b && r.b'),
  ('MERGE INTO parent USING r ON parent.b && r.b AND parent.id = r.id WHEN MATCHED AND r.k > 1 THEN DELETE WHEN MATCHED THEN UPDATE SET k = r.id WHEN NOT MATCHED THEN INSERT VALUES (r.id, r.b)'),
  ('WITH d AS (DELETE FROM parent USING r WHERE parent.b && r.b RETURNING r.id) INSERT INTO log SELECT id FROM d'),
  ('DELETE FROM other USING r WHERE other.b && r.b'),
  ('UPDATE other SET k = 7 FROM r WHERE other.b && r.b');
SELECT nr, c.* FROM command, changed(command) c ORDER BY nr;
-- nor one with such a partition
BEGIN;
CREATE TABLE lp7 PARTITION OF lp FOR VALUES IN (7) USING node_changes_heap;
SELECT * FROM changed('DELETE FROM lp USING r WHERE lp.b && r.b');
SELECT * FROM changed('DELETE FROM lp0 USING r WHERE lp0.b && r.b');
ROLLBACK;
-- other joins are not concerned
SELECT * FROM changed('DELETE FROM parent WHERE id IN (SELECT r.id FROM r JOIN lp ON r.b && lp.b OFFSET 0)');
SELECT * FROM changed('INSERT INTO parent SELECT p.id, p.b, r.k FROM parent p JOIN r ON p.b && r.b');
SELECT * FROM changed('SELECT p, r.id FROM parent p JOIN r ON p.b && r.b FOR UPDATE OF p');
SELECT * FROM changed('SELECT lp, r.id FROM lp LEFT JOIN r ON lp.b && r.b FOR UPDATE OF lp');
SELECT * FROM changed('SELECT o.id, r.id FROM other o JOIN r ON o.b && r.b');
DROP SCHEMA node_changes CASCADE;
DROP ACCESS METHOD node_changes_heap;
