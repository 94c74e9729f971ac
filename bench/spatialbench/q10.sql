-- The zones whose trips take longest
SELECT z_zonekey, z_name AS pickup_zone, avg(t_dropofftime - t_pickuptime) AS avg_duration,
	   avg(t_distance) AS avg_distance, count(t_tripkey) AS num_trips
FROM zone LEFT JOIN trip ON ST_Within(t_pickuploc, z_boundary)
GROUP BY z_zonekey, z_name
ORDER BY avg_duration DESC NULLS LAST, z_zonekey
LIMIT 100;
