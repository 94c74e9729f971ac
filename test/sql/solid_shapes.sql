--
-- Spheres, rays and frustums, and boxes of three dimensions.
--
SET extra_float_digits = 1;

-- Text form: as it was given
SELECT s, center(s), radius(s) FROM (VALUES
	('<(1,2,3),4>'::sphere3), (' < ( 1 , -2.5 , 1e300 ) , 0 > '), ('<1,2,3,4>'),
	('<(0,0,0),Infinity>'), ('<(NaN,0,-Infinity),NaN>')) AS t (s);
SELECT r, origin(r), direction(r), max_distance(r) FROM (VALUES
	('<(1,2,3),(0,0,-2),4>'::ray3), ('<(1,2,3),(0,0,-2)>'), ('<(0,0,0),(1e-300,-0,5e-324),0>'),
	('<(NaN,0,0),(NaN,0,0),Infinity>'), (ray3('(1,2,3)', '(4,5,6)')), (ray3('(1,2,3)', '(4,5,6)', 7))) AS t (r);
SELECT f, planes(f) FROM (VALUES
	('[(1,0,0,1),(-1,0,0,1),(0,1,0,1),(0,-1,0,1),(0,0,1,1),(0,0,-1,1)]'::frustum3),
	('[ (0,0,0,Infinity) ,(0,0,0,-1),(0.1,2e300,0,NaN),(1,2,3,4),(1,2,3,4),(1,2,3,4)]')) AS t (f);

-- Errors
SELECT '<(1,2,3),-1>'::sphere3;
SELECT '<(1,2),1>'::sphere3;
SELECT '<(1,2,3),1> x'::sphere3;
SELECT '(1,2,3),1'::sphere3;
SELECT sphere3('(1,2,3)', -1);
SELECT '<(1,2,3),(0,0,0)>'::ray3;
SELECT ray3('(1,2,3)', '(0,-0,0)', 5);
SELECT ray3('(1,2,3)', '(0,Infinity,0)');
SELECT ray3('(1,2,3)', '(0,1,0)', -1);
SELECT '<(1,2,3),(1,0,0),>'::ray3;
SELECT '<(1,2,3)>'::ray3;
SELECT '[(1,2,3,4)]'::frustum3;
SELECT '[(1,2,3),(1,2,3),(1,2,3),(1,2,3),(1,2,3),(1,2,3)]'::frustum3;
SELECT '[(1,2,Infinity,4),(1,2,3,4),(1,2,3,4),(1,2,3,4),(1,2,3,4),(1,2,3,4)]'::frustum3;
SELECT frustum3('{1,2,3,4}'::float8[]);
SELECT frustum3(array_fill(NULL::float8, '{6,4}'));
SELECT frustum3_row_major('{{1,2},{3,4}}');
SELECT frustum3_row_major(array_fill('Infinity'::float8, '{4,4}'));
SELECT frustum3_column_major(array_fill(1.7e308::float8, '{16}'));
SELECT frustum3_row_major('{{1,0,0,1e308},{0,1,0,0},{0,0,-1.25,-2.25},{0,0,-1,1e308}}');
-- no camera: nothing but zeros; the same but for w; no width
SELECT frustum3_row_major(array_fill(0::float8, '{4,4}'));
SELECT frustum3_column_major(array_fill(0::float8, '{16}'), true);
SELECT frustum3_row_major('{{0,0,0,0},{0,0,0,0},{0,0,0,0},{0,0,0,1}}');
SELECT frustum3_row_major('{{0,0,0,0},{0,1,0,0},{0,0,1,0},{0,0,0,1}}');
SELECT frustum3_row_major('{{NaN,0,0,0},{0,1,0,0},{0,0,-1.25,-2.25},{0,0,-1,0}}');

-- Equality and hash: of the numbers
SELECT sphere3 '<(0,NaN,1),2>' = '<(-0,NaN,1),2>', sphere3 '<(0,0,0),1>' <> '<(0,0,0),1>',
	sphere3 '<(0,0,0),1>' = '<(0,1,0),1>',
	sphere3_hash('<(0,NaN,1),2>') = sphere3_hash('<(-0,NaN,1),2>'),
	sphere3_hash_extended('<(0,0,0),1>', 1) = sphere3_hash_extended('<(-0,0,0),1>', 1),
	sphere3_hash_extended('<(0,0,0),1>', 1) = sphere3_hash_extended('<(0,0,0),1>', 2);
