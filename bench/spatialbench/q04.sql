-- Zones in which the 1000 trips with the highest tips start
SELECT z_zonekey, z_name, count(*) AS trip_count
FROM zone
JOIN (SELECT t_pickuploc FROM trip ORDER BY t_tip DESC, t_tripkey LIMIT 1000) AS top_trips
	ON ST_Within(t_pickuploc, z_boundary)
GROUP BY z_zonekey, z_name
ORDER BY trip_count DESC, z_zonekey;
