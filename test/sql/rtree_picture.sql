--
-- The file picture, with an index of the access method spqtree, and what is drawn of
-- its pages only.  Damage is in test/t/016_rtree_check.pl.
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set method spqtree
\set class box_ops
\set other_class box_ops
\set inner 'inner pages?'
\set leaves 'leaf pages?'
\set included true
\i :abs_srcdir/sql/picture.sql

-- Inner pages of an R-tree have outlines, those of a level in one color, which the
-- legend explains.
CREATE FUNCTION outlines(svg text, opacity text DEFAULT '') RETURNS bigint LANGUAGE sql AS $$
  SELECT coalesce(sum(regexp_count(m[1], 'M')), 0) FROM regexp_matches(substring(svg FROM '<g class="lines".*?</g>'), '<path [^>]*stroke-opacity="' || opacity || '[^>]*>', 'g') m(m) $$;
SELECT well_formed(s), outlines(s) = inner_tuples AS "all inner pages", (SELECT array_agg(t) FROM texts(s) t WHERE t ~ 'of level') AS levels,
       outlines(spqtree_svg('crowd_b', 10000, 2)) AS "of the root", outlines(spqtree_svg('crowd_b', 10000, 1)) AS nothing
FROM spqtree_svg('crowd_b', 10000) s, spqtree_stats('crowd_b');
-- those that a query visits stand out
SELECT count(*) AS queries, count(*) FILTER (WHERE outlines(s, '.9') <> inner_tuples OR outlines(s) <> said(s, 'inner pages?')) AS wrong
FROM generate_series(1, 10) i, LATERAL (SELECT box(point(i * 190, i * 170), point(i * 190 + 20 * i, i * 170 + i)) AS q) v,
     spqtree_svg('crowd_b', 10000, query => q) s, spqtree_explain('crowd_b', q);
-- in a tree grown by insertion, too; pages that VACUUM emptied are gone, and what is
-- left without a row is not drawn
CREATE TABLE grown (b box) WITH (autovacuum_enabled = off);
CREATE INDEX grown_b ON grown USING spqtree (b);
INSERT INTO grown SELECT b FROM crowd LIMIT 30000;
SELECT well_formed(s), cells(s) = leaf_chains AS "all leaves", said(s, 'leaf pages?') - leaf_chains AS empty FROM spqtree_svg('grown_b', 10000) s, spqtree_stats('grown_b');
DELETE FROM grown WHERE b && '((0,0),(1000,1000))';
VACUUM grown;
SELECT well_formed(s), cells(s) = leaf_chains AS "all others", said(s, 'leaf pages?') = count(*) FILTER (WHERE kind = 'leaf' AND NOT null_keys) AS "counts all",
       said(s, 'leaf pages?') = leaf_chains AS "none is empty"
FROM spqtree_svg('grown_b', 10000) s, spqtree_stats('grown_b'), spqtree_nodes('grown_b') GROUP BY s, leaf_chains;
DELETE FROM grown;
VACUUM grown;
SELECT well_formed(s), cells(s), outlines(s), s ~ 'nothing to show' AS nothing FROM spqtree_svg('grown_b') s;
-- bounds that are infinite cover the map, below the others
CREATE TABLE endless AS SELECT b FROM many UNION ALL SELECT box(point('-Infinity', i), point('Infinity', i + 1)) FROM generate_series(1, 3) i;
CREATE INDEX endless_b ON endless USING spqtree (b);
SELECT well_formed(s), substring(s FROM '<g class="cells".*?</g>') ~ 'M-4 \S+h776v' AS "over all of the map", said(s, 'boxes are not on the map') FROM spqtree_svg('endless_b') s;

DROP SCHEMA pictured CASCADE;