SELECT bool_and((s < t) = (t > s) AND (s <= t) = (s < t OR s = t) AND (s >= t) = NOT (s < t))
FROM unnest('{"<(1,2,3),4>","<(0,9,9),9>","<(1,2,3),NaN>","<(1,2,3),4>"}'::sphere3[]) AS s,
	unnest('{"<(1,2,3),4>","<(-0,9,9),9>","<(1,2,3),NaN>"}'::sphere3[]) AS t;
SELECT ray3 '<(0,0,0),(1,0,0)>' = '<(0,0,0),(1,0,0),Infinity>', ray3 '<(0,0,0),(1,0,0)>' = '<(0,0,0),(2,0,0)>',
	ray3 '<(0,0,0),(1,0,0)>' <> '<(0,0,0),(2,0,0)>',
	ray3_hash('<(0,0,0),(1,0,0)>') = ray3_hash('<(0,0,0),(1,-0,0)>'),
	ray3_hash_extended('<(0,0,0),(1,0,0)>', 7) = ray3_hash_extended('<(0,0,0),(1,-0,0)>', 7);
SELECT a = a, a <> a, frustum3_hash(a) = frustum3_hash(b), a = b,
	frustum3_hash_extended(a, 3) = frustum3_hash_extended(b, 3)
FROM (VALUES (frustum3(array_fill(0::float8, '{24}')), frustum3(array_fill('-0'::float8, '{6,4}')))) AS t (a, b);
SELECT count(DISTINCT s), count(*) FROM (SELECT sphere3('(0,0,0)', i % 7) FROM generate_series(1, 100) AS i) AS t (s);
SELECT s, count(*) FROM (SELECT sphere3('(0,0,0)', i % 3) FROM generate_series(1, 100) AS i) AS t (s)
GROUP BY s ORDER BY radius(s);

-- Spheres: the surface belongs to them
SELECT b && s AS overlaps, s && b AS b_overlaps, b <@ s AS is_in, s @> b AS contains FROM (VALUES
	('(1,2,2),(9,9,9)'::box3, '<(0,0,0),3>'::sphere3),
	('(1,2,2),(9,9,9)', '<(0,0,0),2.9999999999999996>'),
	('(-1,-2,-2),(1,2,2)', '<(0,0,0),3>'),
	('(-1,-2,-2),(1,2,2)', '<(0,0,0),2.9999999999999996>'),
	('(-1,-2,-2.0000000000000004),(1,2,2)', '<(0,0,0),3>'),
	('(1e300,2e300,2e300),(1e300,2e300,2e300)', '<(0,0,0),3e300>'),
	('(1e308,1e308,1e308),(1e308,1e308,1e308)', '<(-1e308,-1e308,-1e308),1.7e308>'),
	('(1e-300,0,0),(1,1,1)', '<(0,0,0),1e-300>'),
	('(1e-300,0,0),(1,1,1)', '<(0,0,0),9e-301>'),
	('(-Infinity,-Infinity,-Infinity),(Infinity,Infinity,Infinity)', '<(0,0,0),0>'),
	('(-Infinity,-Infinity,-Infinity),(Infinity,Infinity,Infinity)', '<(0,0,0),Infinity>'),
	('(0,0,0),(NaN,1,1)', '<(0,0,0),Infinity>'),
	('(0,0,0),(1,1,1)', '<(0,0,0),NaN>')) AS t (b, s);
SELECT p <@ s AS is_in, s @> p AS contains FROM (VALUES
	('(2,3,6)'::point3, '<(0,0,0),7>'::sphere3), ('(2,3,6.000000000000001)', '<(0,0,0),7>'),
	('(0,0,0)', '<(0,0,0),0>'), ('(0,0,Infinity)', '<(0,0,0),1e300>'), ('(0,0,NaN)', '<(0,0,0),1>')) AS t (p, s);
