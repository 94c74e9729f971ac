--
-- Functions that only our plans call: a role without EXECUTE on them gets another plan, also of a
-- generic plan that was made for a role that has it; and the same rows.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA plan_rights;
SET search_path = plan_rights, public;
CREATE ROLE plan_alice;
CREATE ROLE plan_bob;
GRANT USAGE ON SCHEMA plan_rights TO plan_alice, plan_bob;
CREATE TABLE t (id int, r int4range, m int4multirange, lo int, hi int, b box, p point, c circle, b3 box3);
INSERT INTO t SELECT i, int4range(v, v + 5), int4multirange(int4range(v, v + 3)), v, v + 3, box(q, q + point(3, 3)), q, circle(q, 2), box3(v, v, v, v + 3, v + 3, v + 3)
FROM generate_series(1, 300) i, LATERAL (SELECT i * 7919 % 1000 AS v) x, LATERAL (SELECT point(v, i * 31 % 100) AS q) y;
CREATE INDEX ON t USING spqtree (b);
CREATE INDEX ON t USING spqtree (p);
CREATE INDEX ON t USING spqtree (c);
CREATE INDEX ON t USING spqtree (b3);
ANALYZE t;
GRANT SELECT ON t TO plan_alice, plan_bob;
SET plan_cache_mode = force_generic_plan;

-- Functions of which Alice may call each, and Bob none; whether Alice's plan calls the first one, as
-- EXPLAIN shows it; her answer and his, in either order.
CREATE FUNCTION answers(functions text[], query text, shown text, bob_first boolean DEFAULT false,
                        OUT called boolean, OUT alice text, OUT bob text) LANGUAGE plpgsql AS $$
DECLARE
  f text;
  line text;
BEGIN
  called := false;
  FOREACH f IN ARRAY functions LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM public', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO plan_alice', f);
  END LOOP;
  EXECUTE 'PREPARE q AS ' || query;
  IF bob_first THEN
    SET LOCAL ROLE plan_bob;
    EXECUTE 'EXECUTE q' INTO bob;
  END IF;
  SET LOCAL ROLE plan_alice;
  EXECUTE 'EXECUTE q' INTO alice;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) EXECUTE q' LOOP
    called := called OR strpos(line, shown) > 0;
  END LOOP;
  SET LOCAL ROLE plan_bob;
  IF NOT bob_first THEN
    EXECUTE 'EXECUTE q' INTO bob;
  END IF;
  RESET ROLE;
  EXECUTE 'DEALLOCATE q';
  FOREACH f IN ARRAY functions LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM plan_alice', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO public', f);
  END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
  EXECUTE 'DEALLOCATE q';
  bob := sqlerrm;
END $$;

-- The keys of joins.
SELECT * FROM answers('{_spqtree_range_box(anyrange)}', 'SELECT count(*) FROM t a JOIN t b ON a.r && b.r', '_spqtree_range_box');
SELECT * FROM answers('{_spqtree_range_box(anyrange)}', 'SELECT count(*) FROM t a JOIN t b ON a.r && b.r', '_spqtree_range_box', true);
SELECT * FROM answers('{_spqtree_range_box(anymultirange)}', 'SELECT count(*) FROM t a JOIN t b ON a.m && b.m', '_spqtree_range_box');
SELECT * FROM answers('{"_spqtree_interval_box(\"any\", \"any\", text)"}', 'SELECT count(*) FROM t a JOIN t b ON a.lo BETWEEN b.lo AND b.hi', '_spqtree_interval_box');
SELECT * FROM answers('{"_spqtree_interval_box(\"any\", \"any\", text, float8, float8)"}', 'SELECT count(*) FROM t a JOIN t b ON a.lo >= b.lo AND (a.lo < b.hi OR b.hi IS NULL)', '_spqtree_interval_box');
SELECT * FROM answers('{"_spqtree_plane_box(box, box)"}', 'SELECT count(*) FROM t a JOIN t b ON a.r && b.r AND a.m && b.m', '_spqtree_plane_box');
SELECT * FROM answers('{"spqtree_expand(box, float8)"}', 'SELECT count(*) FROM t a JOIN t b ON spqtree_dwithin(a.b, b.b, 2)', 'spqtree_expand');
SELECT * FROM answers('{"_spqtree_reach(point, float8)"}', 'SELECT count(*) FROM t a JOIN t b ON a.p <-> b.p < 5', '_spqtree_reach');
-- the function of an operator, which a condition on ranges does not name
SELECT * FROM answers('{"box_overlap(box, box)"}', 'SELECT count(*) FROM t a JOIN t b ON a.r && b.r', '_spqtree_range_box');
SELECT * FROM answers('{"box_overlap(box, box)"}', 'SELECT count(*) FROM t a JOIN t b ON a.r && b.r', '_spqtree_range_box', true);

-- Conditions for an index.
SET enable_seqscan = off;
SET spqtree.enable_hashjoin = off;
SELECT * FROM answers('{"spqtree_expand(box, float8)"}', 'SELECT count(*) FROM generate_series(1, 5) i, t WHERE spqtree_dwithin(t.b, box(point(i * 50, i), point(i * 50, i)), 20)', 'spqtree_expand');
SELECT * FROM answers('{"spqtree_expand(box3, float8)"}', 'SELECT count(*) FROM generate_series(1, 5) i, t WHERE spqtree_dwithin(t.b3, box3(i, i, i, i, i, i), 20)', 'spqtree_expand');
SELECT * FROM answers('{"_spqtree_reach(point, float8)"}', 'SELECT count(*) FROM generate_series(1, 5) i, t WHERE t.p <-> point(i * 50, i) < 20', '_spqtree_reach');
SELECT * FROM answers('{_spqtree_circle_around(box)}', 'SELECT count(*) FROM generate_series(1, 5) i, t WHERE t.c <-> circle(point(i * 50, i), 1) < 20', '_spqtree_circle_around');

DROP SCHEMA plan_rights CASCADE;
DROP ROLE plan_alice, plan_bob;
