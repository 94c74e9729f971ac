--
-- The spatial join: what is not accepted, and what it says of it.
--
\set VERBOSITY default
\set SHOW_CONTEXT never

CREATE TABLE join_bad (id int, b box, t text);
INSERT INTO join_bad SELECT i, box(point(i, 0), point(i + 1, 0)), i::text FROM generate_series(1, 10) i;
\set good 'SELECT id, b FROM join_bad'

-- Columns.
SELECT * FROM spqtree_join('SELECT id FROM join_bad', :'good');
SELECT * FROM spqtree_join(:'good', 'SELECT b, id, t FROM join_bad');
SELECT * FROM spqtree_join('SELECT FROM join_bad', :'good');
SELECT * FROM spqtree_join('SELECT b, id FROM join_bad', :'good');
SELECT * FROM spqtree_join(:'good', 'SELECT id::numeric, b FROM join_bad');
SELECT * FROM spqtree_join(:'good', 'SELECT t, b FROM join_bad');
SELECT * FROM spqtree_join(:'good', 'SELECT id::oid, b FROM join_bad');
SELECT * FROM spqtree_join('SELECT id, b::text FROM join_bad', :'good');
SELECT * FROM spqtree_join('SELECT id, circle(b) FROM join_bad', :'good');
SELECT * FROM spqtree_join('SELECT id, NULL FROM join_bad', :'good');
SELECT * FROM spqtree_self_join('SELECT id, ARRAY[b] FROM join_bad');
SELECT * FROM spqtree_self_join('SELECT id, b, b FROM join_bad');

-- A query that is no SELECT.
SELECT * FROM spqtree_join('INSERT INTO join_bad VALUES (1) RETURNING id, b', :'good');
SELECT * FROM spqtree_join('UPDATE join_bad SET id = 1 RETURNING id, b', :'good');
SELECT * FROM spqtree_join(:'good', 'DELETE FROM join_bad RETURNING id, b');
SELECT * FROM spqtree_join('CREATE TABLE join_made (id int)', :'good');
SELECT * FROM spqtree_join('EXPLAIN SELECT id, b FROM join_bad', :'good');
SELECT * FROM spqtree_join('COMMIT', :'good');
SELECT * FROM spqtree_join('PREPARE p AS SELECT 1', :'good');
SELECT * FROM spqtree_self_join('SELECT id, b INTO join_made FROM join_bad');
SELECT * FROM spqtree_self_join('SELECT id, b INTO join_made FROM join_bad UNION ALL SELECT id, b FROM join_bad');
SELECT * FROM spqtree_self_join('(SELECT id, b INTO join_made FROM join_bad ORDER BY id) UNION ALL SELECT id, b FROM join_bad');
SELECT * FROM spqtree_self_join('');
SELECT * FROM spqtree_self_join(' ; ');
SELECT * FROM spqtree_self_join('SELECT id, b FROM join_bad; SELECT id, b FROM join_bad');
SELECT * FROM spqtree_self_join('SELECT id, b FROM join_bad; DROP TABLE join_bad');
-- a SELECT that writes, or locks
SELECT * FROM spqtree_self_join('SELECT id, b FROM join_bad FOR UPDATE');
SELECT * FROM spqtree_self_join('SELECT id, b FROM (SELECT * FROM join_bad FOR KEY SHARE) s');
SELECT * FROM spqtree_self_join('WITH x AS (DELETE FROM join_bad RETURNING id, b) SELECT id, b FROM x');
SELECT * FROM spqtree_self_join('WITH x AS (INSERT INTO join_bad VALUES (1)) SELECT id, b FROM join_bad');

-- Predicates.
SELECT * FROM spqtree_join(:'good', :'good', '||');
SELECT * FROM spqtree_join(:'good', :'good', '');
SELECT * FROM spqtree_join(:'good', :'good', ' &&');
SELECT * FROM spqtree_join(:'good', :'good', 'overlaps');
SELECT * FROM spqtree_join(:'good', :'good', '<<');

-- NULL.
SELECT * FROM spqtree_join(NULL, :'good');
SELECT * FROM spqtree_join(:'good', NULL);
SELECT * FROM spqtree_join(:'good', :'good', NULL);
SELECT * FROM spqtree_self_join(NULL);

