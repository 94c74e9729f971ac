-- Tables of random boxes for scripts/cluster, which sets "rows".

SELECT setseed(0.42) \g /dev/null

-- about one match a row
CREATE TABLE uniform_a AS SELECT i::bigint AS id, box(point(x, y), point(x + s, y + s)) AS b
FROM (SELECT i, 1e5 * random() AS x, 1e5 * random() AS y, 1e5 / sqrt(:rows) * random() AS s FROM generate_series(1, :rows) i) v;
CREATE TABLE uniform_b AS SELECT i::bigint AS id, box(point(x, y), point(x + s, y + s)) AS b
FROM (SELECT i, 1e5 * random() AS x, 1e5 * random() AS y, 1e5 / sqrt(:rows) * random() AS s FROM generate_series(1, :rows) i) v;

-- a thousand clusters, with more rows in low-numbered ones; sizes are lognormal
CREATE TABLE cluster AS SELECT i AS number, 1e5 * random() AS x, 1e5 * random() AS y, 10 ^ (1.5 + 2 * random()) AS s FROM generate_series(1, 1000) i;
CREATE FUNCTION normal() RETURNS float8 LANGUAGE sql VOLATILE AS 'SELECT sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';
CREATE FUNCTION clustered() RETURNS TABLE (id bigint, b box) LANGUAGE sql VOLATILE AS $$
	SELECT i, box(point(x, y), point(x + w, y + h))
	FROM (SELECT i, c.x + c.s * r.x AS x, c.y + c.s * r.y AS y, w, h
	      FROM (SELECT i, 1 + floor(999.999 * random() * random())::int AS number, normal() AS x, normal() AS y,
	                   exp(1 + 1.6 * normal()) AS w, exp(1 + 1.6 * normal()) AS h FROM generate_series(1, current_setting('cluster.rows')::int) i) r
	      JOIN cluster c USING (number)) v
$$;
SET cluster.rows = :rows;
CREATE TABLE clustered_a AS SELECT * FROM clustered();
CREATE TABLE clustered_b AS SELECT * FROM clustered();

CREATE TABLE small AS SELECT id, box(b[1], b[1] + point(100, 100)) AS b FROM uniform_a ORDER BY id LIMIT 1000;
INSERT INTO uniform_a VALUES (0, NULL), (-1, '(NaN,1),(2,3)'), (-2, '(Infinity,5e4),(-Infinity,50001)'), (-3, '(Infinity,Infinity),(7e4,8e4)');
INSERT INTO uniform_b VALUES (0, NULL), (-1, '(NaN,1),(2,3)'), (-2, '(5e4,Infinity),(50001,-Infinity)'), (-3, '(Infinity,Infinity),(9e4,6e4)');
CREATE TABLE roads (x0 float8, y0 float8, x1 float8, y1 float8, id int);
CREATE TABLE buildings (LIKE roads);
