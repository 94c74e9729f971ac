--
-- A user-defined type joins like box, by an operator class that uses the quadtree's
-- config method.  Such a class promises that its operators 3, 6, 7 and 8 hold only
-- where the boxes that its compress method returns overlap.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_opclass;
SET search_path = node_opclass, public;
-- a disc: a center and a radius
CREATE TYPE disc AS (x float8, y float8, r float8);
CREATE FUNCTION disc_box(disc) RETURNS box IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
RETURN box(point(($1).x - ($1).r, ($1).y - ($1).r), point(($1).x + ($1).r, ($1).y + ($1).r));
-- Not in SQL, because the planner would inline the bodies.  Discs with a gap of
-- EPSILON do not overlap, but their boxes do.
CREATE FUNCTION disc_overlaps(disc, disc) RETURNS boolean IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE plpgsql AS $$ BEGIN RETURN (($1).x - ($2).x) ^ 2 + (($1).y - ($2).y) ^ 2 <= (($1).r + ($2).r) ^ 2; END $$;
CREATE FUNCTION disc_contains(disc, disc) RETURNS boolean IMMUTABLE STRICT PARALLEL SAFE LANGUAGE plpgsql AS $$ BEGIN RETURN ($1).r >= ($2).r AND (($1).x - ($2).x) ^ 2 + (($1).y - ($2).y) ^ 2 <= (($1).r - ($2).r) ^ 2; END $$;
CREATE FUNCTION disc_contained(disc, disc) RETURNS boolean IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE plpgsql AS $$ BEGIN RETURN disc_contains($2, $1); END $$;
CREATE FUNCTION disc_left(disc, disc) RETURNS boolean IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE plpgsql AS $$ BEGIN RETURN ($1).x + ($1).r < ($2).x - ($2).r; END $$;
CREATE OPERATOR && (LEFTARG = disc, RIGHTARG = disc, FUNCTION = disc_overlaps, COMMUTATOR = &&, RESTRICT = contsel,
                    JOIN = contjoinsel);
CREATE OPERATOR @> (LEFTARG = disc, RIGHTARG = disc, FUNCTION = disc_contains, COMMUTATOR = <@, RESTRICT = contsel,
                    JOIN = contjoinsel);
CREATE OPERATOR <@ (LEFTARG = disc, RIGHTARG = disc, FUNCTION = disc_contained, COMMUTATOR = @>, RESTRICT = contsel,
                    JOIN = contjoinsel);
CREATE OPERATOR << (LEFTARG = disc, RIGHTARG = disc, FUNCTION = disc_left, RESTRICT = positionsel,
                    JOIN = positionjoinsel);
-- the same operator, in no class
CREATE OPERATOR &&& (LEFTARG = disc, RIGHTARG = disc, FUNCTION = disc_overlaps, COMMUTATOR = &&&, RESTRICT = contsel,
                     JOIN = contjoinsel);

CREATE TABLE l AS SELECT i AS id, (i % 40, i / 40, 0.2 + i % 3 * 0.2)::disc AS d FROM generate_series(0, 499) i;
CREATE TABLE r AS SELECT i AS id, (i % 20 + 0.4, i / 20 + 0.3, 0.1 + i % 4 * 0.1)::disc AS d
FROM generate_series(0, 199) i;
UPDATE l SET d = NULL WHERE id % 50 = 7;
UPDATE r SET d = ROW('NaN', 3, 1) WHERE id = 33;
UPDATE r SET d = ROW(3, 5, 'Infinity') WHERE id = 44;
ANALYZE l, r;
SET enable_nestloop = off;

-- without a class, the operator does not join
CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
  plan text := '';
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    plan := plan || line;
  END LOOP;
  RETURN substring(plan from 'Spatial Hash Join|Nested Loop');
END $$;
CREATE TABLE operator (nr serial, name text);
INSERT INTO operator (name) VALUES ('&&'), ('@>'), ('<@'), ('<<'), ('&&&');
SELECT name, plan_of(format('SELECT FROM l JOIN r ON l.d %s r.d', name)) FROM operator ORDER BY nr;

CREATE OPERATOR CLASS disc_ops DEFAULT FOR TYPE disc USING spgist AS
  OPERATOR 1 <<, OPERATOR 3 &&, OPERATOR 7 @>, OPERATOR 8 <@,
  FUNCTION 1 _spqtree_box_config(internal, internal), FUNCTION 2 _spqtree_box_choose(internal, internal),
    FUNCTION 3 _spqtree_box_picksplit(internal, internal),
  FUNCTION 4 _spqtree_box_inner_consistent(internal, internal),
    FUNCTION 5 _spqtree_box_leaf_consistent(internal, internal), FUNCTION 6 disc_box(disc);
-- "<<" does not imply overlap, "&&&" is not in the class
SELECT name, plan_of(format('SELECT FROM l JOIN r ON l.d %s r.d', name)) FROM operator ORDER BY nr;
EXPLAIN (COSTS OFF) SELECT l.id, r.id FROM l JOIN r ON l.d && r.d;

CREATE FUNCTION answer(query text, node boolean) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('spqtree.enable_hashjoin', node::text, true),
    set_config('enable_nestloop', (NOT node)::text, true);
  IF node <> (plan_of(query) = 'Spatial Hash Join') THEN
    RAISE EXCEPTION 'wrong plan';
  END IF;
  RETURN tst.rows(query);
END $$;
SELECT name, cardinality(answer(query, false)) AS rows, tst.differing(answer(query, false), answer(query, true))
FROM operator, unnest('{JOIN,LEFT JOIN,RIGHT JOIN}'::text[]) AS kind, LATERAL (SELECT format('SELECT l.id, r.id, r.d FROM l %s r ON l.d %s r.d AND l.id + r.id <> 40', kind, name)) q (query)
WHERE nr <= 3 ORDER BY nr, kind;
SELECT cardinality(answer(query, false)) AS rows, tst.differing(answer(query, false), answer(query, true))
FROM (VALUES ('SELECT l.id FROM l WHERE NOT EXISTS (SELECT FROM r WHERE r.d @> l.d)')) q (query);
SELECT count(*), count(l.id), count(r.id) FROM l FULL JOIN r ON l.d && r.d;
SELECT (SELECT count(*) FROM l LEFT JOIN r ON l.d && r.d) + (SELECT count(*) FROM r
                                                             WHERE NOT EXISTS (SELECT FROM l
                                                                 WHERE l.d && r.d)) AS count;
-- without the class, its operators no longer join
DROP OPERATOR CLASS disc_ops USING spgist;
DROP OPERATOR FAMILY disc_ops USING spgist;
SELECT name, plan_of(format('SELECT FROM l JOIN r ON l.d %s r.d', name)) FROM operator ORDER BY nr;
DROP SCHEMA node_opclass CASCADE;
