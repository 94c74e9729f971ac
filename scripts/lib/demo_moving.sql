-- Vehicles on the streets of a town, for scripts/demo-moving, which loads the tables node
-- (street, number, x, y) and area (id, area polygon); :vehicles is their number, and :notify the
-- channel of the watch's notifications, or empty.

-- Each piece of a street, in both directions, with the pieces that continue it.
CREATE TABLE piece AS
SELECT row_number() OVER () AS id, a, b, a <-> b AS length, NULL::bigint[] AS next
FROM (SELECT point(x, y) AS a, lead(point(x, y)) OVER street AS b FROM node WINDOW street AS (PARTITION BY street ORDER BY number)
	UNION ALL
	SELECT point(x, y), lead(point(x, y)) OVER street FROM node WINDOW street AS (PARTITION BY street ORDER BY number DESC)) AS s
WHERE a <-> b > 0;
ALTER TABLE piece ADD PRIMARY KEY (id);
CREATE INDEX ON piece ((a[0]), (a[1]));
ANALYZE piece;
UPDATE piece SET next = coalesce(
	(SELECT array_agg(n.id) FROM piece AS n WHERE n.a[0] = piece.b[0] AND n.a[1] = piece.b[1] AND NOT n.b ~= piece.a),
	(SELECT array_agg(n.id) FROM piece AS n WHERE n.a[0] = piece.b[0] AND n.a[1] = piece.b[1]));

ALTER TABLE area ADD PRIMARY KEY (id);
CREATE INDEX ON area USING spqtree (area);

CREATE TABLE vehicle (id int PRIMARY KEY, pos point, piece bigint, gone float8, speed float8) WITH (fillfactor = 50);
INSERT INTO vehicle
SELECT v.id, a, p.id, 0, 3 + random() * 12
FROM (SELECT i AS id, 1 + floor(random() * (SELECT count(*) FROM piece))::bigint AS piece FROM generate_series(1, :vehicles) AS i) AS v
JOIN piece AS p ON p.id = v.piece;
CREATE INDEX ON vehicle USING spqtree (pos);

SELECT spqtree_watch('in_area', 'vehicle', 'pos', 'area', 'area', notify => nullif(:'notify', ''));
CREATE TABLE at_start AS TABLE in_area;
-- events that the page of --web has taken from the log
CREATE TABLE shown (LIKE in_area_events);
CREATE VIEW all_events AS TABLE in_area_events UNION ALL TABLE shown;

-- The streets and areas at each character of a map of :columns by :lines.
CREATE TABLE map AS SELECT min(x) AS west, max(y) AS north, (max(x) - min(x)) / :columns AS width, (max(y) - min(y)) / :lines AS height FROM node;
CREATE TABLE cell AS
SELECT line, "column", EXISTS (SELECT FROM area WHERE area @> center(around)) AS area, EXISTS (SELECT FROM piece WHERE around ?# lseg(a, b)) AS street
FROM map, generate_series(0, :lines - 1) AS line, generate_series(0, :columns - 1) AS "column",
LATERAL (SELECT box(point(west + "column" * width, north - line * height), point(west + ("column" + 1) * width, north - (line + 1) * height)) AS around) AS c;
VACUUM ANALYZE;

-- Move all vehicles by one second.
CREATE FUNCTION drive() RETURNS void LANGUAGE sql AS $$
	UPDATE vehicle SET piece = t.piece, gone = t.gone, pos = t.pos
	FROM (SELECT m.id, p.id AS piece, least(way, length) AS gone, p.a + (p.b - p.a) * point(least(way, length) / length, 0) AS pos
		FROM (SELECT v.id, v.gone + v.speed - CASE WHEN v.gone + v.speed <= p.length THEN 0 ELSE p.length END AS way,
				CASE WHEN v.gone + v.speed <= p.length THEN p.id ELSE p.next[1 + floor(random() * cardinality(p.next))] END AS piece
			FROM vehicle AS v JOIN piece AS p ON p.id = v.piece) AS m
		JOIN piece AS p ON p.id = m.piece) AS t
	WHERE vehicle.id = t.id
$$;

-- Draw the map: areas green, streets gray; vehicles, yellow in an area.  The colors are
-- those of terminals.
CREATE FUNCTION colored(text text, color text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT format('%1$s[%2$sm%3$s%1$s[0m', chr(27), color, text)
$$;
CREATE FUNCTION draw() RETURNS SETOF text LANGUAGE sql STABLE AS $$
	SELECT string_agg(colored(CASE WHEN inside THEN '●' WHEN NOT inside THEN '•' WHEN street THEN '·' ELSE ' ' END,
			CASE WHEN inside THEN '1;33' WHEN NOT inside THEN '1;37' ELSE '90' END || CASE WHEN area THEN ';42' ELSE '' END),
		'' ORDER BY "column")
	FROM cell
	LEFT JOIN (SELECT floor((north - pos[1]) / height)::int AS line, floor((pos[0] - west) / width)::int AS "column",
			bool_or(EXISTS (SELECT FROM in_area WHERE object = vehicle.id)) AS inside
		FROM vehicle, map GROUP BY 1, 2) AS v USING (line, "column")
	GROUP BY line ORDER BY line
$$;
