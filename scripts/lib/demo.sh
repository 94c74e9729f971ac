# shellcheck shell=bash disable=SC2154  # variables are shared with other files
# The data and the questions of scripts/demo. scripts/package asks them, too, with the installed
# packages.
#
# Reads: top                 the directory with data/ and scripts/lib/
#        bold, green, dim, plain
# Calls: sql                 psql, unaligned, with the database of the demo

# What a session of the demo sets: the conditions of README's figures.
demo_settings=(work_mem=64MB jit=off max_parallel_workers_per_gather=0 max_parallel_maintenance_workers=0 maintenance_work_mem=256MB)

# load TABLE FILE: a table (id, b) from a file of data/
load() {
	gzip -dc "$top/data/$2.csv.gz" | sql \
		-c 'CREATE TEMP TABLE csv (x1 float8, y1 float8, x2 float8, y2 float8, id int)' \
		-c 'COPY csv FROM STDIN (FORMAT csv, HEADER)' \
		-c "CREATE TABLE $1 AS SELECT id, box(point(x1, y1), point(x2, y2)) AS b FROM csv"
}

# Buildings and roads of some thirty towns, windows on the map and points to ask for, and buildings
# with heights. Copies of the tables are for the indexes of others: see demo.sql.
load_boxes() {
	load buildings osm_buildings && load roads osm_roads && sql -c 'CREATE EXTENSION spqtree' -f - <<-'SQL'
		CREATE TABLE windows AS
		SELECT id, box(c - point(250, 250), c + point(250, 250)) AS b
		FROM (SELECT id, center(b) AS c FROM roads WHERE id % 50 = 0) AS s;
		CREATE TABLE points AS
		SELECT id, center(b) + point(30, 20) AS p FROM buildings WHERE id % 50 = 0;
		CREATE SCHEMA gist;
		CREATE SCHEMA spgist;
		CREATE TABLE gist.buildings AS TABLE buildings;
		CREATE TABLE gist.roads AS TABLE roads;
		CREATE TABLE spgist.buildings AS TABLE buildings;
		CREATE TABLE spgist.roads AS TABLE roads;
		VACUUM ANALYZE;
	SQL
}

# Buildings with heights, which are made up, and rays that start beside them: 300 of 1,000 m. Without
# spqtree, cube is the type for boxes in space.
load_space() {
	sql -f - <<-'SQL'
		CREATE EXTENSION cube;
		CREATE TABLE blocks AS SELECT id, box3(b, 0, 3 + 3 * (id % 5)) AS b FROM buildings;
		CREATE SCHEMA cube;
		CREATE TABLE cube.blocks AS
		SELECT id, box3(b, 0, z) AS b, cube(ARRAY[(b[1])[0], (b[1])[1], 0], ARRAY[(b[0])[0], (b[0])[1], z]) AS c
		FROM (SELECT id, b, (3 + 3 * (id % 5))::float8 AS z FROM buildings) AS s;
		CREATE TABLE rays AS
		SELECT id, ray3(point3(x, y, 5), point3(cos(a), sin(a), 0), 1000) AS r,
			cube(ARRAY[least(x, x + 1000 * cos(a)), least(y, y + 1000 * sin(a)), 5],
				ARRAY[greatest(x, x + 1000 * cos(a)), greatest(y, y + 1000 * sin(a)), 5]) AS c
		FROM (SELECT id, (center(b))[0] - 30 AS x, (center(b))[1] - 30 AS y, id::float8 AS a FROM buildings
			ORDER BY hashint4(id) LIMIT 300) AS s;
		VACUUM ANALYZE;
	SQL
}

