\echo Use "ALTER EXTENSION spqtree_cube UPDATE" to load this file. \quit

--
-- From 0.2.0 to 1.0.0: comments.
--

COMMENT ON FUNCTION box3(cube)
IS 'convert cube of at most three dimensions to box3';
COMMENT ON FUNCTION cube(box3)
IS 'convert box3 to cube';
COMMENT ON CAST (cube AS box3)
IS 'for cubes of at most three dimensions';
COMMENT ON CAST (box3 AS cube)
IS 'to a cube of three dimensions';

COMMENT ON EXTENSION spqtree_cube
IS 'casts between box3 of spqtree and cube';
