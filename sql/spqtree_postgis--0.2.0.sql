\echo Use "CREATE EXTENSION spqtree_postgis" to load this file. \quit

-- The bodies are parsed here, so they do not depend on anybody's search path.

CREATE FUNCTION box3(box3d)
RETURNS box3
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN box3(ST_XMin($1), ST_YMin($1), ST_ZMin($1), ST_XMax($1), ST_YMax($1), ST_ZMax($1));

COMMENT ON FUNCTION box3(box3d)
IS 'box of a box of PostGIS';

CREATE FUNCTION box3d(box3)
RETURNS box3d
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ST_3DMakeBox(ST_MakePoint(x(low($1)), y(low($1)), z(low($1))), ST_MakePoint(x(high($1)), y(high($1)), z(high($1))));

COMMENT ON FUNCTION box3d(box3)
IS 'box of PostGIS';

CREATE CAST (box3d AS box3) WITH FUNCTION box3(box3d) AS ASSIGNMENT;
CREATE CAST (box3 AS box3d) WITH FUNCTION box3d(box3) AS ASSIGNMENT;

COMMENT ON CAST (box3d AS box3)
IS 'without SRID';
COMMENT ON CAST (box3 AS box3d)
IS 'without SRID';