-- Lengths.
SELECT d, (SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM join_bad', d, d)) FROM unnest('{NULL,1e-300,1e300,1.7976931348623157e308,5e-324}'::float8[]) d;
SELECT * FROM spqtree_join(:'good', :'good', distance => 0);
SELECT * FROM spqtree_join(:'good', :'good', distance => -1);
SELECT * FROM spqtree_join(:'good', :'good', distance => 'NaN');
SELECT * FROM spqtree_join(:'good', :'good', distance => 'Infinity');
SELECT * FROM spqtree_join(:'good', :'good', distance => '-Infinity');
SELECT * FROM spqtree_join(:'good', :'good', cell_size => 0);
SELECT * FROM spqtree_join(:'good', :'good', cell_size => -1e-300);
SELECT * FROM spqtree_join(:'good', :'good', cell_size => 'NaN');
SELECT * FROM spqtree_join(:'good', :'good', cell_size => 'Infinity');
SELECT * FROM spqtree_self_join(:'good', -5);
SELECT * FROM spqtree_self_join(:'good', 'NaN');
SELECT * FROM spqtree_self_join(:'good', cell_size => 0);
-- a distance goes with && only
SELECT * FROM spqtree_join(:'good', :'good', '@>', 1);
SELECT * FROM spqtree_join(:'good', :'good', '<@', 1);
SELECT * FROM spqtree_join(:'good', :'good', '~=', 1);

-- Queries that are wrong in themselves.  It says which, and where.
\set SHOW_CONTEXT always
SELECT * FROM spqtree_join(:'good', 'SELECT id, b FRM join_bad');
SELECT * FROM spqtree_join(:'good', 'SELECT id, c FROM join_bad');
SELECT * FROM spqtree_join('SELECT id, b FROM join_absent', :'good');
SELECT * FROM spqtree_self_join('SELECT id, b FROM join_bad WHERE id = $1');
SELECT * FROM spqtree_self_join('SELECT id, b FROM join_bad WHERE t');
SELECT * FROM spqtree_join('SELECT id FROM join_bad', :'good');
\set SHOW_CONTEXT never

-- A row without an id, unless it has no box either.
SELECT * FROM spqtree_join('SELECT NULLIF(id, 5), b FROM join_bad', :'good');
SELECT * FROM spqtree_join(:'good', 'SELECT NULLIF(id, 5), b FROM join_bad');
SELECT * FROM spqtree_self_join('SELECT NULLIF(id, 5), b FROM join_bad');
SELECT count(*) FROM spqtree_self_join('SELECT NULLIF(id, 5), CASE WHEN id <> 5 THEN b END FROM join_bad');

-- Errors while a query runs, on either side, at the first row or late, also when
-- pairs have been returned already.  The session goes on.
SELECT count(*) FROM spqtree_join('SELECT 1 / (id - 7), b FROM join_bad', 'SELECT id, b FROM join_bad LIMIT 5');
SELECT count(*) FROM spqtree_join('SELECT id, b FROM join_bad LIMIT 5', 'SELECT 1 / (id - 7), b FROM join_bad');
SELECT count(*) FROM spqtree_self_join('SELECT 1 / (i - 30000), box(point(i, 0), point(i + 1, 0)) FROM generate_series(1, 30000) i');
SELECT count(*) FROM spqtree_join(:'good', 'SELECT 1 / (i - 30000), box(point(i % 10, 0), point(i % 10, 0)) FROM generate_series(1, 30000) i');
SELECT count(*) FROM (SELECT FROM spqtree_join(:'good', 'SELECT 1 / (i - 30000), box(point(i % 10, 0), point(i % 10, 0)) FROM generate_series(1, 30000) i') LIMIT 2000) s;
BEGIN;
SAVEPOINT s;
SELECT count(*) FROM spqtree_self_join('SELECT 1 / (id - 7), b FROM join_bad');
ROLLBACK TO s;
SELECT count(*) FROM spqtree_self_join(:'good');
COMMIT;
-- many of them in one transaction, at work_mem so small that files are open
SET work_mem = '64kB';
DO $$
DECLARE
  caught int := 0;
  n bigint;
BEGIN
  FOR i IN 1 .. 42 LOOP
    BEGIN
      SELECT count(*) INTO n
      FROM spqtree_join(format('SELECT 1 / (i - %s), box(point(i, 0), point(i + 1, 0)) FROM generate_series(1, 4000) i', CASE WHEN i % 2 = 0 THEN 3000 ELSE 4001 END),
                        format('SELECT 1 / (i - %s), box(point(i, 0), point(i + 1, 0)) FROM generate_series(1, 5000) i', CASE WHEN i % 3 = 0 THEN 4000 ELSE 5001 END));
    EXCEPTION WHEN division_by_zero THEN
      caught := caught + 1;
    END;
  END LOOP;
  RAISE NOTICE 'caught %, then % pairs', caught, n;
END $$;
RESET work_mem;
SELECT count(*) FROM spqtree_self_join(:'good');

-- One that has a limit of its own: a query that calls itself.
CREATE FUNCTION join_again() RETURNS TABLE (id bigint, b box) LANGUAGE plpgsql AS
$$ BEGIN RETURN QUERY SELECT left_id, box '(0,0),(1,1)' FROM spqtree_join('SELECT * FROM join_again()', 'SELECT * FROM join_again()'); END $$;
SET max_stack_depth = '1MB';
\set VERBOSITY sqlstate
SELECT * FROM join_again();
\set VERBOSITY default
RESET max_stack_depth;

-- The codes of all these errors.
CREATE FUNCTION join_sqlstate(l text, r text, predicate text, distance float8, size float8) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM spqtree_join(l, r, predicate, distance, size);
  RETURN 'no error';
EXCEPTION WHEN OTHERS THEN RETURN sqlstate;
END $$;
SELECT what, join_sqlstate(coalesce(q, :'good'), :'good', predicate, distance, size) AS sqlstate
FROM (VALUES ('fine', NULL, '&&', NULL::float8, NULL::float8), ('one column', 'SELECT id FROM join_bad', '&&', NULL, NULL), ('type of id', 'SELECT t, b FROM join_bad', '&&', NULL, NULL),
             ('type of box', 'SELECT id, t FROM join_bad', '&&', NULL, NULL), ('insert', 'INSERT INTO join_bad DEFAULT VALUES', '&&', NULL, NULL),
             ('for update', 'SELECT id, b FROM join_bad FOR UPDATE', '&&', NULL, NULL), ('two statements', 'SELECT 1; SELECT 2', '&&', NULL, NULL), ('none', '', '&&', NULL, NULL),
             ('syntax', 'SELECT 1 +', '&&', NULL, NULL), ('no table', 'TABLE join_absent', '&&', NULL, NULL), ('no column', 'SELECT c FROM join_bad', '&&', NULL, NULL),
             ('id is NULL', 'SELECT NULL::int, b FROM join_bad', '&&', NULL, NULL), ('division by zero', 'SELECT 1 / (id - 5), b FROM join_bad', '&&', NULL, NULL),
             ('predicate', NULL, '=', NULL, NULL), ('predicate is NULL', NULL, NULL, NULL, NULL), ('distance', NULL, '&&', -1, NULL), ('cell size', NULL, '&&', NULL, 0),
             ('distance with another predicate', NULL, '@>', 1, NULL)) v(what, q, predicate, distance, size);

-- Nothing has been written.
SELECT count(*), sum(id) FROM join_bad;
SELECT to_regclass('join_made');

-- The functions in C by themselves check as well.
SELECT * FROM _spqtree_join_pairs(:'good', :'good', NULL, NULL, NULL);
SELECT * FROM _spqtree_self_join_pairs(:'good', 0, NULL);
SELECT count(*) FROM _spqtree_join_pairs(:'good', :'good', '&&', NULL, NULL);
SELECT count(*) FROM _spqtree_self_join_pairs(:'good', NULL, NULL);

-- One query's functions cannot change the other query's table: both are open
-- from the start.
CREATE TABLE join_open_p AS SELECT i AS id, box(point(i, i), point(i + 1, i + 1)) AS b FROM generate_series(1, 5000) i;
CREATE TABLE join_open_q AS SELECT * FROM join_open_p LIMIT 10;
ANALYZE join_open_p, join_open_q;
CREATE FUNCTION join_open_do(command text, i int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  IF i = 5 THEN EXECUTE command; END IF;
  RETURN i;
END $$;
\set VERBOSITY terse
SELECT count(*) FROM spqtree_join('SELECT id, b FROM join_open_p', $$SELECT join_open_do('DROP TABLE join_open_p', id), b FROM join_open_q$$);
SELECT count(*) FROM spqtree_join('SELECT id, b FROM join_open_p', $$SELECT join_open_do('TRUNCATE join_open_p', id), b FROM join_open_q$$);
SELECT count(*) FROM spqtree_join('SELECT id, b FROM join_open_p', $$SELECT join_open_do('DROP TABLE join_open_q', id), b FROM join_open_q$$);
SELECT count(*) FROM spqtree_join('SELECT id, b FROM join_open_p', 'SELECT id, b FROM join_open_q');
-- Of a long query, an error shows the beginning.
\set VERBOSITY default
\set SHOW_CONTEXT errors
SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM join_open_q WHERE id / 0 = 1' || repeat(' OR id = -1', 30));
DROP FUNCTION join_open_do;
DROP TABLE join_open_p, join_open_q;
