--
-- Input that is not accepted, and what PostgreSQL says of it
--
\set VERBOSITY terse

CREATE TABLE bad (b box, p point, t text, i int, c circle, g polygon);

-- Boxes and points that cannot be read, in data and in queries.
INSERT INTO bad (b) VALUES ('((1,2),(3))');
INSERT INTO bad (b) VALUES ('nonsense');
INSERT INTO bad (b) VALUES ('(1,2,3,4');
INSERT INTO bad (b) VALUES ('((1,2),(3,1e999))');
INSERT INTO bad (p) VALUES ('(1;2)');
CREATE INDEX bad_b ON bad USING spgist (b spqtree_box_ops);
INSERT INTO bad (b) VALUES ('((1,2),(3))');
INSERT INTO bad (b) VALUES ('');
SELECT b FROM bad WHERE b && '((0,0),(1,x))';
SELECT b FROM bad WHERE b @> point '(1)';
SELECT b FROM bad ORDER BY b <-> point '1,2,3' LIMIT 1;
DROP INDEX bad_b;

-- Columns of other types.
CREATE INDEX ON bad USING spgist (p spqtree_box_ops);
CREATE INDEX ON bad USING spgist (t spqtree_box_ops);
CREATE INDEX ON bad USING spgist (i spqtree_box_ops);
CREATE INDEX ON bad USING spgist (c spqtree_box_ops);
CREATE INDEX ON bad USING spgist (g spqtree_box_ops);

-- Other access methods.
CREATE INDEX ON bad USING gist (b spqtree_box_ops);
CREATE INDEX ON bad USING btree (b spqtree_box_ops);
CREATE INDEX ON bad USING brin (b spqtree_box_ops);

-- Parameters.
\set VERBOSITY sqlstate
-- (the message has a schema on some versions)
CREATE INDEX ON bad USING spgist (b spqtree_box_ops (levels = 4));
\set VERBOSITY terse
CREATE INDEX ON bad USING spgist (b spqtree_box_ops) WITH (levels = 4);
CREATE INDEX ON bad USING spgist (b spqtree_box_ops) WITH (fillfactor = 5);
CREATE INDEX ON bad USING spgist (b spqtree_box_ops) WITH (fillfactor = full);

-- What SP-GiST does not do.
CREATE UNIQUE INDEX ON bad USING spgist (b spqtree_box_ops);
CREATE INDEX ON bad USING spgist (b spqtree_box_ops, b spqtree_box_ops);
-- (19 tells the position, too)
\set VERBOSITY sqlstate
CREATE INDEX ON bad USING spgist (b spqtree_box_ops DESC);
CREATE INDEX ON bad USING spgist (b spqtree_box_ops NULLS FIRST);
CREATE INDEX ON bad USING spgist (b COLLATE "C" spqtree_box_ops);
\set VERBOSITY terse
CREATE INDEX bad_b ON bad USING spgist (b spqtree_box_ops);
CLUSTER bad USING bad_b;
ALTER TABLE bad ADD CONSTRAINT u UNIQUE USING INDEX bad_b;
ALTER INDEX bad_b SET (fastupdate = on);
-- an operator that the class does not have, one that does not commute
ALTER TABLE bad ADD EXCLUDE USING spgist (b spqtree_box_ops WITH =);
ALTER TABLE bad ADD EXCLUDE USING spgist (b spqtree_box_ops WITH <<);

-- The class does not take the place of the default one.
CREATE INDEX bad_default ON bad USING spgist (b);
SELECT pg_get_indexdef('bad_b'::regclass), pg_get_indexdef('bad_default'::regclass);

-- The functions of the class are not for SQL.
SELECT proname, pronargs FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'spqtree')
  AND proname LIKE '\_spqtree\_box%' AND NOT 'internal'::regtype = ANY (proargtypes);

-- After all this the index works.
INSERT INTO bad (b) VALUES ('((1,2),(3,4))');
SET enable_seqscan = off;
DROP INDEX bad_default;
SELECT b FROM bad WHERE b && '((2,2),(2,2))';
DROP TABLE bad;
