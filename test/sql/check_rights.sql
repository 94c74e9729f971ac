-- spqtree_check calls the functions of an index as the owner of the table: what these
-- call does not depend on the search_path of who checks it.
CREATE ROLE checkr_owner;
CREATE ROLE checkr_checker;
CREATE SCHEMA checkr AUTHORIZATION checkr_owner;
CREATE SCHEMA checkr_mine AUTHORIZATION checkr_checker;
GRANT USAGE ON SCHEMA checkr TO checkr_checker;
GRANT EXECUTE ON FUNCTION spqtree_check(regclass, boolean) TO checkr_checker;
SELECT extnamespace::regnamespace::text AS schema FROM pg_extension WHERE extname = 'spqtree' \gset
SET ROLE checkr_owner;
CREATE FUNCTION checkr.around(point) RETURNS box IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	RETURN bound_box(box($1), box($1));
END $$;
CREATE TABLE checkr.t (p point);
CREATE INDEX t_around ON checkr.t USING spqtree (checkr.around(p));
CREATE INDEX t_quadtree ON checkr.t USING spgist (checkr.around(p) :schema.spqtree_box_ops);
INSERT INTO checkr.t SELECT point(i, i) FROM generate_series(1, 3) i;
SET ROLE checkr_checker;
GRANT USAGE ON SCHEMA checkr_mine TO PUBLIC;
CREATE FUNCTION checkr_mine.bound_box(box, box) RETURNS box IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	RAISE NOTICE 'the function of checkr_checker is called by %', current_user;
	RETURN $1;
END $$;
SET search_path = checkr_mine, pg_catalog;
SELECT * FROM :schema.spqtree_check('checkr.t_around', true);
SELECT * FROM :schema.spqtree_check('checkr.t_quadtree', true);
SELECT current_user, current_setting('search_path');
RESET search_path;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION spqtree_check(regclass, boolean) FROM checkr_checker;
SET client_min_messages = warning;
DROP SCHEMA checkr, checkr_mine CASCADE;
DROP ROLE checkr_owner, checkr_checker;
