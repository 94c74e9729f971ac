--
-- Relations of boxes and points of three dimensions: random values against the
-- formulas over their coordinates.
--
CREATE TABLE solid_box (id int, b box3, h float8[], l float8[]);
CREATE TABLE related_point (id int, p point3, x float8[]);
SELECT setseed(0.3);
-- Coordinates that often meet, differ by less than PostgreSQL's tolerance, or are special.
CREATE FUNCTION solid_number() RETURNS float8 LANGUAGE sql VOLATILE AS $$
	SELECT CASE WHEN r < 0.06 THEN (ARRAY['NaN', 'Infinity', '-Infinity', '1e300', '-1e300', '-0']::float8[])[1 + floor(random() * 6)::int]
	            WHEN r < 0.2 THEN floor(random() * 6) + floor(random() * 3 - 1) * 5e-7 ELSE floor(random() * 6) END FROM (SELECT random() AS r) v
$$;
INSERT INTO related_point SELECT i, point3(x[1], x[2], x[3]), x
FROM (SELECT i, ARRAY[solid_number(), solid_number(), solid_number()] AS x FROM generate_series(1, 120) i) v;
INSERT INTO solid_box SELECT i, box3(point3(u[1], u[2], u[3]), point3(v[1], v[2], v[3])), ARRAY[greatest(u[1], v[1]), greatest(u[2], v[2]), greatest(u[3], v[3])], ARRAY[least(u[1], v[1]), least(u[2], v[2]), least(u[3], v[3])]
FROM (SELECT i, ARRAY[solid_number(), solid_number(), solid_number()] AS u, ARRAY[solid_number(), solid_number(), solid_number()] AS v FROM generate_series(1, 130) i) w;
-- PostgreSQL's float8 has NaN equal to NaN and above all; the relations compare as C does.
CREATE FUNCTION solid_le(float8, float8) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN $1 <= $2 AND $1 <> 'NaN' AND $2 <> 'NaN';
CREATE FUNCTION solid_lt(float8, float8) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN $1 < $2 AND $1 <> 'NaN' AND $2 <> 'NaN';
CREATE FUNCTION solid_gap(float8, float8) RETURNS float8 LANGUAGE sql IMMUTABLE RETURN CASE WHEN $1 > $2 THEN $1 - $2 ELSE 0 END;
SELECT bool_and(high(b) = point3(h[1], h[2], h[3]) AND low(b) = point3(l[1], l[2], l[3])) AS corners FROM solid_box;

CREATE TABLE solid_pair AS
SELECT a.b AS a, b.b AS b, a.h AS ah, a.l AS al, b.h AS bh, b.l AS bl FROM solid_box a, solid_box b;
SELECT operator, count(*) FILTER (WHERE actual) > 50 AS some, count(*) FILTER (WHERE actual <> expected OR actual IS NULL) AS differ
FROM solid_pair, LATERAL (VALUES
  (1, '&&', a && b, solid_le(al[1], bh[1]) AND solid_le(bl[1], ah[1]) AND solid_le(al[2], bh[2]) AND solid_le(bl[2], ah[2]) AND solid_le(al[3], bh[3]) AND solid_le(bl[3], ah[3])),
  (2, '@>', a @> b, solid_le(al[1], bl[1]) AND solid_le(bh[1], ah[1]) AND solid_le(al[2], bl[2]) AND solid_le(bh[2], ah[2]) AND solid_le(al[3], bl[3]) AND solid_le(bh[3], ah[3])),
  (3, '<@', a <@ b, solid_le(bl[1], al[1]) AND solid_le(ah[1], bh[1]) AND solid_le(bl[2], al[2]) AND solid_le(ah[2], bh[2]) AND solid_le(bl[3], al[3]) AND solid_le(ah[3], bh[3])),
  (4, '~=', a ~= b, ah = bh AND al = bl),
  (5, '=', a = b, ah = bh AND al = bl),
  (6, '<<', a << b, solid_lt(ah[1], bl[1])), (7, '&<', a &< b, solid_le(ah[1], bh[1])),
  (8, '>>', a >> b, solid_lt(bh[1], al[1])), (9, '&>', a &> b, solid_le(bl[1], al[1])),
  (10, '<<|', a <<| b, solid_lt(ah[2], bl[2])), (11, '&<|', a &<| b, solid_le(ah[2], bh[2])),
  (12, '|>>', a |>> b, solid_lt(bh[2], al[2])), (13, '|&>', a |&> b, solid_le(bl[2], al[2])),
  (14, '<</', a <</ b, solid_lt(ah[3], bl[3])), (15, '&</', a &</ b, solid_le(ah[3], bh[3])),
  (16, '/>>', a />> b, solid_lt(bh[3], al[3])), (17, '/&>', a /&> b, solid_le(bl[3], al[3]))) v(nr, operator, actual, expected)
