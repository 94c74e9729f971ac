--
-- Random tables with random histories against the sequential scan.
--
-- Everything follows from one number, the seed.  It is 1 unless the environment
-- variable SPQTREE_SEED says otherwise: a number, or "time" for one that nobody
-- has tried yet.  The seed goes into the server's log, and is shown with the
-- statements that led there when an answer differs.  Whatever the seed, the
-- output should be the same.
--
SET statement_timeout = '5min';   -- a loop without end shall be a failure
SET client_min_messages = warning;
\set seed 1
\getenv seed SPQTREE_SEED
CREATE TABLE random_seed AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: random test with seed %', (SELECT seed FROM random_seed); END $$;

-- Number k, in [0,1), of thing i; a whole number likewise.
CREATE FUNCTION random_at(i bigint, k int) RETURNS float8 STABLE LANGUAGE sql
RETURN tst.rnd((SELECT seed FROM random_seed), i, k);
CREATE FUNCTION random_int(i bigint, k int, lo int, hi int) RETURNS int STABLE LANGUAGE sql
RETURN tst.rndint((SELECT seed FROM random_seed), i, k, lo, hi);

-- Box i of a batch.  The batch decides on the kind, on a place and on a scale.
CREATE FUNCTION random_box(batch int, i bigint) RETURNS box STABLE LANGUAGE plpgsql AS $$
DECLARE
  nr bigint := batch::bigint * 1000000 + i;
  kind int := random_int(batch, 1, 0, 11);
  scale float8 := 2.0::float8 ^ random_int(batch, 2, -12, 20);
  place float8 := (random_at(batch, 3) - 0.5) * (ARRAY[0, 1, 1000, 1e9])[random_int(batch, 4, 1, 4)];
  a float8 := random_at(nr, 11);
  b float8 := random_at(nr, 12);
  c float8 := random_at(nr, 13);
  d float8 := random_at(nr, 14);
  special float8[] := '{NaN,Infinity,-Infinity,0,-0,1,1e300,-1e300,1e-300,-1e-300,1e-6,-1e-6}';
BEGIN
  RETURN CASE
    -- a few NULLs
    WHEN random_at(nr, 15) < 0.01 THEN NULL
    -- uniform, with sizes of several decades
    WHEN kind = 0 THEN box(point(place + a * scale, place + b * scale),
                           point(place + a * scale + c ^ 8 * scale / 10, place + b * scale + d ^ 8 * scale / 10))
    -- points, many of them the same
    WHEN kind = 1 THEN box(point(round(a * 20) * scale, round(b * 20) * scale),
                           point(round(a * 20) * scale, round(b * 20) * scale))
    -- on the lines of the lattice
    WHEN kind = 2 THEN box(point(round(a * 16 - 8) * scale, round(b * 16 - 8) * scale),
                           point(round(a * 16 - 8 + c * 2) * scale, round(b * 16 - 8 + d * 2) * scale))
    -- within some EPSILON of each other
    WHEN kind = 3 THEN box(point(place + round(a * 40) * 0.25e-6, place + round(b * 40) * 0.25e-6),
                           point(place + round(c * 40) * 0.25e-6, place + round(d * 40) * 0.25e-6))
    -- all the same
    WHEN kind = 4 THEN box(point(place, scale), point(place + scale, scale * 2))
    -- nested around a place
    WHEN kind = 5 THEN box(point(place - i * scale, place - i * scale), point(place + i * scale, place + i * scale))
    -- sizes of many magnitudes in one place
    WHEN kind = 6 THEN box(point(place + a * scale, place + b * scale),
                           point(place + (a + 2.0 ^ (c * 60 - 40)) * scale, place + (b + 2.0 ^ (c * 60 - 40) * d) * scale))
    -- numbers of all magnitudes and both signs
    WHEN kind = 7 THEN box(point(sign(a - 0.5) * 2.0::float8 ^ (b * 2090 - 1070), sign(b - 0.5) * 2.0::float8 ^ (c * 2090 - 1070)),
                           point(sign(c - 0.5) * 2.0::float8 ^ (d * 2090 - 1070), sign(d - 0.5) * 2.0::float8 ^ (a * 2090 - 1070)))
    -- NaN, infinities and extremes, all of them or a few
    WHEN kind = 8 THEN box(point(special[1 + floor(a * 12)], special[1 + floor(b * 12)]),
                           point(special[1 + floor(c * 12)], special[1 + floor(d * 12)]))
    WHEN kind = 9 THEN box(point(a * scale, b * scale), point(c * scale, d * scale))
                       + point(coalesce(special[1 + floor(d * 99)], 0), coalesce(special[1 + floor(c * 99)], 0))
    -- sorted and thin
    WHEN kind = 10 THEN box(point(place + i * scale, place), point(place + (i + c) * scale, place + d * scale / 1000))
    -- beyond 2^53
    ELSE box(point(1e16 + round(a * 100) * 2, 1e17), point(1e16 + round(b * 100) * 2 * scale, 1e17 + round(c * 50) * 16)) END;
