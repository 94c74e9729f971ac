--
-- Expressions that the server compiles, with the extension's functions inlined where it has
-- their bitcode: the same answers.  The private server of the tests has jit off: where a plan's
-- cost is high only because another is disabled, whole queries would be compiled.
--
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA jit;
SET search_path = jit, public;
CREATE TABLE shape AS
SELECT i AS id, box(p, p + point(w, h)) AS b, p, circle(p, w) AS c, polygon(box(p, p + point(w, h))) AS y,
       lseg(p, p + point(h, w)) AS s,
       box3(box(p, p + point(w, h)), w, w + h) AS b3, point3(p, h) AS p3
FROM generate_series(1, 300) i,
     LATERAL (SELECT point(tst.rnd(700, i, 1) * 40, tst.rnd(700, i, 2) * 40) AS p, tst.rnd(700, i, 3) * 2 AS w,
              tst.rnd(700, i, 4) * 2 AS h) v;
CREATE INDEX shape_b ON shape USING spqtree (b);
CREATE INDEX shape_quad ON shape USING spgist (b spqtree_box_ops);
ANALYZE shape;

-- The rows of a query, compiled or not, and whether it was compiled.
CREATE FUNCTION answer(query text, compile boolean, OUT compiled boolean, OUT rows text[]) LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  PERFORM set_config('jit', compile::text, true);
  compiled := false;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    compiled := compiled OR line ~ '^JIT:';
  END LOOP;
  rows := tst.rows(query);
END $$;
SET jit_above_cost = 0;
SET jit_inline_above_cost = 0;
SET jit_optimize_above_cost = 0;
CREATE VIEW same AS
SELECT q.nr, c.compiled = pg_jit_available() AND NOT r.compiled AS compiled, tst.differing(r.rows, c.rows),
       r.rows[1] NOT LIKE '%("0 %' AS some
FROM (VALUES
  (1, $$SELECT count(*) || ' ' || sum(id) FROM shape WHERE b && box '((5,5),(20,20))' AND _spqtree_overlaps(b, circle '<(12,12),9>') AND NOT _spqtree_contains(y, box '((10,10),(11,11))')$$),
  (2, $$SELECT count(*) || ' ' || sum(id) FROM shape WHERE spqtree_dwithin(b, point '(20,20)', 8) OR spqtree_dwithin(c, polygon '(1,1),(3,1),(3,3)', 2) OR spqtree_dwithin(s, box '((30,30),(31,31))', 1)$$),
  (3, $$SELECT count(*) || ' ' || sum(id) || ' ' || sum(volume(b3)) || ' ' || sum(z(p3)) FROM shape WHERE b3 && box3(5, 5, 0, 30, 30, 1) AND spqtree_dwithin(p3, b3, 3)$$),
  (4, $$SELECT count(*) || ' ' || sum(x.id * y.id) FROM shape x JOIN shape y ON x.b && y.b AND x.id <> y.id$$),
  (5, $$SELECT id, b <-> point '(9,9)' FROM shape$$)) q(nr, query),
     LATERAL answer(query, true) c, LATERAL answer(query, false) r;
SELECT * FROM same ORDER BY nr;
SET enable_seqscan = off;
SELECT * FROM same ORDER BY nr;
DROP SCHEMA jit CASCADE;
