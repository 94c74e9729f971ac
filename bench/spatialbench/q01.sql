-- The 100 trips that start nearest to the center of Sedona, of those within 0.45 degrees (50 km)
SELECT t_tripkey, ST_X(t_pickuploc) AS pickup_lon, ST_Y(t_pickuploc) AS pickup_lat, t_pickuptime,
	   ST_Distance(t_pickuploc, ST_Point(-111.7610, 34.8697)) AS distance_to_center
FROM trip
WHERE ST_DWithin(t_pickuploc, ST_Point(-111.7610, 34.8697), 0.45)
ORDER BY distance_to_center, t_tripkey
LIMIT 100;
