-- Trips of each month within 5 km of a square about Sedona
SELECT date_trunc('month', t_pickuptime) AS pickup_month, count(t_tripkey) AS total_trips,
	   avg(t_distance) AS avg_distance, avg(t_dropofftime - t_pickuptime) AS avg_duration, avg(t_fare) AS avg_fare
FROM trip
WHERE ST_DWithin(t_pickuploc, ST_MakeEnvelope(-111.9060, 34.7347, -111.6160, 35.0047), 0.045)
GROUP BY pickup_month
ORDER BY pickup_month;
