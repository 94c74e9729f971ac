--
-- What the access method spqtree refuses, and what it says of it
--
\set VERBOSITY terse
CREATE TABLE refused (id int, b box, p point, t text, c circle, g polygon, boxes box[]);

-- Columns of types without a class; the hint names a class or an expression.
\set VERBOSITY default
CREATE INDEX ON refused USING spqtree (t);
CREATE INDEX ON refused USING spqtree (p, id);
\set VERBOSITY terse
CREATE INDEX ON refused USING spqtree (id);
CREATE INDEX ON refused USING spqtree (boxes);
-- These errors are PostgreSQL's; their hints are ours.
\set VERBOSITY default
CREATE INDEX ON refused USING spqtree (p box_ops);
CREATE INDEX ON refused USING spqtree (b spqtree_box_ops);
CREATE INDEX ON refused USING spqtree (g spqtree_box_ops);
CREATE TABLE refused_solid (s sphere3, l lseg3, x xml);
CREATE INDEX ON refused_solid USING spqtree (s);
ALTER TABLE refused_solid ADD EXCLUDE USING spqtree (l WITH &&);
CREATE TABLE refused_constraint (s sphere3, EXCLUDE USING spqtree (s WITH =));
CREATE INDEX ON refused_solid USING spqtree (spqtree_expand(center(s), radius(s)));
CREATE INDEX ON refused_solid USING spqtree ((box3(l)));
-- In a session that CREATE INDEX gives the library, too, also as the second statement.
\c -
CREATE INDEX ON refused_solid USING spqtree (s);
CREATE INDEX ON refused_solid USING spqtree (l);
\c -
CREATE INDEX ON refused_solid USING spqtree (spqtree_expand(center(s), radius(s)));
CREATE INDEX ON refused_solid USING spqtree (s);
-- Others keep theirs.
CREATE INDEX ON refused_solid USING spqtree (x);
CREATE INDEX ON refused_solid USING gist (s);
CREATE INDEX ON refused USING gist (p box_ops);
CREATE INDEX ON refused USING spgist (g spqtree_box_ops);
CREATE INDEX ON refused USING spqtrees (g);
DO $$
BEGIN
	CREATE INDEX ON refused_solid USING spqtree (s);
EXCEPTION WHEN undefined_object THEN
	RAISE NOTICE 'caught';
END $$;
DROP TABLE refused_solid;
\set VERBOSITY terse

-- What it does not do.
CREATE UNIQUE INDEX ON refused USING spqtree (b);
CREATE INDEX ON refused USING spqtree (b, b);
-- (19 tells the position, too)
\set VERBOSITY sqlstate
CREATE INDEX ON refused USING spqtree (b ASC);
CREATE INDEX ON refused USING spqtree (b DESC);
CREATE INDEX ON refused USING spqtree (b NULLS FIRST);
CREATE INDEX ON refused USING spqtree (b COLLATE "C");
\set VERBOSITY terse
CREATE INDEX refused_b ON refused USING spqtree (b);
CLUSTER refused USING refused_b;
ALTER TABLE refused ADD UNIQUE USING INDEX refused_b;
ALTER TABLE refused ADD PRIMARY KEY USING INDEX refused_b;
ALTER TABLE refused ADD EXCLUDE USING spqtree (b WITH =);
ALTER TABLE refused ADD EXCLUDE USING spqtree (b WITH <<);
ALTER TABLE refused ADD EXCLUDE USING spqtree (b WITH &&, id WITH =);

-- Parameters.
CREATE INDEX ON refused USING spqtree (b) WITH (levels = 4);
CREATE INDEX ON refused USING spqtree (b) WITH (fillfactor = 9);
CREATE INDEX ON refused USING spqtree (b) WITH (fillfactor = 101);
CREATE INDEX ON refused USING spqtree (b) WITH (fillfactor = full);
CREATE INDEX ON refused USING spqtree (b) WITH (buffering = on);
ALTER INDEX refused_b SET (fastupdate = on);
\set VERBOSITY sqlstate
-- (the message has a schema on some versions)
CREATE INDEX ON refused USING spqtree (b box_ops (levels = 4));
\set VERBOSITY default
SELECT pg_get_indexdef('refused_b'::regclass);

-- Properties.
SELECT prop, pg_indexam_has_property(a.oid, prop) FROM pg_am a, unnest('{can_order,can_unique,can_multi_col,can_exclude,can_include}'::text[]) prop WHERE amname = 'spqtree';
SELECT prop, pg_index_has_property('refused_b', prop) FROM unnest('{clusterable,index_scan,bitmap_scan,backward_scan}'::text[]) prop;
DROP INDEX refused_b;
CREATE INDEX refused_b ON refused USING spqtree (b) INCLUDE (id);
SELECT prop, pg_index_column_has_property('refused_b', 1, prop) AS key, pg_index_column_has_property('refused_b', 2, prop) AS included
FROM unnest('{asc,desc,nulls_first,nulls_last,orderable,distance_orderable,returnable,search_array,search_nulls}'::text[]) prop;

-- A handler is not for SQL; nor are the functions of a class.
\set VERBOSITY terse
-- Minor releases differ in what they say of a value of type internal.
CREATE FUNCTION refuses(call text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE call;
  RETURN false;
EXCEPTION WHEN undefined_function OR feature_not_supported THEN
  RETURN true;
END $$;
SELECT refuses('SELECT _spqtree_handler(NULL)') AS handler,
       refuses($$SELECT _spqtree_box_ends('((0,0),(1,1))', NULL)$$) AS "function of a class";
DROP FUNCTION refuses;
-- Another kind of relation.
CREATE TABLE refused_am (id int) USING spqtree;
CREATE VIEW refused_view AS TABLE refused;
CREATE INDEX ON refused_view USING spqtree (b);
\set VERBOSITY default

-- After all this the index works.
INSERT INTO refused (id, b) VALUES (1, '((1,2),(3,4))');
SET enable_seqscan = off;
SELECT id, b FROM refused WHERE b && box '((2,2),(2,2))';
DROP TABLE refused CASCADE;
