-- Trips that start within 50 km of the center of Sedona, nearest first
SELECT t_tripkey, ST_X(t_pickuploc) AS pickup_lon, ST_Y(t_pickuploc) AS pickup_lat, t_pickuptime,
	   ST_Distance(t_pickuploc, ST_Point(-111.7610, 34.8697)) AS distance_to_center
FROM trip
WHERE ST_DWithin(t_pickuploc, ST_Point(-111.7610, 34.8697), 0.45)
ORDER BY distance_to_center, t_tripkey;
