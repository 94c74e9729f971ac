-- Tables of SpatialBench, and a generator of their rows; README.md says what differs from the
-- original.  Afterwards
--
--     SELECT spatialbench.load(0.1);          -- a tenth of scale factor 1
--
-- fills the tables.  The same arguments make the same rows, since all that is random is a hash of a
-- row's number.

CREATE SCHEMA spatialbench;
SET search_path = spatialbench, public;

CREATE TABLE customer (c_custkey bigint, c_name text, c_address text, c_region text, c_nation text, c_phone text);
CREATE TABLE driver (d_driverkey bigint, d_name text, d_address text, d_region text, d_nation text, d_phone text);
CREATE TABLE vehicle (v_vehiclekey bigint, v_mfgr text, v_brand text, v_type text, v_license text);
CREATE TABLE trip (
	t_tripkey bigint, t_custkey bigint, t_driverkey bigint, t_vehiclekey bigint,
	t_pickuptime timestamp, t_dropofftime timestamp,
	t_fare numeric(15,2), t_tip numeric(15,2), t_totalamount numeric(15,2), t_distance numeric(15,2),
	t_pickuploc geometry, t_dropoffloc geometry);
CREATE TABLE building (b_buildingkey bigint, b_name text, b_boundary geometry);
CREATE TABLE zone (
	z_zonekey bigint, z_gersid text, z_country text, z_region text, z_name text, z_subtype text,
	z_boundary geometry);

-- Boxes of land, degrees: a place of the unit square is stretched onto one of them, which is chosen
-- by its area on the sphere.
CREATE TABLE continent (id int, name text, west float8, width float8, south float8, height float8, share float8);

-- Kinds of zones: from which scale factor, how many, and radius (degrees) and number of vertices: medians
-- and standard deviations of the logarithm.
CREATE TABLE subtype (name text, scale float8, zones int, radius float8, radius_sd float8, vertices float8,
					  vertices_sd float8);

-- Centers of clusters in the unit square: districts of cities, for trips and for buildings.
-- "below" is the share of the clusters before this one.
CREATE TABLE cluster (of text, id int, x float8, y float8, below float8, PRIMARY KEY (of, id));

-- Uniform in [0, 1)
CREATE FUNCTION uniform(key bigint, salt bigint) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ((hashint8extended(key, salt) >> 11) & 9007199254740991)::float8 / 9007199254740992;

-- Standard normal
CREATE FUNCTION normal(key bigint, salt bigint) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sqrt(-2 * ln(1 - uniform(key, salt))) * cos(2 * pi() * uniform(key, salt + 1));

CREATE FUNCTION pareto(key bigint, salt bigint, alpha float8) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (1 - uniform(key, salt)) ^ (-1 / alpha);

-- Member of the Halton sequence: spreads cities evenly
CREATE FUNCTION halton(number bigint, base int) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT sum((number / (base::float8 ^ k)::bigint % base) / (base::float8 ^ (k + 1)))
		FROM generate_series(0, 20) k);

CREATE FUNCTION clamp(value float8) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN greatest(0, least(1, value));

CREATE FUNCTION load_continents() RETURNS void LANGUAGE sql AS $$
	INSERT INTO continent
	SELECT row_number() OVER (), name, west, width, south, height,
		   width * (sind(south + height) - sind(south)) / sum(width * (sind(south + height) - sind(south))) OVER ()
	FROM (VALUES
		('Africa', -20.062752, 84.194319, -40.044425, 77.623846),
		('Europe', -11.964479, 76.108853, 37.926872, 33.901968),
		('South Asia', 64.583540, 80.942556, -9.709049, 61.381606),
		('North Asia', 64.495655, 114.339049, 51.944267, 25.952988),
		('Oceania', 112.481901, 68.287041, -48.980212, 38.751779),
		('South America', -83.833822, 49.929480, -56.170016, 68.381204),
		('South North America', -124.890724, 55.379532, 12.382931, 30.170149),
		('North North America', -166.478008, 114.424763, 42.681087, 29.977954)
	) v (name, west, width, south, height);
$$;

-- Cities at members of a Halton sequence, with a number of districts about each; both have Pareto
-- weights.
CREATE FUNCTION load_clusters(kind text, seed bigint, cities int, mean float8, sd float8, fewest int, most int,
							  spread float8, alpha_city float8, alpha_district float8)
