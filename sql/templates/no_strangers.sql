-- Raise an error if the extension uses an object that belongs to no extension.  A name is
-- looked up first in the schema of the extension, where others may have created an object of
-- the same name and types, which must not be used instead of the intended one.  Some members of a
-- family can be dropped from it, so their dependencies are automatic.
DO $$
DECLARE
	stranger text;
BEGIN
	SELECT pg_describe_object(used.refclassid, used.refobjid, 0) INTO stranger
	FROM pg_depend AS used
	WHERE (used.deptype = 'n' OR used.deptype = 'a' AND used.classid IN ('pg_amop'::regclass, 'pg_amproc'::regclass))
		AND used.refclassid IN ('pg_type'::regclass, 'pg_proc'::regclass, 'pg_operator'::regclass)
		AND NOT EXISTS (
			SELECT FROM pg_depend AS member
			WHERE (member.classid, member.objid) = (used.refclassid, used.refobjid) AND member.deptype = 'e')
		AND EXISTS (
			SELECT FROM pg_depend AS member JOIN pg_extension AS e ON e.oid = member.refobjid
			WHERE member.refclassid = 'pg_extension'::regclass AND member.deptype = 'e' AND e.extname = '{extension}'
				AND ((member.classid, member.objid) = (used.classid, used.objid)
					OR used.classid = 'pg_amop'::regclass AND member.classid = 'pg_opfamily'::regclass
						AND member.objid = (SELECT amopfamily FROM pg_amop WHERE oid = used.objid)
					OR used.classid = 'pg_amproc'::regclass AND member.classid = 'pg_opfamily'::regclass
						AND member.objid = (SELECT amprocfamily FROM pg_amproc WHERE oid = used.objid)))
	LIMIT 1;
	IF FOUND THEN
		RAISE 'cannot create extension "{extension}": % is in the way', stranger
			USING ERRCODE = 'duplicate_object',
				HINT = 'It would be used in place of one of a required extension.  Drop it, or choose another schema.';
	END IF;
END $$;
