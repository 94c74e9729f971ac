--
-- Points, boxes and segments of three dimensions: input and output, functions,
-- equality and order.
--
\set VERBOSITY terse
SET extra_float_digits = 1;

-- Input: what PostgreSQL's types of the plane accept, with a third coordinate.
SELECT p::point3 FROM unnest('{"(1,2,3)","1,2,3"," ( 1 , -2.5 , 1e-7 ) ","(NaN,inf,-Infinity)","(-0,0.1,1e308)"}'::text[]) p;
SELECT b::box3 FROM unnest('{"(1,2,3),(4,5,6)","((1,2,3),(4,5,6))","(1,2,3,4,5,6)","1,2,3,4,5,6"," ( ( 4 , 2 , 6 ) , ( 1 , 5 , 3 ) ) ","1,2,3,(4,5,6)","(NaN,1,-inf),(0,inf,NaN)"}'::text[]) b;
SELECT s::lseg3 FROM unnest('{"[(1,2,3),(4,5,6)]","((1,2,3),(4,5,6))","(4,5,6),(1,2,3)","1,2,3,4,5,6","[1,2,3,4,5,6]"," [ (4,2,6) , ( 1 , 5 , 3 ) ] "}'::text[]) s;
-- Errors.
CREATE FUNCTION solid_error(type regtype, value text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT %L::%s', value, type);
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN sqlstate || ': ' || sqlerrm;
END $$;
SELECT type, solid_error(type, v)
FROM unnest('{point3,box3,lseg3}'::regtype[]) type,
     unnest('{"","(1,2)","(1,2,3","1,2,3)","(1,2,x)","(1,2,3,4)","(1,2,3),(4,5)","(1,2,3),(4,5,6","(1,2,3)(4,5,6)","((1,2,3),(4,5,6)","(1,2,3),(4,5,6)x","[(1,2,3),(4,5,6))","(1,2,3),(4,5,6),(7,8,9)","(1,2,1e400),(3,4,5)","(((1,2,3),(4,5,6)))","(4,5,6),1,2,3"}'::text[]) v;
-- PostgreSQL 16 and later can ask without an error.
DO $$
BEGIN
	IF current_setting('server_version_num')::int >= 160000 THEN
		ASSERT pg_input_is_valid('(1,2,3)', 'point3') AND pg_input_is_valid('(1,2,3),(4,5,6)', 'box3') AND pg_input_is_valid('[(1,2,3),(4,5,6)]', 'lseg3');
		ASSERT NOT pg_input_is_valid('(1,2)', 'point3') AND NOT pg_input_is_valid('(1,2,3),(4,5,1e400)', 'box3') AND NOT pg_input_is_valid('[(1,2,3),(4,5,z)]', 'lseg3');
	END IF;
END $$;

-- Functions.
SELECT point3(1, 2, 3), point3(point '(1,2)', 3), point(point3 '(1,2,3)'), x(p), y(p), z(p), p[0], p[1], p[2], p[3] FROM (VALUES (point3 '(7,8,9)')) v(p);
SELECT box3(point3 '(1,5,3)', point3 '(4,2,6)'), box3(4, 2, 6, 1, 5, 3), box3(point3 '(1,2,3)'), box3(box '(1,5),(4,2)', 6, 3), box3(lseg3 '(1,5,3),(4,2,6)'), CAST(box3 '(1,2,3),(4,5,6)' AS box);
SELECT high(b), low(b), center(b), width(b), depth(b), height(b), volume(b) FROM unnest('{"(1,2,3),(2,4,6)","(1,1,1),(1,1,1)","(-inf,1,2),(inf,NaN,inf)"}'::box3[]) b;
SELECT center(box3 '(1e308,0,0),(1.7e308,0,0)');
SELECT width(box3 '(-1.7e308,0,0),(1.7e308,0,0)');
SELECT volume(box3 '(0,0,0),(1e200,1e200,1)');
SELECT lseg3(point3 '(1,2,3)', point3 '(0,0,0)'), length(lseg3 '(0,0,0),(2,3,6)'), (lseg3 '[(1,2,3),(4,5,6)]')[1];
SELECT bound_box(box3 '(1,2,3),(4,5,6)', '(0,3,0),(1,1,9)'), box3 '(1,2,3),(4,5,6)' # '(2,0,4),(9,9,5)' AS both, box3 '(1,2,3),(4,5,6)' # '(4,5,6),(7,7,7)' AS corner, box3 '(1,2,3),(4,5,6)' # '(5,0,4),(9,9,5)' AS nothing;
SELECT bound_box(b) FROM unnest('{"(1,2,3),(2,4,6)",NULL,"(0,0,0),(1,9,1)"}'::box3[]) b;
SELECT bound_box(b) FROM unnest('{}'::box3[]) b;
SELECT spqtree_expand(b, 0), spqtree_expand(b, 'inf'), spqtree_expand(b, -1), spqtree_expand(b, 'NaN'), spqtree_expand(b, 2) @> box3 '(-1,0,1),(6,7,8)' FROM (VALUES (box3 '(1,2,3),(4,5,6)')) v(b);
SELECT spqtree_expand(b, 1, 0, 'inf'), spqtree_expand(b, 1, -1, 1), spqtree_expand(b, 1, 1, 'NaN'), spqtree_expand(b, 1, 2, 3) @> box3 '(0,0,0),(5,7,9)', spqtree_expand(b, 2, 2, 2) <@ spqtree_expand(b, 2), spqtree_expand(low(b), 0, 0, 'inf') FROM (VALUES (box3 '(1,2,3),(4,5,6)')) v(b);
SELECT point3 '(1,2,3)' + '(10,20,30)' AS sum, point3 '(1,2,3)' - '(10,20,inf)' AS difference, point3 '(inf,NaN,0)' + '(-inf,1,-0)' AS odd;
SELECT point3 '(1e308,0,0)' + '(1e308,0,0)';
SELECT box3 '(1,2,3),(4,5,6)' + '(10,20,30)' AS there, box3 '(1,2,3),(4,5,6)' + point3 '(10,20,30)' - '(10,20,30)' AS back;
SELECT box3 '(-inf,2,3),(4,5,inf)' + '(inf,0,-inf)' AS plus, box3 '(-inf,2,3),(4,5,inf)' - '(-inf,NaN,inf)' AS minus;
SELECT box3 '(0,0,0),(1e308,0,0)' + '(1e308,0,0)';
SELECT box3 '(0,0,0),(0,0,-1e308)' - '(0,0,1e308)';
SELECT point3 '(0,0,-1e308)' - '(0,0,1e308)';
SELECT spqtree_expand(point3 '(1,2,3)', 0), spqtree_expand(box3 '(1,2,3),(4,5,NaN)', 1), spqtree_expand(box3 '(inf,inf,inf),(inf,inf,inf)', 'inf');

-- Distance: of the closest points.
SELECT box3 '(0,0,0),(1,1,1)' <-> box3 '(3,4,7),(9,9,9)' AS boxes, box3 '(0,0,0),(1,1,1)' <-> point3 '(1,-3,5)' AS point, point3 '(0.5,0.5,-2)' <-> box3 '(0,0,0),(1,1,1)' AS face,
       box3 '(0,0,0),(1,1,1)' <-> box3 '(1,1,1),(2,2,2)' AS corner, point3 '(1,2,3)' <-> point3 '(3,5,9)' AS points, point3 '(0,0,0)' <-> point3 '(0,0,NaN)' AS nan,
       point3 '(inf,0,0)' <-> point3 '(inf,0,1)' AS infinite, point3 '(-1.7e308,0,0)' <-> point3 '(1.7e308,0,0)' AS overflow, point3 '(1e-320,0,0)' <-> point3 '(0,0,0)' > 0 AS tiny;

-- Equality and order: 0 is -0, and NaN is NaN, above all numbers.
SELECT point3 '(0,-0,NaN)' = point3 '(-0,0,NaN)' AS "=", point3_hash('(0,-0,NaN)') = point3_hash('(-0,0,NaN)') AS hash,
       point3_hash_extended('(0,-0,NaN)', 7) = point3_hash_extended('(-0,0,NaN)', 7) AS extended, point3 '(1,2,3)' = point3 '(1,2,3.0000001)' AS near, point3 '(1,2,3)' <> point3 '(1,2,3.0000001)' AS "<>";
CREATE TABLE solid_order (id int, p point3, b box3, s lseg3);
INSERT INTO solid_order
SELECT i, p, box3(p, point3(0, 0, 0)), lseg3(p, point3(1, 1, 1))
FROM (SELECT i, point3((i % 3 - 1) * CASE i % 2 WHEN 0 THEN 1 ELSE -1 END * 0.0 + i % 2, CASE i % 5 WHEN 0 THEN float8 'NaN' ELSE i % 2 END, i % 4) AS p FROM generate_series(1, 2000) i) v;
SELECT count(DISTINCT p) AS points, count(DISTINCT b) AS boxes, count(DISTINCT s) AS segments FROM solid_order;
SELECT count(*) FROM (SELECT p FROM solid_order GROUP BY p) v;
SELECT min(n), max(n), count(*) FROM (SELECT count(*) AS n FROM solid_order GROUP BY b, s) v;
SELECT array_agg(p ORDER BY p) FROM (SELECT DISTINCT p FROM solid_order) v;
-- all operators agree with the comparison of the numbers
SELECT count(*), bool_and((a < b) = (c < 0) AND (a <= b) = (c <= 0) AND (a = b) = (c = 0) AND (a <> b) = (c <> 0) AND (a >= b) = (c >= 0) AND (a > b) = (c > 0)) AS agree
FROM (SELECT a, b, CASE WHEN ROW(x(a), y(a), z(a)) < ROW(x(b), y(b), z(b)) THEN -1 WHEN ROW(x(a), y(a), z(a)) = ROW(x(b), y(b), z(b)) THEN 0 ELSE 1 END AS c
      FROM (SELECT p AS a FROM solid_order WHERE id <= 100) v, (SELECT p AS b FROM solid_order WHERE id <= 100) w) v;
-- hash and merge joins, and a loop
CREATE FUNCTION solid_joined(method text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
	PERFORM set_config('enable_hashjoin', (method = 'hash')::text, true), set_config('enable_mergejoin', (method = 'merge')::text, true), set_config('enable_nestloop', (method = 'loop')::text, true);
	SELECT count(*) INTO n FROM solid_order a JOIN solid_order b ON a.b = b.b AND a.s = b.s AND a.p = b.p WHERE a.id <= 300;
	RETURN n;
END $$;
SELECT solid_joined('hash') = solid_joined('loop') AS hash, solid_joined('merge') = solid_joined('loop') AS merge, solid_joined('loop') > 300 AS several;
CREATE INDEX ON solid_order (b);
CREATE INDEX ON solid_order USING hash (s);
SET enable_seqscan = off;
SELECT count(*) = (SELECT count(*) FROM solid_order WHERE b::text = '(1,0,1),(0,0,0)') AS btree FROM solid_order WHERE b = '(1,0,1),(0,0,0)';
SELECT count(*) > 0 AND count(*) = (SELECT count(*) FROM solid_order WHERE s::text = '[(1,1,1),(1,1,1)]') AS hash FROM solid_order WHERE s = '[(1,1,1),(1,1,1)]';
RESET enable_seqscan;

-- Text and binary form: every value comes back.
SELECT count(*), bool_and(point3_send(p::text::point3) = point3_send(p)) AS point, bool_and(box3_send(b::text::box3) = box3_send(b)) AS box, bool_and(lseg3_send(s::text::lseg3) = lseg3_send(s)) AS segment
FROM (SELECT p, box3(p, q) AS b, lseg3(p, q) AS s
      FROM (SELECT point3(n[1 + i % 13], n[1 + i / 13 % 13], n[1 + i * 7 % 13]) AS p, point3(n[1 + i * 3 % 13], n[1 + i * 5 % 13], n[1 + i / 7 % 13]) AS q
            FROM generate_series(1, 2000) i, (VALUES ('{0,-0,1,-1,0.1,1e300,-1e-300,5e-324,1.7976931348623157e308,Infinity,-Infinity,NaN,3.141592653589793}'::float8[])) v(n)) v) v;
SELECT point3_send('(1,-2,0.5)'), box3_send('(1,2,3),(4,5,6)'), lseg3_send('[(1,2,3),(0,0,0)]');

-- A column can be changed by its parts, those of a box cannot: its corners stay in order.
UPDATE solid_order SET p[2] = 42, s[0] = '(7,8,9)' WHERE id = 1 RETURNING p, s;
UPDATE solid_order SET b[0] = '(7,8,9)' WHERE id = 1;