GROUP BY nr, operator ORDER BY nr;
SELECT operator, count(*) FILTER (WHERE actual) > 50 AS some, count(*) FILTER (WHERE actual <> expected OR actual IS NULL) AS differ
FROM related_point a, related_point b, LATERAL (VALUES
  (1, '~=', a.p ~= b.p, a.x = b.x), (2, '<<', a.p << b.p, solid_lt(a.x[1], b.x[1])), (3, '>>', a.p >> b.p, solid_lt(b.x[1], a.x[1])),
  (4, '<<|', a.p <<| b.p, solid_lt(a.x[2], b.x[2])), (5, '|>>', a.p |>> b.p, solid_lt(b.x[2], a.x[2])),
  (6, '<</', a.p <</ b.p, solid_lt(a.x[3], b.x[3])), (7, '/>>', a.p />> b.p, solid_lt(b.x[3], a.x[3]))) v(nr, operator, actual, expected)
GROUP BY nr, operator ORDER BY nr;
SELECT count(*) FILTER (WHERE b @> p) > 1000 AS some, count(*) FILTER (WHERE (b @> p) <> expected) AS differ, count(*) FILTER (WHERE (b @> p) <> (p <@ b)) AS "<@ differs", count(*) FILTER (WHERE (b @> p) <> (b && box3(p))) AS "&& differs"
FROM solid_box, related_point, LATERAL (SELECT solid_le(l[1], x[1]) AND solid_le(x[1], h[1]) AND solid_le(l[2], x[2]) AND solid_le(x[2], h[2]) AND solid_le(l[3], x[3]) AND solid_le(x[3], h[3]) AS expected) v;

-- Distances: 0 exactly where the two meet, the same either way round, NaN with a NaN;
-- otherwise the root of the sum of squares, where that does not overflow.
SELECT count(*) FILTER (WHERE d = 0) > 1000 AS meet, count(*) FILTER (WHERE (d = 0) <> (a && b)) AS differ, count(*) FILTER (WHERE d <> (b <-> a)) AS order,
       count(*) FILTER (WHERE (d = 'NaN') <> ('NaN' = ANY (ah || al || bh || bl))) AS nan, count(*) FILTER (WHERE d < 1e150 AND abs(d - expected) > 1e-12) AS wrong, count(*) FILTER (WHERE d > 0 AND d < 1e150) > 1000 AS apart
FROM (SELECT *, a <-> b AS d, CASE WHEN (a <-> b) < 1e150 THEN
        sqrt(greatest(solid_gap(al[1], bh[1]), solid_gap(bl[1], ah[1])) ^ 2 + greatest(solid_gap(al[2], bh[2]), solid_gap(bl[2], ah[2])) ^ 2 + greatest(solid_gap(al[3], bh[3]), solid_gap(bl[3], ah[3])) ^ 2) END AS expected
      FROM solid_pair) v;
