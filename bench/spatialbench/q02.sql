-- Number of trips that start in a county
SELECT count(*) AS trip_count_in_coconino_county
FROM trip
WHERE ST_Intersects(t_pickuploc, (SELECT z_boundary FROM zone WHERE z_name = 'Coconino County' LIMIT 1));
