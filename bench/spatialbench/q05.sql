-- The largest convex hulls of the destinations of a customer in a month, of those with more than five trips
SELECT c_custkey, c_name AS customer_name, date_trunc('month', t_pickuptime) AS pickup_month,
	   ST_Area(ST_ConvexHull(ST_Collect(t_dropoffloc))) AS monthly_travel_hull_area, count(*) AS dropoff_count
FROM trip JOIN customer ON t_custkey = c_custkey
GROUP BY c_custkey, c_name, pickup_month
HAVING count(*) > 5
ORDER BY monthly_travel_hull_area DESC, c_custkey, pickup_month
LIMIT 100;
