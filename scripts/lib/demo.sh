# shellcheck shell=bash disable=SC2154  # variables are shared with other files
# The data and the queries of scripts/demo. scripts/package runs them, too, with the installed
# packages.
#
# Reads: top                 the directory with data/ and scripts/lib/
#        bold, green, dim, plain
# Calls: sql                 psql, unaligned, with the database of the demo

# load TABLE FILE: a table (id, b) from a file of data/
load() {
	gzip -dc "$top/data/$2.csv.gz" | sql \
		-c 'CREATE TEMP TABLE csv (x1 float8, y1 float8, x2 float8, y2 float8, id int)' \
		-c 'COPY csv FROM STDIN (FORMAT csv, HEADER)' \
		-c "CREATE TABLE $1 AS SELECT id, box(point(x1, y1), point(x2, y2)) AS b FROM csv"
}

# Buildings and roads of some thirty towns.
load_boxes() {
	load buildings osm_buildings && load roads osm_roads && sql -c 'CREATE EXTENSION spqtree' -c 'VACUUM ANALYZE'
}

# Buildings with heights.
load_blocks() {
	sql -c 'CREATE TABLE blocks AS SELECT id, box3(b, 0, 3 + 3 * (id % 5)) AS b FROM buildings' -c 'VACUUM ANALYZE blocks'
}

# The streets and areas of a town as geometries, with GiST indexes.
load_geometries() {
	sql -c 'CREATE EXTENSION spqtree_postgis CASCADE' &&
		gzip -dc "$top/data/osm_town_streets.csv.gz" | sql \
			-c 'CREATE TEMP TABLE csv (street int, number int, x float8, y float8)' \
			-c 'COPY csv FROM STDIN (FORMAT csv, HEADER)' \
			-c "CREATE TABLE streets AS SELECT street AS id, ST_MakeLine(ST_Point(x, y, 3857) ORDER BY number) AS geom FROM csv GROUP BY street" &&
		gzip -dc "$top/data/osm_town_areas.csv.gz" | sql \
			-c 'CREATE TEMP TABLE csv (id int, area polygon)' \
			-c 'COPY csv FROM STDIN (FORMAT csv, HEADER)' \
			-c "CREATE TABLE areas AS SELECT id, ST_MakeValid(ST_SetSRID(area::geometry, 3857)) AS geom FROM csv" \
			-c 'CREATE INDEX ON streets USING gist (geom)' -c 'CREATE INDEX ON areas USING gist (geom)' -c 'VACUUM ANALYZE'
}

# index_of TABLE: prints the statement that makes its index
index_of() {
	echo "CREATE INDEX $1_b ON $1 USING spqtree (b) INCLUDE (id)"
}

# show TITLE QUERY [JOIN]: runs a query with and without spqtree; fails if the rows differ
show() {
	printf '\n%s%s%s\n\n' "$bold" "$1" "$plain"
	sql -v query="$2" -v join="${3:-0}" -v bold="$bold$green" -v dim="$dim" -v plain="$plain" \
		-f "$top/scripts/lib/demo.sql"
}

# Vaduz in Liechtenstein, in meters of web maps (EPSG:3857).
show_boxes() {
	show 'Which roads does this part of the map show?' \
		"SELECT id FROM roads WHERE b && box '((1059500,5964700),(1060100,5965200))'"
	show 'Which buildings are at this point?' \
		"SELECT id FROM buildings WHERE b @> point '(1060083,5965045)'"
	show 'Which ten buildings are nearest to it?' \
		"SELECT id, b <-> point '(1060083,5965045)' AS d FROM buildings ORDER BY d LIMIT 10"

	show 'Which building is the first in view, looking north from a height of 5 m? (The heights are made up.)' \
		"SELECT id, b <-> r AS d FROM blocks, ray3('(1060083,5965000,5)', '(0,1,0)') AS r WHERE b && r ORDER BY d LIMIT 1"

	PGOPTIONS='-c session_preload_libraries=spqtree' \
		show 'Which roads touch which buildings? (with session_preload_libraries = spqtree)' \
		'SELECT r.id, b.id FROM roads r JOIN buildings b ON r.b && b.b' 1
}

show_geometries() {
	PGOPTIONS='-c session_preload_libraries=spqtree' \
		show 'Which streets cross or touch which areas? (PostGIS: the same query, without and with spqtree)' \
		'SELECT s.id, a.id FROM streets s JOIN areas a ON ST_Intersects(s.geom, a.geom)' 1
}
