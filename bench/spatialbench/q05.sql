-- Convex hull of the destinations of each customer and month
SELECT c_custkey, c_name AS customer_name, date_trunc('month', t_pickuptime) AS pickup_month,
	   ST_Area(ST_ConvexHull(ST_Collect(t_dropoffloc))) AS monthly_travel_hull_area
FROM trip JOIN customer ON t_custkey = c_custkey
GROUP BY c_custkey, c_name, pickup_month
HAVING count(*) > 5
ORDER BY count(*) DESC, c_custkey;
