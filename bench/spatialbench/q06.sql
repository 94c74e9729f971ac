-- Trips of the zones that intersect a square about Sedona
SELECT z_zonekey, z_name, count(t_tripkey) AS total_pickups, avg(t_distance) AS avg_distance,
	   avg(t_dropofftime - t_pickuptime) AS avg_duration
FROM trip, zone
WHERE ST_Intersects(ST_MakeEnvelope(-112.2110, 34.4197, -111.3110, 35.3197), z_boundary)
	AND ST_Within(t_pickuploc, z_boundary)
GROUP BY z_zonekey, z_name
ORDER BY total_pickups DESC, z_zonekey;
