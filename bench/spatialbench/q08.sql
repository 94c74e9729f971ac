-- Number of trips that start within 500 m of each building
SELECT b_buildingkey, b_name, count(*) AS nearby_pickup_count
FROM trip JOIN building ON ST_DWithin(t_pickuploc, b_boundary, 0.0045)
GROUP BY b_buildingkey, b_name
ORDER BY nearby_pickup_count DESC, b_buildingkey;
