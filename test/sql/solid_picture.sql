--
-- spqtree_svg and spqtree_svg3 of indexes in three dimensions: a plan, a front and a side.
--
SET statement_timeout = '5min';

CREATE FUNCTION pg_temp.cells(svg text) RETURNS SETOF text LANGUAGE sql AS $$ SELECT m[1] FROM regexp_matches(svg, '<g class="cells".*?</g>', 'g') m $$;
CREATE FUNCTION pg_temp.rectangles(part text) RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM regexp_matches(part, 'M', 'g') $$;
CREATE FUNCTION pg_temp.texts(svg text) RETURNS SETOF text LANGUAGE sql AS $$ SELECT m[1] FROM regexp_matches(svg, '<text[^>]*>([^<]*)<', 'g') m $$;
-- The three maps: what is between one inner svg element and its end.
CREATE FUNCTION pg_temp.maps(svg text) RETURNS text[] LANGUAGE sql AS $$
  SELECT array_agg(m[1]) FROM regexp_matches(substring(svg, 5), '<svg x="[^"]*?" y="[^"]*?" (.*?)</svg>', 'g') m
$$;

CREATE TABLE solid_drawn (id int, b box3, p point3);
INSERT INTO solid_drawn
SELECT i, box3(point3(x, y, z), point3(x + w, y + w / 2, z + w / 3)), point3(x, y, z)
FROM generate_series(1, 20000) i,
     LATERAL (SELECT tst.rnd(171, i, 1) * 100 AS x, tst.rnd(171, i, 2) * 80 AS y, tst.rnd(171, i, 3) * 60 AS z, tst.rnd(171, i, 4) ^ 4 * 5 AS w) v;
CREATE INDEX solid_drawn_b ON solid_drawn USING spqtree (b);
CREATE INDEX solid_drawn_p ON solid_drawn USING spqtree (p);

-- Each map has all leaves; XML; the same again, whichever function.
SELECT i, (SELECT count(*) FROM xmlparse(DOCUMENT s)) AS xml, cardinality(pg_temp.maps(s)) AS maps,
       (SELECT bool_and(pg_temp.rectangles(c) = leaf_chains) FROM pg_temp.cells(s) c) AS "all leaves",
       (SELECT count(*) FROM pg_temp.cells(s)) AS times, s = spqtree_svg3(i, 10000) AS same
FROM unnest('{solid_drawn_b,solid_drawn_p}'::regclass[]) i, spqtree_svg(i, 10000) s, spqtree_stats(i);
SELECT t FROM pg_temp.texts(spqtree_svg('solid_drawn_b')) t WHERE t ~ '→|8594|^[xyz]|^boxes per|k?$' AND t !~ '^solid|^[0-9.]+k?$' AND t !~ 'page';

-- A query: what its scan visits and finds is what spqtree_explain3 says.
SELECT q, bool_and(t.said) AS said
FROM unnest('{"(20,20,20),(10,10,10)","(100,80,10),(0,0,9)","(3,80,60),(2,0,0)"}'::box3[]) q, spqtree_explain3('solid_drawn_b', q) e,
     LATERAL (SELECT string_agg(t, ';') AS all_texts FROM pg_temp.texts(spqtree_svg3('solid_drawn_b', query => q)) t) s,
     LATERAL (VALUES (s.all_texts ~ format('visits %s of \d+ inner pages? and %s of \d+ leaf pages', e.inner_tuples, e.leaf_chains)),
                     (replace(s.all_texts, ',', '') ~ format(';%s of the %s boxes there', e.rows, e.leaf_tuples))) t (said)
GROUP BY q ORDER BY q;
SELECT replace(string_agg(t, ';'), ',', '') ~ format(';%s of the %s boxes there', e.rows, e.leaf_tuples) AS "of points"
FROM spqtree_explain3('solid_drawn_p', '(20,20,20),(10,10,10)', '<@') e, pg_temp.texts(spqtree_svg3('solid_drawn_p', query => '(20,20,20),(10,10,10)')) t GROUP BY e.*, e.rows, e.leaf_tuples;
SELECT q, cardinality(regexp_split_to_array(s, 'class="query"')) - 1 AS frames, s ~ 'off the map' AS off
FROM unnest('{"(20,20,20),(10,10,10)","(NaN,1,1),(0,0,0)","(20,20,1000),(10,10,900)"}'::box3[]) q, spqtree_svg3('solid_drawn_b', query => q) s;

-- Exchanging axes exchanges the maps: the front of one is the plan of the other.
CREATE TABLE solid_drawn_few AS SELECT '(1,1,1),(0,0,0)'::box3 AS xyz UNION ALL SELECT '(10,10,10),(9,8,7)' UNION ALL SELECT '(5,3,2),(4,2,0)';
ALTER TABLE solid_drawn_few ADD xzy box3, ADD yzx box3;
UPDATE solid_drawn_few SET xzy = box3(x(low(xyz)), z(low(xyz)), y(low(xyz)), x(high(xyz)), z(high(xyz)), y(high(xyz))),
                           yzx = box3(y(low(xyz)), z(low(xyz)), x(low(xyz)), y(high(xyz)), z(high(xyz)), x(high(xyz)));