# Parcels and addresses, which are made up, as in docs/five-minutes.md; streets and areas of a town.
load_geometries() {
	sql -c 'CREATE EXTENSION spqtree_postgis CASCADE' -f - <<-'SQL' &&
		SELECT setseed(0.5);
		CREATE TABLE parcels AS
		SELECT i AS id, ST_Buffer(ST_Point(random() * 10000, random() * 10000, 3857), 50 + random() * 100, 32) AS geom
		FROM generate_series(1, 5000) i;
		CREATE TABLE addresses AS
		SELECT i AS id, ST_Point(random() * 10000, random() * 10000, 3857) AS geom FROM generate_series(1, 200000) i;
	SQL
		gzip -dc "$top/data/osm_town_streets.csv.gz" | sql \
			-c 'CREATE TEMP TABLE csv (street int, number int, x float8, y float8)' \
			-c 'COPY csv FROM STDIN (FORMAT csv, HEADER)' \
			-c "CREATE TABLE streets AS SELECT street AS id, ST_MakeLine(ST_Point(x, y, 3857) ORDER BY number) AS geom FROM csv GROUP BY street" &&
		gzip -dc "$top/data/osm_town_areas.csv.gz" | sql \
			-c 'CREATE TEMP TABLE csv (id int, area polygon)' \
			-c 'COPY csv FROM STDIN (FORMAT csv, HEADER)' \
			-c "CREATE TABLE areas AS SELECT id, ST_MakeValid(ST_SetSRID(area::geometry, 3857)) AS geom FROM csv" \
			-c 'VACUUM ANALYZE'
}

# index_geometries: GiST indexes, with and without spqtree the same
index_geometries() {
	local table
	for table in addresses parcels streets areas; do
		sql -c "CREATE INDEX ON $table USING gist (geom)" || return
	done
	sql -c 'VACUUM ANALYZE'
}

# index_of TABLE METHOD: prints the statement that makes its index
index_of() {
	case $2 in
	spqtree) echo "CREATE INDEX $1_b ON $1 USING spqtree (b) INCLUDE (id)" ;;
	cube) echo "CREATE INDEX $1_cube ON cube.$1 USING gist (c)" ;;
	*) echo "CREATE INDEX $1_$2 ON $2.$1 USING $2 (b) INCLUDE (id)" ;;
	esac
}

# ask TITLE QUERY SHOWN COLUMNS WAYS [OTHER_QUERY]: answers a question without and with spqtree; fails
# if the rows differ. With LOOP=1 also by the index alone.
ask() {
	printf '\n%s%s%s\n\n' "$bold" "$1" "$plain"
	PGOPTIONS="-c session_preload_libraries=spqtree$(printf ' -c %s' "${demo_settings[@]}")" \
		sql -v query="$2" -v shown="$3" -v columns="$4" -v ways="$5" -v other="${6:-}" -v loop="${LOOP:-0}" \
		-v bold="$bold$green" -v dim="$dim" -v plain="$plain" -f "$top/scripts/lib/demo.sql"
}

ask_geometries() {
	ask 'PostGIS: which addresses are in which parcels? (the tables of docs/five-minutes.md)' \
		'SELECT %s FROM addresses a JOIN parcels p ON ST_Intersects(a.geom, p.geom)' 'count(*)' 'a.id, p.id' '{PostGIS}'
	ask 'PostGIS: which streets of a town cross or touch which areas?' \
		'SELECT %s FROM streets s JOIN areas a ON ST_Intersects(s.geom, a.geom)' 'count(*)' 's.id, a.id' '{PostGIS}'
}

ask_boxes() {
	LOOP=1 ask 'Which roads touch which buildings?' \
		'SELECT %s FROM roads r JOIN buildings b ON r.b && b.b' 'count(*)' 'r.id, b.id' '{gist,spgist}'
	ask 'How many roads does each of these windows on the map show?' \
		'SELECT %s FROM windows w, LATERAL (SELECT count(*) AS n FROM roads r WHERE r.b && w.b) c' \
		'sum(n)' 'w.id, n' '{gist,spgist}'
	ask 'How far are the ten buildings nearest to each of these points?' \
		'SELECT %s FROM points p, LATERAL (SELECT b <-> p.p AS d FROM buildings ORDER BY b <-> p.p LIMIT 10) n' \
		'sum(d)' 'p.id, d' '{gist,spgist}'
}

ask_space() {
	ask 'Which building is the first that each of these 300 rays hits? (The heights are made up.)' \
		'SELECT %s FROM rays r, LATERAL (SELECT b <-> r.r AS d FROM blocks WHERE b && r.r ORDER BY b <-> r.r LIMIT 1) h' \
		'count(d)' 'r.id, d' '{cube}' \
		'SELECT %s FROM rays r, LATERAL (SELECT b <-> r.r AS d FROM blocks WHERE c && r.c AND b && r.r ORDER BY b <-> r.r LIMIT 1) h'
}
