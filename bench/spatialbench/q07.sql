-- The trips whose reported distance is largest by the distance of their ends
WITH trip_lengths AS (
	SELECT t_tripkey, t_distance AS reported_distance_m,
		   ST_Length(ST_MakeLine(t_pickuploc, t_dropoffloc)) / 0.000009 AS line_distance_m
	FROM trip
)
SELECT t_tripkey, reported_distance_m, line_distance_m,
	   reported_distance_m / nullif(line_distance_m, 0) AS detour_ratio
FROM trip_lengths
ORDER BY detour_ratio DESC NULLS LAST, reported_distance_m DESC, t_tripkey
LIMIT 100;
