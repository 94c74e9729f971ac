--
-- Every operator and both orders on real data: boxes of counties, of parts of
-- countries (some span the whole world) and, every twelfth, of roads.
--
CREATE TABLE real_csv (x1 float8, y1 float8, x2 float8, y2 float8, id int);

\copy real_csv FROM PROGRAM 'gzip -dc "$PG_ABS_SRCDIR/../data/us_counties.csv.gz"' (FORMAT csv, HEADER)
CREATE TABLE counties AS SELECT id, box(point(x1, y1), point(x2, y2)) AS b FROM real_csv;
TRUNCATE real_csv;
\copy real_csv FROM PROGRAM 'gzip -dc "$PG_ABS_SRCDIR/../data/world_country_parts.csv.gz"' (FORMAT csv, HEADER)
CREATE TABLE countries AS SELECT id, box(point(x1, y1), point(x2, y2)) AS b FROM real_csv;
TRUNCATE real_csv;
\copy real_csv FROM PROGRAM 'gzip -dc "$PG_ABS_SRCDIR/data/roads_every_twelfth.csv.gz"' (FORMAT csv, HEADER)
CREATE TABLE roads AS SELECT id, box(point(x1, y1), point(x2, y2)) AS b FROM real_csv;
-- the same, sorted by x instead of by neighborhood
CREATE TABLE roads_by_x AS SELECT row_number() OVER (ORDER BY (b[1])[0], id)::int AS id, b FROM roads ORDER BY 1;
SELECT (SELECT count(*) FROM counties) AS counties, (SELECT count(*) FROM countries) AS countries,
       (SELECT count(*) FROM roads) AS roads, (SELECT count(*) FROM roads_by_x) AS roads_by_x;

CREATE INDEX ON counties USING spgist (b spqtree_box_ops) INCLUDE (id);
CREATE INDEX ON countries USING spgist (b spqtree_box_ops) INCLUDE (id);
CREATE INDEX ON roads USING spgist (b spqtree_box_ops) INCLUDE (id);
CREATE INDEX ON roads_by_x USING spgist (b spqtree_box_ops) INCLUDE (id);
VACUUM ANALYZE counties, countries, roads, roads_by_x;

SELECT * FROM tst.check_index('counties', 30);
SELECT * FROM tst.check_index('countries', 30);
SELECT * FROM tst.check_index('roads', 15);
SELECT * FROM tst.check_index('roads_by_x', 15);
