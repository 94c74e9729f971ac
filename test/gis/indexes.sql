-- Where the database has the access method spqtree, makes the indexes of geometries that
-- tests create by GiST or SP-GiST in spqtree instead.  Only those of the default classes:
-- the other classes, geographies and BRIN have no counterpart.
--
-- An event trigger knows the class of a column, whatever the text of the test is.  It
-- names each index and its access method in the server's log, for test/gis/plans.

CREATE FUNCTION spqtree_gis_index() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
	made record;
BEGIN
	FOR made IN
		SELECT c.oid::regclass AS name, c.relname, a.amname, pg_get_indexdef(c.oid) AS definition
		FROM pg_event_trigger_ddl_commands() AS d
		JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
		JOIN pg_index AS i ON i.indexrelid = c.oid
		JOIN pg_am AS a ON a.oid = c.relam
		JOIN pg_opclass AS o ON o.oid = i.indclass[0]
		JOIN pg_type AS t ON t.oid = o.opcintype
		WHERE i.indnatts = 1 AND t.typname = 'geometry' AND o.opcdefault
		AND a.amname IN ('gist', 'spgist', 'spqtree')
	LOOP
		IF made.amname <> 'spqtree' AND EXISTS (SELECT FROM pg_am WHERE amname = 'spqtree') THEN
			EXECUTE format('DROP INDEX %s', made.name);
			-- This calls the trigger again.
			EXECUTE regexp_replace(made.definition, ' USING (gist|spgist) ', ' USING spqtree ');
		ELSE
			RAISE LOG 'geometry index % %', made.relname, made.amname;
		END IF;
	END LOOP;
END $$;

CREATE EVENT TRIGGER spqtree_gis_index ON ddl_command_end
WHEN TAG IN ('CREATE INDEX')
EXECUTE FUNCTION spqtree_gis_index();