END $$;

-- Eight rounds.  In each a table and an index, which comes before or after the
-- first rows; then eight steps, and a comparison after every fourth.  No vacuum
-- of temporary tables: in PostgreSQL it can ruin an SP-GiST index of any class.
CREATE TABLE random_step (nr serial, round int, sql text);
INSERT INTO random_step (round, sql)
SELECT round, sql
FROM generate_series(1, 8) round, LATERAL (
  SELECT -1 AS step, 0 AS part, 'DROP TABLE IF EXISTS random_table' AS sql
  UNION ALL
  SELECT -1, 1, format('CREATE %s TABLE random_table (id serial, b box)', (ARRAY['', 'UNLOGGED', 'TEMP'])[random_int(round, 21, 1, 3)])
  UNION ALL
  SELECT random_int(round, 22, 0, 1) * 3 - 1, 2,
         format('CREATE INDEX ON random_table USING spgist (b spqtree_box_ops) INCLUDE (id) WITH (fillfactor = %s)', random_int(round, 23, 10, 100))
  UNION ALL
  SELECT step, 0, CASE WHEN dice <= 4 OR step <= 2 THEN
                    format('INSERT INTO random_table (b) SELECT random_box(%s, i) FROM generate_series(1, %s) i', id, 50 * 2 ^ random_int(id, 25, 1, 5))
                  WHEN dice = 5 THEN format('DELETE FROM random_table WHERE id %% %s = 0', random_int(id, 26, 1, 4))
                  WHEN dice = 6 THEN format('DELETE FROM random_table WHERE b && random_box(%s, %s)', round * 100 + 1, id)
                  WHEN dice = 7 THEN format('UPDATE random_table SET b = random_box(%s, id) WHERE id %% %s = 0', id, random_int(id, 26, 1, 9))
                  WHEN dice <= 10 AND random_int(round, 21, 1, 3) < 3 THEN 'VACUUM random_table'
                  ELSE 'REINDEX TABLE random_table' END
  FROM (SELECT step, id, random_int(id, 24, 1, 11) AS dice
        FROM generate_series(1, 8) step, LATERAL (SELECT round * 100 + step AS id) v) d
  UNION ALL
  SELECT step, 1, format('INSERT INTO random_result SELECT %s, %s, * FROM random_check(%s)', round, step, round * 100 + step)
  FROM generate_series(4, 8, 4) step) s
ORDER BY round, step, part;

-- Queries are boxes of the table, and boxes of any kind.
CREATE FUNCTION random_check(id int) RETURNS TABLE (question text, plan text, rows bigint, wrong int) LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMP TABLE random_q ON COMMIT DROP AS
  SELECT * FROM tst.queries('random_table', 12)
  UNION ALL
  SELECT 12 + i, random_box(id * 10 + i, i), (random_box(id * 10 + i, i))[i % 2] FROM generate_series(1, 9) i;
  RETURN QUERY SELECT c.operator, v.plan, c.rows, v.wrong FROM tst.compare('random_table', 'random_q') c,
    LATERAL (VALUES ('index', c."index"), ('index only', c."index only"), ('bitmap', c.bitmap)) v(plan, wrong);
  RETURN QUERY SELECT c.ordering, v.plan, c.rows, v.wrong
    FROM (SELECT * FROM tst.compare_order('random_table', 'random_q', 20)
          UNION ALL
          SELECT * FROM tst.compare_order('random_table', 'random_q', NULL, 't.b &< q.b', '{"t.b <-> q.p, t.b <-> q.b"}')) c,
         LATERAL (VALUES ('index', c."index"), ('index only', c."index only")) v(plan, wrong);
  DROP TABLE random_q;
END $$;
CREATE TABLE random_result (round int, step int, question text, plan text, rows bigint, wrong int);

\set VERBOSITY terse
\set ECHO none
SELECT sql FROM random_step ORDER BY nr \gexec
\set ECHO all

SELECT count(*) AS comparisons, sum(rows) > 10000 AS rows FROM random_result;
-- No error, no answer that differs; otherwise the seed and the statements that
-- led there.
SELECT seed AS "error with seed" FROM random_seed WHERE :'LAST_ERROR_SQLSTATE' <> '00000';
SELECT seed, r.* FROM random_seed, random_result r WHERE wrong > 0 ORDER BY round, step, question, plan;
SELECT seed, s.* FROM random_seed, random_step s WHERE round IN (SELECT round FROM random_result WHERE wrong > 0) ORDER BY nr;

DROP FUNCTION random_check, random_box, random_int, random_at;
DROP TABLE random_seed, random_step, random_result, random_table;
