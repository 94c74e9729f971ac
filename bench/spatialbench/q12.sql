-- The five buildings nearest to where each trip starts
SELECT t_tripkey, t_pickuploc, b_buildingkey, building_name, distance_to_building
FROM trip
CROSS JOIN LATERAL (
	SELECT b_buildingkey, b_name AS building_name, ST_Distance(t_pickuploc, b_boundary) AS distance_to_building
	FROM building
	ORDER BY t_pickuploc <-> b_boundary
	LIMIT 5
) AS nearest
ORDER BY distance_to_building, b_buildingkey;
