-- The buildings with the most trips that start within 0.0045 degrees (500 m)
SELECT b_buildingkey, b_name, count(*) AS nearby_pickup_count
FROM trip JOIN building ON ST_DWithin(t_pickuploc, b_boundary, 0.0045)
GROUP BY b_buildingkey, b_name
ORDER BY nearby_pickup_count DESC, b_buildingkey
LIMIT 100;
