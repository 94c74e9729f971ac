-- A condition implied by another one.
CREATE FUNCTION {function}
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN {body};

COMMENT ON FUNCTION {function}
IS 'implied by {condition}';
