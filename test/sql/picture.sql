--
-- spqtree_svg: the picture is XML, says what is true, shows what is there, and is
-- not too large.  rtree_picture runs this file with another index: "method", "class"
-- and "other_class" say which, "inner" and "leaves" what its parts are called; "included"
-- leaves out the end.
--
\if :{?method} \else
\set method spgist
\set class spqtree_box_ops
\set other_class spqtree_box_ops
\set inner 'inner tuples?'
\set leaves 'chains?'
\endif
SET client_min_messages = warning;
CREATE SCHEMA pictured;
SET search_path = pictured, public;
CREATE TABLE kind AS SELECT :'method' AS method, :'class' AS class;

-- Every tag is closed, in order, by its own name; no stray sign.
CREATE FUNCTION well_formed(x text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  m text[];
  open_tags text[] := '{}';
  n int := 0;
BEGIN
  IF x !~ '^<svg .*</svg>$' OR x ~ '[\x01-\x08\x0b-\x1f\uFFFE\uFFFF]' THEN RETURN false; END IF;
  -- numbers of a path have digits, and not too many
  IF x ~ ' d="[^"]*(\.[^\d]|[\d]{9})' THEN RETURN false; END IF;
  FOR m IN SELECT regexp_matches(x, '<(/?)([a-z]+)((?: [a-zA-Z-]+="[^"<]*")*)(/?)>|<|&(?!(?:amp|lt|gt|quot|#\d+|#x[0-9a-fA-F]+);)', 'g') LOOP
    n := n + 1;
    IF m[2] IS NULL THEN RETURN false; END IF;
    IF m[1] = '/' THEN
      IF m[2] IS DISTINCT FROM open_tags[cardinality(open_tags)] THEN RETURN false; END IF;
      open_tags := trim_array(open_tags, 1);
    ELSIF m[4] = '' THEN
      IF cardinality(open_tags) = 0 AND n > 1 THEN RETURN false; END IF;
      open_tags := open_tags || m[2];
    END IF;
  END LOOP;
  RETURN n > 2 AND cardinality(open_tags) = 0;
END $$;
SELECT x, well_formed(x) FROM unnest(ARRAY['<svg a="b"><g></g></svg>', '<svg a="b"><g></svg>', '<svg a="b"><g>&</g></svg>',
  '<svg a="b"><g>&lt;</g></svg>', '<svg a="b"><g></svg></g>', '<svg a=b><g></g></svg>']) x;

-- What is written in the picture, line by line.
CREATE FUNCTION texts(svg text) RETURNS SETOF text LANGUAGE sql AS $$
  SELECT (regexp_matches(svg, '<text[^>]*>([^<]*)</text>', 'g'))[1] $$;
-- Rectangles of the cells, of the boxes.
CREATE FUNCTION cells(svg text) RETURNS int LANGUAGE sql AS $$
  SELECT regexp_count(substring(svg FROM '<g class="cells".*?</g>'), 'M') $$;
CREATE FUNCTION boxes(svg text) RETURNS int LANGUAGE sql AS $$
  SELECT regexp_count(substring(svg FROM '<path class="boxes"[^>]*>'), 'M') $$;
-- The first number before some words.
CREATE FUNCTION said(svg text, words text) RETURNS bigint LANGUAGE sql AS $$
  SELECT replace((regexp_match(svg, '([\d,]+) ' || words))[1], ',', '')::bigint $$;

-- Nothing, one, two boxes: y is upward.
CREATE TABLE few (b box);
CREATE INDEX few_b ON few USING :method (b :class);
SELECT well_formed(spqtree_svg('few_b')), texts(spqtree_svg('few_b'));
INSERT INTO few VALUES ('(1,2),(3,4)');
SELECT well_formed(spqtree_svg('few_b')), texts(spqtree_svg('few_b'));
INSERT INTO few VALUES ('(9,8),(9,8)'), (NULL);
SELECT well_formed(spqtree_svg('few_b')), texts(spqtree_svg('few_b'));
SELECT substring(spqtree_svg('few_b') FROM '<path class="boxes".*?/>');

-- Some hundred: every chain has its cell, every box is drawn.
CREATE TABLE many (id int, b box);
INSERT INTO many
SELECT i, box(point(x, y), point(x + w, y + w))
FROM generate_series(1, 3000) i,
     LATERAL (SELECT i * 7919::bigint % 1000 AS x, i * 104729::bigint % 997 AS y, 200.0 / (1 + i % 200) AS w) v;
CREATE INDEX many_b ON many USING :method (b :class);
CREATE INDEX many_compact ON many USING :method (b :other_class);
CREATE TABLE sizes AS
SELECT box(point(x, y), point(x + w, y + w / 3)) AS b
FROM generate_series(1, 3000) i,
     LATERAL (SELECT i * 7919::bigint % 1009 - 500 AS x, i * 104729::bigint % 997 AS y, 2.0 ^ (i % 10) AS w) v;
CREATE INDEX sizes_b ON sizes USING :method (b :class);
SELECT well_formed(s), said(s, 'boxes &#183;') AS boxes, said(s, :'leaves') - cells(s) AS "chains not drawn",
       boxes(s) AS drawn, s = spqtree_svg('many_b', 1000, show_boxes => true) AS "the same again"
FROM spqtree_svg('many_b', 1000, show_boxes => true) s;
-- a level less each time
SELECT max_level, well_formed(s), cells(s) <= lag(cells(s), 1, 0) OVER (ORDER BY max_level DESC) OR max_level = 9 AS fewer,
       CASE WHEN max_level = 1 THEN cells(s) END AS "cells of the root"
FROM generate_series(1, 9) max_level, spqtree_svg('many_b', max_level => max_level) s ORDER BY 1 DESC;
-- narrow and wide: the same plan, in proportion
SELECT width, well_formed(s), s ~ ('^<svg xmlns="http://www.w3.org/2000/svg" width="' || width || '" ') AS "of this width"
FROM unnest(ARRAY[100, 599, 600, 10000]) width, spqtree_svg('many_b', width) s;

-- boxes near each other, and such that are 1e300 long: a base cell is off the map
SELECT setseed(0.278);
CREATE TABLE wide (b box);
CREATE INDEX wide_b ON wide USING :method (b :other_class);
CREATE FUNCTION near_or_far() RETURNS float8 LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN random() < 0.4 THEN random() ELSE (random() - 0.5) * 2e300 END $$;
INSERT INTO wide
SELECT box(point(near_or_far(), near_or_far()), point(near_or_far(), near_or_far())) FROM generate_series(1, 678);
SELECT well_formed(spqtree_svg('wide_b'));

-- a name with characters that XML does not have
DO $$
DECLARE name text := 'few ' || CASE WHEN getdatabaseencoding() = 'UTF8' THEN chr(65534) || 'and ' || chr(65535) ELSE '' END;
BEGIN
  EXECUTE format('CREATE INDEX %I ON few USING %I (b %I)', name, method, class) FROM kind;
  IF NOT well_formed(spqtree_svg(format('%I', name)::regclass)) THEN RAISE 'no XML'; END IF;
  EXECUTE format('DROP INDEX %I', name);
END $$;

-- A query: what its scan finds is what the table has, for queries of all sizes;
-- a scan for everything visits everything.
SELECT count(*) AS queries,
       count(*) FILTER (WHERE NOT well_formed(s)) AS "not XML",
       count(*) FILTER (WHERE said(s, 'of the [\d,]+ boxes there overlap') <> (SELECT count(*) FROM many WHERE b && q)) AS wrong,
       count(*) FILTER (WHERE said(s, 'boxes there overlap') < (SELECT count(*) FROM many WHERE b && q)) AS "looks at too few",
       count(*) FILTER (WHERE s ~ 'not visited') AS "with gray cells"
FROM generate_series(1, 40) i,
     LATERAL (SELECT box(point(i * 31 % 1000, i * 17 % 1000), point(i * 31 % 1000 + i * i * i / 50.0, i * 17 % 1000 + 5 * i)) AS q) v,
     spqtree_svg('many_b', query => q) s;
-- What is said of the index is what the other functions say.
SELECT index, said(s, 'boxes &#183;') = tuples AS tuples, said(s, :'inner') = inner_tuples AS inner, said(s, :'leaves') = leaf_chains AS chains,
       (regexp_match(s, 'depth (\d+)<'))[1]::int = max_depth AS depth, said(s, 'boxes are stored above') IS NOT DISTINCT FROM nullif(oversize_tuples, 0) AS oversize,
       cells(s) = (SELECT count(*) FROM spqtree_nodes(index::regclass) WHERE kind = 'leaf' AND tuples > 0 AND NOT null_keys) AS "one cell a chain",
       cells(spqtree_svg(index::regclass, 10000, max_level => 2)) = (SELECT count(*) FROM spqtree_nodes(index::regclass) WHERE level = 2 AND tuples > 0) AS "those of level 2"
FROM unnest(ARRAY['many_b', 'many_compact', 'sizes_b']) index, spqtree_svg(index::regclass, 10000) s, spqtree_stats(index::regclass);
SELECT count(*) FILTER (WHERE said(s, 'of [\d,]+ ' || :'inner') = inner_tuples AND said(s, 'of [\d,]+ ' || :'leaves') = leaf_chains
                          AND said(s, 'boxes there overlap') = leaf_tuples AND said(s, 'of the [\d,]+ boxes there overlap') = rows) AS "same as explained"
FROM generate_series(1, 20) i,
     LATERAL (SELECT box(point(i * 31 % 1000, i * 17 % 1000), point(i * 31 % 1000 + i * i * i / 50.0, i * 17 % 1000 + 5 * i)) AS q) v,
     unnest(ARRAY['many_b', 'many_compact']) index, spqtree_svg(index::regclass, query => q) s, spqtree_explain(index::regclass, q);
SELECT said(s, 'of [\d,]+ ' || :'inner') = said(s, :'inner') AS "all inner tuples", said(s, 'of [\d,]+ ' || :'leaves') = said(s, :'leaves') AS "all chains",
       s ~ 'not visited' AS "not visited"
FROM spqtree_svg('many_b', query => '(-Infinity,-Infinity),(Infinity,Infinity)') s;
SELECT texts(s) FROM spqtree_svg('few_b', query => '(8,8),(9,9)') s;
SELECT well_formed(s), s ~ 'off the map' AS "off the map" FROM spqtree_svg('many_b', query => '(NaN,1),(2,NaN)') s
UNION ALL SELECT well_formed(s), s ~ 'off the map' FROM spqtree_svg('many_b', query => '(5000,5000),(5001,5001)') s;

-- Boxes without a place, and far off: counted, and the others still fill the map.
CREATE TABLE odd (b box);
CREATE INDEX odd_b ON odd USING :method (b :class);
INSERT INTO odd SELECT b FROM many;
INSERT INTO odd VALUES ('(NaN,1),(2,3)'), ('(NaN,NaN),(NaN,NaN)'), ('(Infinity,1),(-Infinity,5)'), ('(1e305,1),(2,3)'), ('(1e9,1e9),(1e9,1e9)');
SELECT well_formed(s), said(s, 'boxes are not on the map'), boxes(s),
       (SELECT array_agg(t) FROM texts(s) t WHERE t ~ '^x ') FROM spqtree_svg('odd_b', show_boxes => true) s;
-- Nothing but such boxes.
CREATE TABLE unplaced AS SELECT b FROM odd, generate_series(1, 200) WHERE abs((b[0])[0]) > 2000 OR (b[0])[0] = 'NaN' OR (b[0])[0] = 'Infinity';
DELETE FROM unplaced WHERE b ~= '(1e9,1e9),(1e9,1e9)';
CREATE INDEX unplaced_b ON unplaced USING :method (b :class);
SELECT well_formed(s), said(s, 'boxes') = said(s, 'boxes are not on the map') AS "none on the map", s ~ 'nothing to show' AS nothing FROM spqtree_svg('unplaced_b') s;
CREATE TABLE none AS SELECT NULL::box AS b FROM generate_series(1, 2000);
CREATE INDEX none_b ON none USING :method (b :class);
SELECT texts(spqtree_svg('none_b'));

-- All in one place, on a line, very small, very large, very long.
CREATE FUNCTION dots(x float8, y float8, n int) RETURNS SETOF box LANGUAGE sql AS $$
  SELECT box(point(i * 7919::bigint % 1000 * x, i * 104729::bigint % 997 * y), point(i * 7919::bigint % 1000 * x, i * 104729::bigint % 997 * y)) FROM generate_series(1, n) i $$;
DO $$
DECLARE
  shape record;
BEGIN
  FOR shape IN SELECT * FROM (VALUES ('one_place', 0e0, 0e0), ('line', 1, 0), ('column', 0, 1), ('small', 1e-290, 1e-290), ('subnormal', 1e-320, 1e-320), ('large', 1e298, 1e298), ('long', 1e100, 1), ('high', 1, 1e6)) v (name, x, y) LOOP
    EXECUTE format('CREATE TABLE %I AS SELECT b FROM dots(%L, %L, 2000) b; CREATE INDEX %I ON %I USING %I (b %I)', shape.name, shape.x, shape.y, shape.name || '_b', shape.name, method, class) FROM kind;
  END LOOP;
END $$;
SELECT index, well_formed(s), said(s, 'boxes') AS boxes, cells(s) > 0 AS cells, s ~ 'along y' AS "two scales",
       s ~ '(nan|inf)[^a-z]' AS "no number", said(s, 'boxes are not on') AS "not shown"
FROM unnest(ARRAY['one_place_b', 'line_b', 'column_b', 'small_b', 'subnormal_b', 'large_b', 'long_b', 'high_b']) index, spqtree_svg(index::regclass) s;

-- A name is text, not markup.
CREATE INDEX "<a & 'b' ""c"">	]]>" ON few USING :method (b :class);
SELECT well_formed(s), substring(s FROM '<title>.*</title>') FROM spqtree_svg('"<a & ''b'' ""c"">	]]>"') s;

-- Many: cells are folded, boxes are a sample, and the legend says so.
CREATE TABLE crowd AS
SELECT box(point(x, y), point(x + i % 7 / 7.0, y + i % 5 / 5.0)) AS b
FROM generate_series(1, 400000) i, LATERAL (SELECT i * 7919::bigint % 100003 / 50.0 AS x, i * 104729::bigint % 99991 / 50.0 AS y) v;
CREATE INDEX crowd_b ON crowd USING :method (b :class);
SELECT width, well_formed(s), said(s, 'boxes &#183;') AS boxes, length(s) < least(350000, 1100 * width) AS bounded,
       cells(s) < said(s, :'leaves') AS folded, boxes(s) BETWEEN 2000 AND 4000 AS sampled,
       said(s, 'of 400,000 boxes, one in') = boxes(s) AS "says so"
FROM unnest(ARRAY[100, 200, 800, 10000]) width, spqtree_svg('crowd_b', width, show_boxes => true) s;

-- Rights: the column's, and none where row security hides rows.
-- (Messages as rows: psql puts the name of an included file before errors.)
CREATE FUNCTION drawn(index text, OUT boxes bigint, OUT message text, OUT detail text, OUT hint text) LANGUAGE plpgsql AS $$
BEGIN
  boxes := said(spqtree_svg(index::regclass), 'boxes');
EXCEPTION WHEN insufficient_privilege THEN
  GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END $$;
\x on
CREATE ROLE regress_spq_stranger;
GRANT USAGE ON SCHEMA pictured TO regress_spq_stranger;
SET ROLE regress_spq_stranger;
SELECT * FROM drawn('few_b');
RESET ROLE;
GRANT SELECT (b) ON few TO regress_spq_stranger;
SET ROLE regress_spq_stranger;
SELECT * FROM drawn('few_b');
RESET ROLE;
ALTER TABLE few ENABLE ROW LEVEL SECURITY;
SET ROLE regress_spq_stranger;
SELECT * FROM drawn('few_b');
RESET ROLE;
GRANT pg_stat_scan_tables TO regress_spq_stranger;
SET ROLE regress_spq_stranger;
SELECT * FROM drawn('few_b');
RESET ROLE;
DROP OWNED BY regress_spq_stranger;
DROP ROLE regress_spq_stranger;
\x off

\if :{?included} \else
-- Arguments.
SELECT spqtree_svg(NULL) IS NULL, spqtree_svg('few_b', NULL, NULL, NULL, NULL) = spqtree_svg('few_b');
SELECT spqtree_svg('few_b', 99);
\echo :LAST_ERROR_SQLSTATE
SELECT spqtree_svg('few_b', 10001);
SELECT spqtree_svg('few_b', max_level => 0);
\echo :LAST_ERROR_SQLSTATE
SELECT spqtree_svg('few');

DROP SCHEMA pictured CASCADE;
\endif