CREATE INDEX solid_drawn_xyz ON solid_drawn_few USING spqtree (xyz);
CREATE INDEX solid_drawn_xzy ON solid_drawn_few USING spqtree (xzy);
CREATE INDEX solid_drawn_yzx ON solid_drawn_few USING spqtree (yzx);
VACUUM solid_drawn_few;
SELECT xyz[1] = xzy[2] AND xyz[2] = xzy[1] AS "front and plan", xyz[3] = yzx[1] AS "side and plan", xyz[1] <> xyz[2] AND xyz[1] <> xyz[3] AS different
FROM (SELECT pg_temp.maps(spqtree_svg('solid_drawn_xyz')) AS xyz, pg_temp.maps(spqtree_svg('solid_drawn_xzy')) AS xzy, pg_temp.maps(spqtree_svg('solid_drawn_yzx')) AS yzx) s;

-- Nothing; only what cannot be drawn; a point; flat; very flat; very large; NaN beside others.
CREATE TABLE solid_drawn_odd (kind text, b box3);
INSERT INTO solid_drawn_odd VALUES ('infinite', '(Infinity,1,1),(0,0,0)'), ('infinite', '(NaN,1,1),(0,0,0)'), ('point', '(5,5,5),(5,5,5)'),
       ('flat', '(10,10,3),(0,0,3)'), ('flat', '(2,2,3),(1,1,3)'), ('hours', '(1e6,1e6,5),(0,0,0)'), ('large', '(1e300,1e300,1e300),(-1e300,-1e300,-1e300)'), ('large', '(1,1,1),(0,0,0)'),
       ('small', '(1e-310,1e-310,1e-310),(0,0,0)'), ('far', '(1e9,1,1),(1e9,0,0)'), ('far', '(1,1,NaN),(0,0,0)');
INSERT INTO solid_drawn_odd SELECT 'far', box3(point3(i, i % 7, i % 5), point3(i + 1, i % 7 + 1, i % 5 + 1)) FROM generate_series(1, 300) i;
DO $$ DECLARE k text; BEGIN
  FOREACH k IN ARRAY '{none,infinite,point,flat,hours,large,small,far}'::text[] LOOP EXECUTE format('CREATE INDEX solid_odd_%s ON solid_drawn_odd USING spqtree (b) WHERE kind = %L', k, k); END LOOP;
END $$;
SELECT i, (SELECT count(*) FROM xmlparse(DOCUMENT s)) AS xml, s ~* '"[^"<>]*(nan|inf)[^"<>]*"' AS "not a number", s ~ 'nothing to show' AS nothing, s ~ 'along z' AS "own scales",
       (SELECT string_agg(t, ' ') FROM pg_temp.texts(s) t WHERE t ~ '^x .* z ') AS ranges, substring(s, '>(\d+ box\S* \S+ not on the map)') AS "not shown"
FROM unnest('{solid_odd_none,solid_odd_infinite,solid_odd_point,solid_odd_flat,solid_odd_hours,solid_odd_large,solid_odd_small,solid_odd_far}'::regclass[]) i, spqtree_svg(i) s;

-- The frame of the legend and the sizes of the views.
SELECT w, (SELECT count(*) FROM xmlparse(DOCUMENT s)) AS xml, substring(s, ' width="(\d+)"') AS width FROM unnest('{100,600,10000}'::int[]) w, spqtree_svg('solid_drawn_b', w, show_boxes => true) s;

-- Errors; NULLs are defaults; two dimensions are as before.
CREATE TABLE solid_drawn_plane (b box, c point, p path);
CREATE INDEX solid_drawn_plane_b ON solid_drawn_plane USING spqtree (b);
CREATE INDEX solid_drawn_plane_c ON solid_drawn_plane USING spqtree (c);
CREATE INDEX solid_drawn_plane_p ON solid_drawn_plane USING spqtree (p);
INSERT INTO solid_drawn_plane SELECT box(point(i, i), point(i + 1, i + 1)), point(i, 0), NULL FROM generate_series(1, 1000) i;
SELECT spqtree_svg3('solid_drawn_plane_b') = spqtree_svg('solid_drawn_plane_b') AS same, spqtree_svg3(NULL) IS NULL AS "null",
       spqtree_svg3('solid_drawn_b', NULL, NULL, NULL, NULL) = spqtree_svg('solid_drawn_b') AS defaults;
SELECT substring(s, '>(\d+ of the \d+ boxes there [^<]*)') AS points FROM spqtree_svg('solid_drawn_plane_c', query => '((10,1),(19.5,-1))') s;
SELECT spqtree_svg3('solid_drawn_plane_b', query => '(1,1,1),(0,0,0)');
SELECT spqtree_svg('solid_drawn_b', query => '((0,0),(1,1))');
SELECT spqtree_svg('solid_drawn_plane_p', query => '((0,0),(1,1))');
SELECT spqtree_svg3('solid_drawn_b', 99);

DROP TABLE solid_drawn, solid_drawn_few, solid_drawn_odd, solid_drawn_plane;
