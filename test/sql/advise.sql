--
-- spqtree_advise(): what it says of the objects of a database, and that its advice can be followed.
--
SELECT current_database() AS before \gset
SET client_min_messages = warning;
CREATE DATABASE regress_spqtree_advise;
ALTER DATABASE regress_spqtree_advise SET session_preload_libraries = 'spqtree';
\c regress_spqtree_advise
CREATE EXTENSION spqtree;
SET effective_io_concurrency = 16;
-- Sizes differ between versions.
CREATE VIEW advised AS
SELECT object, regexp_replace(finding, '\d+ (bytes|kB|MB)', 'N kB') AS finding, advice FROM spqtree_advise();

-- Nothing to say of an empty database, nor of tables without spatial columns.
CREATE TABLE other AS SELECT i AS id, to_tsvector('simple', 'word' || i) AS words FROM generate_series(1, 2000) i;
CREATE INDEX ON other USING gist (words);
ANALYZE other;
SELECT * FROM advised;

CREATE FUNCTION some_rows(int) RETURNS TABLE (id int, b box, p point, c circle, during int4range, "g g" polygon)
LANGUAGE sql AS $$
SELECT i, box(point(i, i), point(i + 1, i + 1)), point(i, i), circle(point(i, i), 1), int4range(i, i + 9), polygon(box(point(i, i), point(i + 1, i)))
FROM generate_series(1, $1) i $$;
-- Columns without an index; small tables need none.
CREATE TABLE plain AS SELECT * FROM some_rows(1200);
CREATE TABLE small AS SELECT * FROM some_rows(900);
ANALYZE plain, small;
SELECT * FROM advised;
DROP TABLE plain, small;

-- Indexes whose place one of ours can take, and others.
CREATE TABLE "my map" AS SELECT * FROM some_rows(500);
CREATE INDEX "a box" ON "my map" USING gist (b) WITH (fillfactor = 70);
CREATE INDEX ON "my map" USING gist (c) INCLUDE (id) WHERE id > 7;
CREATE INDEX ON "my map" USING spgist (p);
CREATE INDEX ON "my map" USING gist (during, "g g");
CREATE INDEX kd ON "my map" USING spgist (p kd_point_ops);              -- not the class for which ours is the default
CREATE INDEX expression ON "my map" USING gist (box(c));
ALTER TABLE "my map" ADD EXCLUDE USING gist (during WITH &&) WHERE (id < 0);
CREATE TABLE divided (id int, b box) PARTITION BY RANGE (id);
CREATE TABLE divided_1 PARTITION OF divided FOR VALUES FROM (0) TO (1000);
CREATE INDEX ON divided USING gist (b);
ANALYZE "my map";
SELECT * FROM advised;
-- The advice can be run.  Then the old indexes go, and no others.
SELECT advice FROM spqtree_advise() \gexec
-- Ours could not be used yet, as long as the old ones are there, or as they are new.
SELECT * FROM advised;
CREATE PROCEDURE time_passes() LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1..10001 LOOP
    PERFORM pg_current_xact_id();
    COMMIT;
  END LOOP;
END $$;
SET synchronous_commit = off;
CALL time_passes();
SELECT count(*) FROM advised WHERE finding ~ 'no query has used';
SELECT advice FROM spqtree_advise() WHERE finding ~ 'answers the same' \gexec
SELECT * FROM advised WHERE finding !~ 'no query has used';
SELECT indexrelid::regclass FROM pg_index WHERE indrelid IN ('"my map"'::regclass, 'divided'::regclass) ORDER BY indexrelid::regclass::text COLLATE "C";