SELECT a && b AS overlaps, a @> b AS contains, b @> a AS b_contains, a <@ b AS is_in FROM (VALUES
	('<(0,0,0),3>'::sphere3, '<(2,3,6),4>'::sphere3), ('<(0,0,0),3>', '<(2,3,6),3.9999999999999996>'),
	('<(0,0,0),9>', '<(2,3,6),2>'), ('<(0,0,0),9>', '<(2,3,6),2.0000000000000004>'),
	('<(0,0,0),Infinity>', '<(0,0,0),Infinity>'), ('<(0,0,0),1>', '<(5,5,5),Infinity>')) AS t (a, b);

-- Rays: along a face, along an edge, through a corner and just beside it, from
-- inside, away, with 0 and -0, and to where they end
SELECT r, b && r AS hits, b <-> r AS distance, spqtree_hit(b, r) AS hit
FROM (VALUES (box3 '(1,1,1),(2,2,2)')) AS boxes (b), (VALUES
	(1, '<(0,1.5,1.5),(1,0,0)>'::ray3),
	(2, '<(0,1.5,1.5),(7,-0,0)>'),
	(3, '<(0,1,1.5),(1,0,0)>'),
	(4, '<(0,1,1),(1,0,0)>'),
	(5, '<(0,2,2),(1,-0,-0)>'),
	(6, '<(0,0.9999999999999999,1.5),(1,0,0)>'),
	(7, '<(0,0,0),(1,1,1)>'),
	(8, '<(0,0,0),(2,1,1)>'),
	(9, '<(0,0,0),(2,1,0.9999999999999999)>'),
	(10, '<(0,3,1.5),(1,-1,0)>'),
	(11, '<(0,3.0000000000000004,1.5),(1,-1,0)>'),
	(12, '<(0,4.0000000000000009,1.5),(1,-1,0)>'),
	(13, '<(1.5,1.5,1.5),(0,0,1)>'),
	(14, '<(2,2,2),(1,1,1)>'),
	(15, '<(3,1.5,1.5),(1,0,0)>'),
	(16, '<(3,1.5,1.5),(-1,0,0)>'),
	(17, '<(0,1.5,1.5),(100,0,0),1>'),
	(18, '<(0,1.5,1.5),(100,0,0),0.9999999999999999>'),
	(19, '<(-2,-3,-5),(3,4,6),1>'),
	(20, '<(-1,-1,-5),(2,3,6),7>'),
	(21, '<(-1,-1,-5),(2,3,6),6.999999999999999>'),
	(22, '<(1.5,1.5,-1e300),(0,0,1e-300)>'),
	(23, '<(-1e300,1.5,1.5),(1e300,0,0),1e300>'),
	(24, '<(1.5,1.5,1.5),(0,1,0),0>'),
	(25, '<(NaN,1.5,1.5),(1,0,0)>'),
	(26, '<(0,1.5,1.5),(1,NaN,0)>'),
	(27, '<(0,1.5,1.5),(1,0,0),NaN>'),
	(28, '<(-Infinity,1.5,1.5),(1,0,0)>')) AS rays (n, r)
ORDER BY n;
SELECT b, b && r AS hits, r && b AS also, b <-> r AS distance, r <-> b AS also
FROM (VALUES (ray3 '<(0,0,0),(0,3,4),10>')) AS rays (r), (VALUES
	(1, '(0,3,4),(0,3,4)'::box3),
	(2, '(0,3,4),(0,3,4.000000000000001)'),
	(3, '(0,3,4.000000000000001),(0,3,5)'),
	(4, '(-Infinity,-Infinity,-Infinity),(Infinity,Infinity,Infinity)'),
	(5, '(-Infinity,6,8),(Infinity,Infinity,Infinity)'),
	(6, '(-Infinity,6.000000000000001,8),(Infinity,Infinity,Infinity)'),
	(7, '(0,Infinity,0),(0,Infinity,Infinity)'),
	(8, '(0,0,0),(NaN,9,9)')) AS boxes (n, b)
ORDER BY n;
-- from one end of the numbers to the other
SELECT box3 '(1e308,0,0),(1.1e308,0,0)' <-> ray3 '<(-1e308,0,0),(5e-324,0,0)>' AS distance,
	box3 '(1e308,0,0),(1.1e308,0,0)' && ray3 '<(-1e308,0,0),(5e-324,0,0)>' AS hits;