RETURNS void LANGUAGE sql AS $$
	INSERT INTO cluster
	WITH city AS MATERIALIZED (
		SELECT c, halton(c, 2) AS x, halton(c, 3) AS y, pareto(c, seed, alpha_city) AS weight,
			   greatest(fewest, least(most, round(mean + sd * normal(c, seed + 10))))::int AS districts
		FROM generate_series(1, cities) c
	), district AS (
		SELECT c, d, c::bigint * 1000 + d AS key, x, y, weight,
			   pareto(c::bigint * 1000 + d, seed + 20, alpha_district) AS part
		FROM city, generate_series(1, districts) d
	), weighed AS (
		SELECT row_number() OVER (ORDER BY c, d) AS id, key, x, y,
			   weight * part / sum(part) OVER (PARTITION BY c) AS weight
		FROM district
	)
	SELECT kind, id, clamp(x + spread * normal(key, seed + 30)), clamp(y + spread * normal(key, seed + 40)),
		   (sum(weight) OVER (ORDER BY id) - weight) / sum(weight) OVER ()
	FROM weighed;
$$;

-- The clusters of trips and of buildings
CREATE FUNCTION load_clusters(seed bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM load_clusters('trip', seed, 60000, 15, 12, 2, 80, 0.006, 0.8, 1);
	PERFORM load_clusters('building', seed + 1000, 10000, 5, 3, 1, 15, 0.1, 1.2, 1);
	ANALYZE cluster;
END $$;

CREATE FUNCTION load_people(scale float8) RETURNS void LANGUAGE sql AS $$
	INSERT INTO customer
	SELECT i, 'Customer#' || lpad(i::text, 9, '0'), md5(i::text), 'REGION ' || n / 5, 'NATION ' || n,
		   to_char(n + 10, 'FM00') || '-' || to_char(uniform(i, 101) * 999, 'FM000') || '-' || to_char(i % 10000, 'FM0000')
	FROM generate_series(1, (30000 * scale)::bigint) i, LATERAL (SELECT floor(25 * uniform(i, 100))::int AS n) x;

	INSERT INTO driver
	SELECT i, 'Driver#' || lpad(i::text, 9, '0'), md5(i::text), 'REGION ' || n / 5, 'NATION ' || n,
		   to_char(n + 10, 'FM00') || '-' || to_char(uniform(i, 111) * 999, 'FM000') || '-' || to_char(i % 10000, 'FM0000')
	FROM generate_series(1, greatest(1, 500 * scale)::bigint) i, LATERAL (SELECT floor(25 * uniform(i, 110))::int AS n) x;

	INSERT INTO vehicle
	SELECT i, 'Manufacturer#' || m, 'Brand#' || m || floor(1 + 5 * uniform(i, 121)), 'TYPE ' || floor(150 * uniform(i, 122)),
		   upper(left(md5(i::text), 8))
	FROM generate_series(1, greatest(1, 100 * scale)::bigint) i, LATERAL (SELECT floor(1 + 5 * uniform(i, 120))::int AS m) x;
$$;

-- Trips from 1992 to 1998.  The quantiles of the distance, in degrees, are those of the sample that the
-- original has in spatialbench/data.
CREATE FUNCTION load_trips(scale float8) RETURNS void LANGUAGE sql AS $$
	INSERT INTO trip
	WITH quantile AS (
		SELECT ARRAY[0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1]::float8[] AS at,
			   ARRAY[0, 0, 0.00336, 0.00941, 0.01396, 0.0184, 0.02316, 0.0286, 0.03548, 0.04562, 0.06823, 0.106,
					 0.21031, 0.25831, 1.06916]::float8[] AS degrees
	), draw AS (
		SELECT i, uniform(i, 210) AS u, width_bucket(uniform(i, 210), at) AS q, at, degrees,
			   width_bucket(uniform(i, 200), (SELECT array_agg(below ORDER BY id) FROM (
					SELECT id, sum(share) OVER (ORDER BY id) - share AS below FROM continent) x)) AS continent,
			   width_bucket(uniform(i, 201), (SELECT array_agg(below ORDER BY id) FROM cluster WHERE of = 'trip')) AS cluster
		FROM generate_series(1, (6000000 * scale)::bigint) i, quantile
	), place AS (
		SELECT i, round((degrees[q] + (degrees[q + 1] - degrees[q]) * (u - at[q]) / (at[q + 1] - at[q]))::numeric,
						8)::float8 AS distance,
			   round((west + width * clamp(x + 0.003 * normal(i, 220)))::numeric, 9)::float8 AS x,
			   round((south + height * clamp(y + 0.003 * normal(i, 230)))::numeric, 9)::float8 AS y,
			   2 * pi() * uniform(i, 240) AS direction,
			   timestamp '1992-01-01' + floor(2557 * 86400 * uniform(i, 250)) * interval '1 second' AS pickup,
			   1.5 + floor(151 * uniform(i, 251)) / 100 AS rate, floor(31 * uniform(i, 252)) / 100 AS tip,
			   1 + floor(greatest(1, 30000 * scale) * uniform(i, 253))::bigint AS customer,
			   1 + floor(greatest(1, 100 * scale) * uniform(i, 254))::bigint AS vehicle
		FROM draw JOIN continent c ON c.id = draw.continent
			 JOIN cluster ON cluster.of = 'trip' AND cluster.id = draw.cluster
	)
	-- a third of the customers makes no trips
	SELECT i, CASE WHEN customer % 3 <> 0 THEN customer
				   WHEN customer < floor(30000 * scale) THEN customer + 1 ELSE customer - 1 END,
		   1 + (vehicle + i) % greatest(1, 100 * scale)::bigint, vehicle, pickup,
		   least(pickup + round(distance * 180000) * interval '1 second', timestamp '1998-12-31 23:59:59'),
		   trunc((distance * rate)::numeric, 2), trunc((distance * rate * tip)::numeric, 2),
		   trunc((distance * rate * (1 + tip))::numeric, 2), trunc(distance::numeric, 2),
		   ST_MakePoint(x, y),
		   ST_MakePoint(round((x + distance * cos(direction))::numeric, 8)::float8,
						round((y + distance * sin(direction))::numeric, 8)::float8)
	FROM place ORDER BY i;
$$;

-- Polygons of 3 to 7 points on an ellipse, as large as a factor of a continent's box.  Points outside of
-- that box are moved to its edge, as in the original.  Where nothing of the polygon would be left, it is
-- moved inside as a whole: the original has invalid polygons there.
CREATE FUNCTION load_buildings(scale float8) RETURNS void LANGUAGE sql AS $$
	INSERT INTO building
	WITH draw AS (
		SELECT i, width_bucket(uniform(i, 200), (SELECT array_agg(below ORDER BY id) FROM (
					SELECT id, sum(share) OVER (ORDER BY id) - share AS below FROM continent) x)) AS continent,
			   width_bucket(uniform(i, 301), (SELECT array_agg(below ORDER BY id) FROM cluster WHERE of = 'building')) AS cluster
		FROM generate_series(1, (20000 * greatest(1, 1 + log(2, greatest(scale, 1)::numeric)))::bigint) i
	), place AS (
		SELECT i, clamp(x + 0.01 * normal(i, 310)) AS x, clamp(y + 0.01 * normal(i, 320)) AS y, west, width, south, height
		FROM draw JOIN continent c ON c.id = draw.continent
			 JOIN cluster ON cluster.of = 'building' AND cluster.id = draw.cluster
	), ring AS (
		SELECT i, inside, array_agg(ST_MakePoint(
					round((west + width * clamp(moved_x + 0.000039 * cos(angle)))::numeric, 9)::float8,
					round((south + height * clamp(moved_y + 0.000039 * sin(angle)))::numeric, 9)::float8)
				ORDER BY angle) AS points
		FROM place,
			 LATERAL (VALUES (false, x, y), (true, greatest(0.000039, least(1 - 0.000039, x)),
											 greatest(0.000039, least(1 - 0.000039, y)))) moved (inside, moved_x, moved_y),
			 generate_series(1, 3 + floor(5 * uniform(i, 330))::int) v,
			 LATERAL (SELECT 2 * pi() * uniform(i * 8 + v, 340) AS angle) a
		GROUP BY i, inside
	), polygon AS (
		SELECT i, inside, ST_MakePolygon(ST_MakeLine(points || points[1])) AS boundary FROM ring
	)
	SELECT DISTINCT ON (i) i, 'color ' || floor(92 * uniform(i, 350)), boundary
	FROM polygon
	WHERE inside OR ST_Area(boundary) > 0 AND ST_IsValid(boundary)
	ORDER BY i, inside;
$$;

-- Zones are drawn about a center, at a radius that varies with the direction: waves of random phase,
-- and a roughness that is less than the distance of neighboring vertices.  So none crosses itself.  Then
-- they are stretched in a random direction, which keeps the area.
--
-- Zone 1 is Coconino County, whose name a query has; the next five are near Sedona, where another one
-- looks for zones.
CREATE FUNCTION load_zones(scale float8) RETURNS void LANGUAGE sql AS $$
	INSERT INTO zone
	WITH kind AS (
		-- the numbers of the zones before and of this subtype
		SELECT *, sum(zones) OVER w - zones AS above, sum(zones) OVER w AS upto, sum(zones) OVER () AS all_zones
		FROM subtype WHERE subtype.scale <= load_zones.scale OR subtype.scale = 0
		WINDOW w AS (ORDER BY subtype.scale, name)
	), draw AS (
		SELECT i, uniform(i, 400) * all_zones AS u,
			   width_bucket(uniform(i, 401), (SELECT array_agg(below ORDER BY id) FROM (
					SELECT id, sum(share) OVER (ORDER BY id) - share AS below FROM continent) x)) AS continent
		FROM generate_series(1, (SELECT ceil(all_zones * least(load_zones.scale, 1))::bigint FROM kind LIMIT 1)) i,
			 (SELECT all_zones FROM kind LIMIT 1) x
	), place AS (
		SELECT i, c.id AS continent, CASE WHEN i = 1 THEN 'county' WHEN i <= 6 THEN 'macrohood' ELSE kind.name END AS subtype,
			   CASE WHEN i = 1 THEN -112.05 WHEN i <= 6 THEN -112.0 + 0.1 * (i - 2) ELSE west + width * uniform(i, 402) END AS x,
			   CASE WHEN i = 1 THEN 35.6 WHEN i <= 6 THEN 34.7 + 0.08 * (i - 2) ELSE south + height * uniform(i, 403) END AS y,
			   CASE WHEN i = 1 THEN 1.2 WHEN i <= 6 THEN 0.12
					ELSE radius * exp(radius_sd * normal(i, 410)) END AS radius,
			   CASE WHEN i = 1 THEN 5000
					ELSE greatest(4, least(50000, vertices * exp(vertices_sd * normal(i, 420))))::int END AS vertices
		FROM draw JOIN kind ON u >= above AND u < upto JOIN continent c ON c.id = draw.continent
	), ring AS (
		SELECT i, points
		FROM place,
			 LATERAL (SELECT CASE WHEN i <= 6 THEN 1 ELSE 1.9 END AS stretch, pi() * uniform(i, 435) AS turn,
							 6 * uniform(i, 431) AS p2, 6 * uniform(i, 432) AS p3, 6 * uniform(i, 433) AS p5,
							 6 * uniform(i, 434) AS p9 OFFSET 0) shape,
			 LATERAL (SELECT stretch * cos(turn) AS xa, sin(turn) / stretch AS xb, stretch * sin(turn) AS ya,
							 cos(turn) / stretch AS yb OFFSET 0) axes,
			 LATERAL (
				SELECT array_agg(ST_MakePoint(x + r * (xa * cos(angle) - xb * sin(angle)),
											  y + r * (ya * cos(angle) + yb * sin(angle)))) AS points
				FROM (SELECT v, 2 * pi() * v / vertices AS angle FROM generate_series(1, vertices) v OFFSET 0) a,
					 LATERAL (SELECT radius * (1 + 0.2 * cos(2 * angle + p2) + 0.15 * cos(3 * angle + p3)
											   + 0.1 * cos(5 * angle + p5) + 0.05 * cos(9 * angle + p9)
											   + 0.02 * (uniform(i * 100000 + v, 440) - 0.5)) AS r OFFSET 0) b
			 ) vertex
	)
	SELECT i, md5(i::text)::uuid, CASE WHEN i <= 6 THEN 'US' ELSE 'C' || continent END,
		   CASE WHEN i <= 6 THEN 'US-AZ' ELSE 'C' || continent || '-' || floor(x / 5) || '-' || floor(y / 5) END,
		   CASE WHEN i = 1 THEN 'Coconino County' ELSE initcap(subtype) || ' ' || i END, subtype,
		   ST_MakePolygon(ST_MakeLine(points || points[1]))
	FROM ring JOIN place USING (i) ORDER BY i;
$$;

CREATE FUNCTION load_base() RETURNS void LANGUAGE plpgsql SET search_path = spatialbench, public AS $$
BEGIN
	PERFORM load_continents();
	INSERT INTO subtype VALUES
		('microhood', 0, 74797, 0.005, 0.6, 40, 0.8),
		('macrohood', 0, 42619, 0.02, 0.6, 60, 0.8),
		('county', 0, 39680, 0.23, 0.6, 1250, 1.0),
		('neighborhood', 10, 298615, 0.01, 0.6, 40, 0.8),
		('localadmin', 100, 19007, 0.1, 0.6, 300, 1.0),
		('locality', 100, 555834, 0.03, 0.8, 100, 1.0),
		('region', 100, 4714, 0.7, 0.6, 2000, 1.2),
		('dependency', 100, 105, 0.3, 1.0, 1000, 1.2),
		('country', 1000, 378, 2.5, 1.0, 10000, 1.2);
	PERFORM load_clusters(1000);
	ANALYZE continent;
END $$;

CREATE FUNCTION load(scale float8) RETURNS void LANGUAGE plpgsql SET search_path = spatialbench, public AS $$
BEGIN
	PERFORM load_base();
	PERFORM load_people(scale);
	PERFORM load_trips(scale);
	PERFORM load_buildings(scale);
	PERFORM load_zones(scale);
END $$;