-- The size that a new index is said to have, and has.
CREATE TABLE sized AS SELECT point(x, y) AS p, box(point(x, y), point(x + 1, y + 1)) AS b, int4range(x, x + 9) AS r, polygon(box(point(x, y), point(x + 1, y + 1))) AS g
FROM (SELECT i * 7919 % 20011 AS x, i * 104729 % 20021 AS y FROM generate_series(1, 20000) i) s;
CREATE INDEX sized_p ON sized USING gist (p);
CREATE INDEX sized_b ON sized USING gist (b);
CREATE INDEX sized_r ON sized USING gist (r);
CREATE INDEX sized_g ON sized USING gist (g);
SET enable_seqscan = off;
SELECT count(*) FROM sized WHERE r && '[1,3)';
RESET enable_seqscan;
SELECT FROM pg_stat_force_next_flush();
CREATE TABLE said AS SELECT substring(object, 'sized_(.)$') AS col, substring(finding, 'gist, ([^;]*)') AS searches, substring(finding, 'about (.*)') AS size, advice
FROM spqtree_advise() WHERE object ~ 'sized_';
SELECT advice FROM said ORDER BY col COLLATE "C" \gexec
SELECT s.col, s.searches, pg_relation_size(i.indexrelid) / pg_size_bytes(s.size)::float8 BETWEEN 0.9 AND 1.1 AS right
FROM said s JOIN pg_index i ON i.indrelid = 'sized'::regclass AND pg_get_indexdef(i.indexrelid) ~ format('USING spqtree \(%s\)', s.col)
ORDER BY s.col COLLATE "C";
DROP TABLE sized, said;

-- Indexes that no query has used.
CREATE TABLE used AS SELECT * FROM some_rows(100);
CREATE INDEX used_b ON used USING spqtree (b);
CREATE INDEX used_p ON used USING spqtree (p);
ALTER TABLE used ADD CONSTRAINT apart EXCLUDE USING spqtree (during WITH &&) WHERE (id < 0);
ANALYZE used;
SET enable_seqscan = off;
SELECT count(*) FROM used WHERE b && box '((3,3),(4,4))';
RESET enable_seqscan;
SELECT FROM pg_stat_force_next_flush();
SELECT * FROM advised WHERE object ~ 'used';
CALL time_passes();
SELECT * FROM advised WHERE object ~ 'used';
DROP TABLE "my map", divided, used;

-- Tables that were never analyzed, or that a crash empties.
CREATE UNLOGGED TABLE new (b box);
SELECT * FROM advised;
INSERT INTO new VALUES ('((0,0),(1,1))');
SELECT * FROM advised;
SELECT advice FROM spqtree_advise() \gexec
SELECT * FROM advised;

-- Tables that fit into memory, by their size with TOAST.
SET random_page_cost = 2.1;
SELECT * FROM advised;
CREATE INDEX ON new USING spqtree (b);
ALTER TABLE new ADD t text;
ALTER TABLE new ALTER t SET STORAGE EXTERNAL;
INSERT INTO new SELECT b, repeat('x', 20000) FROM new, generate_series(1, 300);
SELECT object, finding FROM advised WHERE object ~ 'random';
INSERT INTO new SELECT b, repeat('x', 20000) FROM new;
CREATE INDEX ON new USING spqtree (b) WHERE t IS NOT NULL;
SELECT object, finding, advice FROM advised WHERE object ~ 'random';
SET effective_cache_size = '8MB';
SELECT object, finding, advice FROM advised WHERE object ~ 'random';
SET effective_cache_size = '24GB';
SET random_page_cost = 2;
SELECT object, finding, advice FROM advised WHERE object ~ 'random';
DROP TABLE new;

-- The library, and the settings.
SET spqtree.enable = off;
SELECT * FROM advised;
RESET spqtree.enable;
ALTER DATABASE regress_spqtree_advise SET session_preload_libraries = 'auto_explain';
\c -
SELECT object, finding, advice FROM spqtree_advise() WHERE object = 'library';
SELECT advice FROM spqtree_advise() WHERE object = 'library' \gexec
SELECT count(*) FROM spqtree_advise() WHERE object = 'library';
\c -
SELECT count(*) FROM spqtree_advise() WHERE object = 'library';
-- Any user may ask; those who may not see the setting are not told of other libraries.
ALTER DATABASE regress_spqtree_advise SET session_preload_libraries = 'auto_explain';
\c -
CREATE ROLE regress_spqtree_adviser;
SET ROLE regress_spqtree_adviser;
SELECT * FROM spqtree_advise() WHERE object = 'library';
RESET ROLE;
DROP ROLE regress_spqtree_adviser;

\c :"before"
DROP DATABASE regress_spqtree_advise;