-- First hit: the least distance, whatever the scene; all hits come before all others
CREATE TABLE solid_scene AS
	SELECT i AS id, box3(point3(x, y, z), point3(x + 1, y + 1, z + 1)) AS b
	FROM generate_series(0, 999) AS i,
		LATERAL (VALUES ((i % 10 * 3)::float8, (i / 10 % 10 * 3)::float8, (i / 100 * 3)::float8)) AS t (x, y, z);
SELECT id, b, b <-> r AS distance, h.*
FROM solid_scene, (VALUES (ray3 '<(-5,-4,-3),(4,4,3)>')) AS t (r), LATERAL spqtree_hit(b, r) AS h
WHERE b && r ORDER BY b <-> r, id LIMIT 3;
SELECT count(*) FILTER (WHERE b && r) AS hits, count(*) FILTER (WHERE b <-> r < 'Infinity') AS near,
	count(*) FILTER (WHERE spqtree_hit(b, r) IS NOT DISTINCT FROM NULL) AS misses,
	bool_and((b && r) = (b <-> r <= max_distance(r) AND b <-> r < 'Infinity')) AS agree
FROM solid_scene, (VALUES (ray3 '<(-5,-4,-3),(4,4,3),30>')) AS t (r);

-- Frustums: an ordinary box; turned; inverted; nothing but a normal of 0
SELECT n, b && f AS overlaps, f && b AS also, b <@ f AS is_in, f @> b AS contains
FROM (VALUES
	(1, frustum3 '[(1,0,0,1),(-1,0,0,1),(0,1,0,1),(0,-1,0,1),(0,0,1,1),(0,0,-1,1)]'),
	(2, '[(1,1,0,1),(-1,-1,0,1),(1,-1,0,1),(-1,1,0,1),(0,0,1,1),(0,0,-1,1)]'),
	(3, '[(-1,0,0,-1),(1,0,0,-1),(0,1,0,1),(0,-1,0,1),(0,0,1,1),(0,0,-1,1)]'),
	(4, '[(0,0,0,0),(0,0,0,1),(0,0,0,Infinity),(0,0,0,0),(0,0,0,0),(0,0,0,0)]'),
	(5, '[(0,0,0,0),(0,0,0,-1),(0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0)]'),
	(6, '[(1,0,0,0),(0,1,0,-1e300),(0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0)]'),
	(7, '[(1,0,0,NaN),(0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0)]')) AS frustums (n, f),
	(VALUES
	(1, box3 '(-0.5,-0.5,-0.5),(0.5,0.5,0.5)'),
	(2, '(1,1,1),(2,2,2)'),
	(3, '(1.0000000000000002,1,1),(2,2,2)'),
	(4, '(0.5,0.5,0),(0.5,0.5,0)'),
	(5, '(0.5,0.5000000000000001,0),(0.6,0.6,0)'),
	(6, '(-Infinity,-Infinity,-Infinity),(Infinity,Infinity,Infinity)'),
	(7, '(1e300,1e300,1e300),(1.1e300,1.1e300,1.1e300)'),
	(8, '(0,0,0),(0,0,NaN)')) AS boxes (m, b)
ORDER BY n, m;

-- Boxes of which no plane has all behind it: through the wedge that ends at x = 1,
-- and beside its end
SELECT b, b && f AS overlaps,
	(SELECT bool_and(p[i][1] * x((CASE WHEN p[i][1] > 0 THEN high(b) ELSE low(b) END)) +
		p[i][2] * y((CASE WHEN p[i][2] > 0 THEN high(b) ELSE low(b) END)) + p[i][4] >= 0)
	 FROM generate_series(1, 6) AS i) AS is_behind_no_plane
FROM (VALUES (frustum3 '[(-10,1,0,10),(-10,-1,0,10),(0,0,0,0),(0,0,0,0),(1,0,0,100),(0,0,0,0)]')) AS t (f),
	LATERAL planes(f) AS p, (VALUES
	(box3 '(0.9,-30,0),(9,30,1)'), ('(1,-30,0),(9,30,1)'), ('(1.0000000000000002,-30,0),(9,30,1)'),
	('(1.05,-30,0),(9,30,1)'), ('(-0.5,10,0),(9,30,1)')) AS boxes (b);

