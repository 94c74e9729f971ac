-- The planner inlines the bodies, so that a join node recognizes its own boxes in
-- spqtree_pair_part, and postgres_fdw ships only functions in C.
CREATE FUNCTION spqtree_parts({type}, spqtree_partitioning)
RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spqtree_parts(spqtree_bounds($1), $2);

COMMENT ON FUNCTION spqtree_parts({type}, spqtree_partitioning)
IS 'parts that the box of a {type} touches; part 0 if there are too many or none';

CREATE FUNCTION spqtree_window_parts({type}, spqtree_partitioning)
RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spqtree_window_parts(spqtree_bounds($1), $2);

COMMENT ON FUNCTION spqtree_window_parts({type}, spqtree_partitioning)
IS 'parts that may contain values whose boxes overlap the box of a {type}';

CREATE FUNCTION spqtree_pair_part({type}, {type}, spqtree_partitioning)
RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spqtree_pair_part(spqtree_bounds($1), spqtree_bounds($2), $3);

COMMENT ON FUNCTION spqtree_pair_part({type}, {type}, spqtree_partitioning)
IS 'part that owns a pair; the boxes of both touch it if they overlap';
