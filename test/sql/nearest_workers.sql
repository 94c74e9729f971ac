--
-- Searches in order of distance, and workers.  No scan in order of distance is parallel, though the
-- table's setting demands workers; and no worker does one whose distance is from a value that it
-- lacks: of the outer row, in a subquery.
--
SET jit = off;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;

CREATE TABLE place (id int, p point, b box, c circle, l lseg, b3 box3, p3 point3);
INSERT INTO place
SELECT i, q, box(q, q + point(3, 2)), circle(q, 2), lseg(q, q + point(2, 5)), box3(x, y, z, x + 3, y + 2, z + 1),
       point3(x, y, z)
FROM generate_series(1, 3000) i,
     LATERAL (SELECT tst.rnd(410, i, 1) * 1000 AS x, tst.rnd(410, i, 2) * 1000 AS y, tst.rnd(410, i, 3) * 1000 AS z) v,
     point(x, y) q;
CREATE INDEX ON place USING spqtree (p) INCLUDE (id);
CREATE INDEX ON place USING spqtree (b) INCLUDE (id);
CREATE INDEX ON place USING spqtree (c);
CREATE INDEX ON place USING spqtree (l);
CREATE INDEX ON place USING spqtree (b3);
CREATE INDEX ON place USING spqtree (p3);
CREATE INDEX place_spgist ON place USING spgist (b spqtree_box_ops);
-- the same in partitions
CREATE TABLE part (id int, p point) PARTITION BY RANGE (id);
CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (1500) WITH (parallel_workers = 2);
CREATE TABLE part_2 PARTITION OF part FOR VALUES FROM (1500) TO (3001) WITH (parallel_workers = 2);
INSERT INTO part SELECT id, p FROM place;
CREATE INDEX ON part USING spqtree (p);
CREATE TABLE visitor (id int, q point);
INSERT INTO visitor SELECT i, point(i * 150, 900 - i * 120) FROM generate_series(1, 5) i;
INSERT INTO visitor VALUES (6, NULL);
CREATE TABLE stop (b box) WITH (parallel_workers = 2);
INSERT INTO stop SELECT box(point(v, v), point(v + 20, v + 20))
FROM generate_series(1, 2000) i, LATERAL (SELECT i * 7 % 1000 AS v) s;
VACUUM ANALYZE place, part, visitor, stop;
ALTER TABLE place SET (parallel_workers = 2);
ALTER TABLE visitor SET (parallel_workers = 0);

-- What is wrong with a query: parallel nearest scans in its plan, or another answer than without indexes.
CREATE FUNCTION wrong(query text, index text, with_seqscan text DEFAULT 'off') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  truth text[];
  line text;
  last text;
BEGIN
  PERFORM set_config(name, value, true)
  FROM (VALUES ('enable_seqscan', 'on'), ('enable_sort', 'on'), ('enable_indexscan', 'off'),
        ('enable_indexonlyscan', 'off'),
               ('enable_bitmapscan', 'off'), ('max_parallel_workers_per_gather', '0')) v(name, value);
  truth := tst.rows(query);
  PERFORM set_config(name, value, true)
  FROM (VALUES ('enable_seqscan', with_seqscan), ('enable_sort', with_seqscan), ('enable_indexscan', 'on'),
        ('enable_indexonlyscan', 'on'),
               ('enable_material', 'off'), ('max_parallel_workers_per_gather', '2')) v(name, value);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ 'Parallel Index' THEN last := line; END IF;
    IF line ~ '->' AND line !~ 'Parallel Index' THEN last := NULL; END IF;
    IF line ~ 'Order By:' AND last IS NOT NULL THEN RETURN last; END IF;
    IF line ~ index THEN index := NULL; END IF;
  END LOOP;
  IF index IS NOT NULL THEN RETURN 'no scan of ' || index; END IF;
  RETURN tst.differing(truth, tst.rows(query));
END $$;

-- In order of the distance from a value of the outer row, by each class.
SELECT y, wrong(format('SELECT x.id, round(d::numeric, 6) FROM visitor x,
                        LATERAL (SELECT y.%1$s <-> %2$s d FROM place y WHERE y.id %% 2 = 0
                                 ORDER BY y.%1$s <-> %2$s LIMIT 500) s
                        WHERE x.q IS NOT NULL', y, operand), 'Index')
FROM (VALUES ('p', 'x.q'), ('b', 'x.q'), ('b', 'box(x.q, x.q)'), ('c', 'x.q'), ('l', 'x.q'), ('p', 'circle(x.q, 1)'),
             ('b3', 'point3(x.q[0], x.q[1], 5)'), ('p3', 'point3(x.q[0], x.q[1], 5)'),
             ('b3', 'ray3(point3(x.q[0], x.q[1], 5), point3(1, 1, 1))')) v(y, operand);
-- of partitions; of a constant
SELECT wrong('SELECT x.id, round(d::numeric, 6) FROM visitor x,
              LATERAL (SELECT y.p <-> x.q d FROM part y WHERE y.id % 2 = 0 ORDER BY y.p <-> x.q LIMIT 500) s',
             'part_1_p_idx') AS partitions,
       wrong('SELECT string_agg(round(d::numeric, 6)::text, '' '') FROM
              (SELECT b <-> point(5, 5) d FROM place WHERE id % 2 = 0 ORDER BY b <-> point(5, 5)) s', 'Index') AS constant,
       wrong('SELECT string_agg(round(d::numeric, 6)::text, '' '') FROM
              (SELECT b <-> NULL::point d FROM place WHERE id % 2 = 0 ORDER BY b <-> NULL::point) s', 'place') AS null;

-- A plain scan for each row of a parallel one, with such an order that nobody needs.
CREATE FUNCTION loop(c text, operand text) RETURNS text LANGUAGE sql AS
$$ SELECT format('SELECT string_agg(x.id || '' '' || n, '','' ORDER BY x.id) FROM visitor x,
                  LATERAL (SELECT count(id) n FROM (SELECT y.id FROM stop JOIN place y ON y.b && stop.b
                                                   ORDER BY y.%s <-> %s) s) t WHERE x.id = 2', c, operand) $$;
SET spqtree.enable = off;
SELECT wrong(loop('b', 'x.q'), 'place_b_id_idx', 'on') AS loop,
       wrong(loop('b', 'box(x.q, x.q)'), 'place_b_id_idx', 'on') AS loop;
DROP INDEX place_b_id_idx;
SELECT wrong(loop('b', 'x.q'), 'place_spgist', 'on') AS spgist;
RESET spqtree.enable;

DROP FUNCTION wrong(text, text, text), loop(text, text);
DROP TABLE place, part, visitor, stop;