-- A camera at (0,0,0) that looks along -z, 90 degrees wide, from 1 to 9; by rows
-- and columns; in depth from -w to w, and the same from 0 to w; and without an end
CREATE TABLE solid_cameras (n int, f frustum3);
INSERT INTO solid_cameras VALUES
	(1, frustum3_row_major('{{1,0,0,0},{0,1,0,0},{0,0,-1.25,-2.25},{0,0,-1,0}}')),
	(2, frustum3_column_major('{1,0,0,0,0,1,0,0,0,0,-1.25,-1,0,0,-2.25,0}')),
	(3, frustum3_row_major('{{1,0,0,0},{0,1,0,0},{0,0,-1.125,-1.125},{0,0,-1,0}}', true)),
	(4, frustum3_row_major('{{1,0,0,0},{0,1,0,0},{0,0,0,1},{0,0,-1,0}}', depth_from_zero => true));
SELECT n, f FROM solid_cameras ORDER BY n;
SELECT n, p, p <@ f AS is_in, f @> p AS contains FROM solid_cameras, (VALUES
	(1, point3 '(0,0,-1)'), (2, '(0,0,-0.9)'), (3, '(5,-5,-5)'), (4, '(5.000001,0,-5)'),
	(5, '(0,0,-9)'), (6, '(0,0,-9.1)'), (7, '(0,0,1)'), (8, '(1e300,-1e300,-1e300)'),
	(9, '(0,0,-Infinity)'), (10, '(0,0,NaN)')) AS points (m, p)
ORDER BY n, m;
DROP TABLE solid_cameras, solid_scene;

-- Binary form, by COPY of what the send functions return
CREATE TABLE solid_values (s sphere3, r ray3, f frustum3);
CREATE FUNCTION solid_copy(sphere bytea, ray bytea, frustum bytea) RETURNS text LANGUAGE sql AS $$
	SELECT format('printf ''%s''', string_agg('\' || (b >> 6) || (b >> 3 & 7) || (b & 7), '' ORDER BY i))
	FROM (SELECT '\x5047434f50590aff0d0a0000000000000000000003'::bytea || int4send(length(sphere)) || sphere ||
		int4send(length(ray)) || ray || int4send(length(frustum)) || frustum || '\xffff') AS t (bytes),
		LATERAL (SELECT i, get_byte(bytes, i) FROM generate_series(0, length(bytes) - 1) AS i) AS numbers (i, b)
$$;
SELECT '<(1,-0,NaN),Infinity>' AS sphere, '<(1,2,3),(1e-300,0,-5),7>' AS ray,
	'[(1,0,0,1),(-1,0,0,1),(0,1,0,1),(0,-1,0,1),(0,0,1,1),(0,0,-1,Infinity)]' AS frustum \gset
SELECT solid_copy(sphere3_send(:'sphere'), ray3_send(:'ray'), frustum3_send(:'frustum')) AS command \gset
COPY solid_values FROM PROGRAM :'command' (FORMAT binary);
SELECT * FROM solid_values;
-- what input does not accept
SELECT solid_copy(overlay(sphere3_send(:'sphere') PLACING float8send(-1) FROM 25), ray3_send(:'ray'), frustum3_send(:'frustum')) AS command \gset
COPY solid_values FROM PROGRAM :'command' (FORMAT binary);
SELECT solid_copy(sphere3_send(:'sphere'), overlay(ray3_send(:'ray') PLACING float8send(-1) FROM 49), frustum3_send(:'frustum')) AS command \gset
COPY solid_values FROM PROGRAM :'command' (FORMAT binary);
SELECT solid_copy(sphere3_send(:'sphere'), ray3_send(:'ray'), overlay(frustum3_send(:'frustum') PLACING float8send('-Infinity') FROM 1)) AS command \gset
COPY solid_values FROM PROGRAM :'command' (FORMAT binary);
SELECT solid_copy(sphere3_send(:'sphere'), substr(ray3_send(:'ray'), 9), frustum3_send(:'frustum')) AS command \gset
COPY solid_values FROM PROGRAM :'command' (FORMAT binary);
DROP TABLE solid_values;
DROP FUNCTION solid_copy;
