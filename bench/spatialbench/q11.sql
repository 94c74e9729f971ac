-- Number of trips between different zones
SELECT count(*) AS cross_zone_trip_count
FROM trip
JOIN zone pickup_zone ON ST_Within(t_pickuploc, pickup_zone.z_boundary)
JOIN zone dropoff_zone ON ST_Within(t_dropoffloc, dropoff_zone.z_boundary)
WHERE pickup_zone.z_zonekey <> dropoff_zone.z_zonekey;
