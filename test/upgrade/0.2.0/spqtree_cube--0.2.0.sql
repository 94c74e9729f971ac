\echo Use "CREATE EXTENSION spqtree_cube" to load this file. \quit

-- The bodies are parsed here, so they do not depend on anybody's search path.

-- A cube has its corners as they were given, and -> takes them one after the other;
-- what it does not have is 0, as in its own operators.  The text of a cube of more than
-- three dimensions is not that of a box3, which is the error wanted.
CREATE FUNCTION box3(cube)
RETURNS box3
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE cube_dim($1)
	WHEN 3 THEN box3($1 -> 1, $1 -> 2, $1 -> 3, $1 -> 4, $1 -> 5, $1 -> 6)
	WHEN 2 THEN box3($1 -> 1, $1 -> 2, 0, $1 -> 3, $1 -> 4, 0)
	WHEN 1 THEN box3($1 -> 1, 0, 0, $1 -> 2, 0, 0)
	WHEN 0 THEN box3(0, 0, 0, 0, 0, 0)
	ELSE CAST(CAST($1 AS text) AS box3) END;

COMMENT ON FUNCTION box3(cube)
IS 'box of a cube of at most three dimensions';

CREATE FUNCTION cube(box3)
RETURNS cube
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN cube(ARRAY[x(low($1)), y(low($1)), z(low($1))], ARRAY[x(high($1)), y(high($1)), z(high($1))]);

COMMENT ON FUNCTION cube(box3)
IS 'cube of three dimensions';

CREATE CAST (cube AS box3) WITH FUNCTION box3(cube) AS ASSIGNMENT;
CREATE CAST (box3 AS cube) WITH FUNCTION cube(box3) AS ASSIGNMENT;

COMMENT ON CAST (cube AS box3)
IS 'of at most three dimensions';
COMMENT ON CAST (box3 AS cube)
IS 'of three dimensions';