SELECT count(*) FILTER (WHERE d = 0) > 1000 AS inside, count(*) FILTER (WHERE (d = 0) <> (b @> p)) AS differ, count(*) FILTER (WHERE d <> (p <-> b)) AS order, count(*) FILTER (WHERE d <> (b <-> box3(p))) AS "as box"
FROM (SELECT b, p, b <-> p AS d FROM solid_box, related_point) v;
SELECT count(*) FILTER (WHERE (a.p <-> b.p) <> (box3(a.p) <-> box3(b.p))) AS "as boxes" FROM related_point a, related_point b;
-- Within a distance: implied by overlap with the expanded box.
SELECT count(*) > 1000 AS within, count(*) FILTER (WHERE NOT a && spqtree_expand(b, d)) AS missing
FROM solid_pair, unnest('{0,0.1,1,1.4142135623730951,3,1e300}'::float8[]) d WHERE (a <-> b) <= d;
-- The same of a distance on each axis: a gap that is rounded down is larger than it seems.
SELECT count(*) FILTER (WHERE NOT spqtree_expand(a, d, d, d) ~= spqtree_expand(a, d)) AS differ
FROM solid_pair, unnest('{0,0.1,1,1.4142135623730951,3,1e300,5e-324,1.7976931348623157e308,inf}'::float8[]) d;
SELECT abs(z(p) - z(q)) <= d AS within, box3(q) && spqtree_expand(p, 0, 0, d) AS found, box3(p) && spqtree_expand(box3(q), 0, 0, d) AS "from the other"
FROM (VALUES (point3 '(0,0,-1.8832143849283662)', point3 '(0,0,-0.7653549392110709)', 1.1178594457172952::float8), ('(0,0,0)', '(0,0,2)', 2), ('(0,0,0)', '(0,0,2.0000000000000027)', 2)) v(p, q, d);
-- Intersection and bounds.
SELECT count(*) FILTER (WHERE c IS NOT NULL) > 1000 AS meet, count(*) FILTER (WHERE (c IS NOT NULL) <> (a && b)) AS differ, count(*) FILTER (WHERE c IS NOT NULL AND NOT (a @> c AND b @> c)) AS outside
FROM (SELECT a, b, a # b AS c FROM solid_pair) v;
SELECT count(*) FILTER (WHERE NOT (c @> a AND c @> b)) AS outside FROM (SELECT a, b, bound_box(a, b) AS c FROM solid_pair WHERE NOT 'NaN' = ANY (ah || al || bh || bl)) v;

-- Segments: a part of the box, points of the segment, both ends.
SELECT s, b && s AS "&&", s && b AS "&& box"
FROM (VALUES (box3 '(0,0,0),(2,2,2)')) v(b),
     unnest('{"[(1,1,1),(1,1,1)]","[(-1,-1,-1),(3,3,3)]","[(-1,3,1),(3,-1,1)]","[(-2,4,2),(4,-2,2)]","[(-2,4.0000001,2),(4,-2,2)]","[(3,0,0),(3,2,2)]","[(2,2,2),(3,3,3)]","[(2,0,0),(2,9,9)]","[(0,4,1),(4,0,1)]","[(0,4.0000000000000009,1),(4,0,1)]","[(0,0,NaN),(1,1,1)]","[(0,0,0),(inf,1,1)]"}'::lseg3[]) s;
-- an end in the box is enough; a segment along an axis is a box
SELECT count(*) FILTER (WHERE b && lseg3(p.p, q.p) AND NOT b && box3(lseg3(p.p, q.p))) AS "beside the bounds", count(*) FILTER (WHERE b @> p.p AND NOT b && lseg3(p.p, q.p)) AS "end missing",
       count(*) FILTER (WHERE (b && lseg3(p.p, q.p)) <> (b && lseg3(q.p, p.p))) AS "order", count(*) FILTER (WHERE b && lseg3(p.p, q.p)) > 100 AS some
FROM solid_box, (SELECT * FROM related_point WHERE abs(x[1]) < 1e301 AND abs(x[2]) < 1e301 AND abs(x[3]) < 1e301 LIMIT 25) p, (SELECT * FROM related_point WHERE abs(x[1]) < 1e301 AND abs(x[2]) < 1e301 AND abs(x[3]) < 1e301 OFFSET 25 LIMIT 25) q;
SELECT count(*) FILTER (WHERE (b && s) <> (b && box3(s))) AS differ, count(*) FILTER (WHERE b && s) > 100 AS some
FROM solid_box, (SELECT lseg3(p, point3(x(p), y(p), z(p) + 2)) AS s FROM related_point WHERE abs(x[1]) < 1e301 AND abs(x[2]) < 1e301 AND abs(x[3]) < 1e301) v;
-- Operators: commutators, estimators.
SELECT oprname, oprleft::regtype, oprright::regtype, coalesce(oprcom::regoperator::text, '') AS commutator, oprrest, oprjoin
FROM pg_operator WHERE oprcode IN (SELECT objid FROM pg_depend WHERE refclassid = 'pg_extension'::regclass AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'spqtree') AND classid = 'pg_proc'::regclass)
  AND oprleft = ANY ('{point3,box3,lseg3}'::regtype[]) AND oprright = ANY ('{point3,box3,lseg3}'::regtype[]) ORDER BY oprname COLLATE "C", oprleft::regtype::text COLLATE "C", oprright::regtype::text COLLATE "C";
