--
-- CREATE EXTENSION says that later sessions lack the library; LOAD makes kept plans again.
--
SELECT current_database() AS before \gset
CREATE DATABASE "regress_spqtree preload";
ALTER DATABASE "regress_spqtree preload" SET session_preload_libraries = '$libdir/auto_explain';
\c "regress_spqtree preload"
CREATE TABLE t AS SELECT box(point(i, i), point(i + 1, i + 1)) AS b FROM generate_series(1, 1000) i;
ANALYZE t;

-- A kept plan, from before the library is loaded.
SET plan_cache_mode = force_generic_plan;
PREPARE pairs AS SELECT count(*) FROM t a JOIN t b ON a.b && b.b;
CREATE FUNCTION plan_has_node() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXPLAIN EXECUTE pairs LOOP
    IF line ~ 'Spatial Hash Join' THEN RETURN true; END IF;
  END LOOP;
  RETURN false;
END $$;
EXECUTE pairs;
SELECT plan_has_node();
LOAD 'spqtree';
SELECT plan_has_node();
EXECUTE pairs;

-- In a session that has the library, CREATE EXTENSION says nothing.
CREATE EXTENSION spqtree;
DROP EXTENSION spqtree;
-- In one that lacks it, it says so, once, with what to run.
\c -
CREATE EXTENSION spqtree;
DROP EXTENSION spqtree;
CREATE EXTENSION spqtree;
DROP EXTENSION spqtree;
-- Settings from before the library is loaded: it says which it does not know, and removes them. They
-- are an error when it is loaded.
\c -
SET spqtree.enabel = off;
SET spqtree.enable_hashjoin = perhaps;
SET spqtree.sample_rows = 17;
LOAD 'spqtree';
SHOW spqtree.enabel;
SHOW spqtree.enable_hashjoin;
SHOW spqtree.sample_rows;
SET spqtree.enabel = off;
ALTER DATABASE "regress_spqtree preload" SET spqtree.enabel = off;
-- What CREATE EXTENSION says is right.
ALTER DATABASE "regress_spqtree preload" SET session_preload_libraries = '$libdir/auto_explain', 'spqtree';
\c -
SHOW session_preload_libraries;
CREATE EXTENSION spqtree;
EXPLAIN (COSTS OFF) SELECT count(*) FROM t a JOIN t b ON a.b && b.b;

\c :"before"
DROP DATABASE "regress_spqtree preload";
