--
-- Casts between box3 and cube, of extension spqtree_cube.
--
\set VERBOSITY terse
CREATE SCHEMA solid_cube;
CREATE EXTENSION cube SCHEMA solid_cube;
-- the error of an index says what is missing
CREATE EXTENSION earthdistance SCHEMA solid_cube;
CREATE TABLE solid_indexed (c solid_cube.cube, e solid_cube.earth);
\set VERBOSITY default
CREATE INDEX ON solid_indexed USING spqtree (c);
CREATE INDEX ON solid_indexed USING spqtree (e);
\set VERBOSITY terse
-- what others have put into the extension's schema does not get into the extension
CREATE SCHEMA solid_taken;
CREATE OPERATOR solid_taken.&& (LEFTARG = solid_cube.cube, RIGHTARG = solid_cube.cube, FUNCTION = solid_cube.cube_overlap);
CREATE EXTENSION spqtree_cube SCHEMA solid_taken;
DROP OPERATOR solid_taken.&& (solid_cube.cube, solid_cube.cube);
DROP SCHEMA solid_taken;
CREATE EXTENSION spqtree_cube;
CREATE INDEX ON solid_indexed USING spqtree (c);
CREATE INDEX ON solid_indexed USING spqtree (e);
DROP TABLE solid_indexed;
DROP EXTENSION earthdistance;
-- the functions do not depend on the search path
SELECT c, c::box3 FROM unnest('{"(1,2,3),(6,5,4)","(1,2,3)","(1,2),(0,5)","(1),(2)","()","(NaN,1,inf),(0,-inf,2)","(-0,1e300,1e-300),(1,2,3)"}'::solid_cube.cube[]) c;
SELECT solid_cube.cube(ARRAY[1, 2, 3, 4])::box3;
SELECT b, b::solid_cube.cube, b::solid_cube.cube::box3 = b AS back FROM unnest('{"(1,2,3),(6,5,4)","(1,2,3),(1,2,3)","(NaN,1,inf),(0,-inf,2)","(0.1,1e300,1e-300),(1,2,3)"}'::box3[]) b;
-- in assignments
CREATE TABLE solid_cubes (c solid_cube.cube, b box3);
INSERT INTO solid_cubes (c, b) SELECT box3 '(1,2,3),(4,5,6)', solid_cube.cube(ARRAY[1, 2, 3], ARRAY[4, 5, 7]);
TABLE solid_cubes;
-- both types compare alike
SELECT count(*) > 100 AS some, count(*) FILTER (WHERE (a && b) <> (a::solid_cube.cube OPERATOR(solid_cube.&&) b::solid_cube.cube)) AS differ,
       count(*) FILTER (WHERE (a @> b) <> (a::solid_cube.cube OPERATOR(solid_cube.@>) b::solid_cube.cube)) AS differ,
       count(*) FILTER (WHERE abs((a <-> b) - (a::solid_cube.cube OPERATOR(solid_cube.<->) b::solid_cube.cube)) > 1e-9) AS differ
FROM (SELECT box3(i % 7, i % 11, i % 5, i % 7 + i % 3, i % 11 + i % 2, i % 5 + i % 4) AS a FROM generate_series(1, 200) i) v,
     (SELECT box3(i % 5, i % 9, i % 8, i % 5 + i % 4, i % 9 + i % 3, i % 8 + i % 2) AS b FROM generate_series(1, 200) i) w;
-- another schema
CREATE SCHEMA "solid Elsewhere";
ALTER EXTENSION spqtree_cube SET SCHEMA "solid Elsewhere";
SELECT b::solid_cube.cube::box3 FROM solid_cubes;
DROP EXTENSION cube;
DROP TABLE solid_cubes;
DROP EXTENSION spqtree_cube;
DROP EXTENSION cube;
DROP SCHEMA solid_cube, "solid Elsewhere";
