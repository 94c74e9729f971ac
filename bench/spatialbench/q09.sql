-- The pairs of buildings that overlap most
WITH pairs AS (
	SELECT b1.b_buildingkey AS building_1, b2.b_buildingkey AS building_2,
		   ST_Area(b1.b_boundary) AS area1, ST_Area(b2.b_boundary) AS area2,
		   ST_Area(ST_Intersection(b1.b_boundary, b2.b_boundary)) AS overlap_area
	FROM building b1
	JOIN building b2 ON b1.b_buildingkey < b2.b_buildingkey AND ST_Intersects(b1.b_boundary, b2.b_boundary)
)
SELECT building_1, building_2, area1, area2, overlap_area,
	   CASE WHEN area1 + area2 - overlap_area = 0 THEN 1.0
			ELSE overlap_area / (area1 + area2 - overlap_area)
	   END AS iou
FROM pairs
ORDER BY iou DESC, building_1, building_2
LIMIT 100;
