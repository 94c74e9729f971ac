-- The trips that start farthest from buildings, by the average distance of the five nearest
SELECT t_tripkey, avg(distance_to_building) AS avg_distance_to_5_nearest
FROM trip
CROSS JOIN LATERAL (
	SELECT t_pickuploc <-> b_boundary AS distance_to_building
	FROM building
	ORDER BY t_pickuploc <-> b_boundary
	LIMIT 5
) AS nearest
GROUP BY t_tripkey
ORDER BY avg_distance_to_5_nearest DESC, t_tripkey
LIMIT 100;
