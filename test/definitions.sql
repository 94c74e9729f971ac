-- The objects of spqtree and its companions with their definitions and comments, one line each, for the files
-- catalog of the regression tests.  Where versions of PostgreSQL differ, nothing is said: about the
-- bodies of functions in SQL, which they print differently, about the array types and row
-- types that some of them count among the objects, and about the class of a type of 19.
CREATE VIEW definition AS
WITH member AS (
  SELECT extname, classid, objid
  FROM pg_depend JOIN pg_extension e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
  WHERE deptype = 'e' AND extname LIKE 'spqtree%'
    AND NOT (classid = 'pg_type'::regclass
             AND objid IN (SELECT typarray FROM pg_type UNION ALL SELECT oid FROM pg_type WHERE typrelid <> 0))
    AND NOT (classid IN ('pg_opclass'::regclass, 'pg_opfamily'::regclass)
             AND pg_describe_object(classid, objid, 0) ~ '\moid8_ops\M')
), family AS (
  SELECT extname, f.oid, format('%s of %s', opfname, amname) AS name
  FROM member JOIN pg_opfamily f ON classid = 'pg_opfamily'::regclass AND objid = f.oid JOIN pg_am a ON a.oid = opfmethod
), described AS MATERIALIZED (
  SELECT classid, objid,
         regexp_replace(regexp_replace(regexp_replace(pg_get_functiondef(oid), '^CREATE OR REPLACE FUNCTION \w+\.|\n(BEGIN ATOMIC|RETURN ).*|\n$', '', 'g'),
                                       '\$function\$', '''', 'g'), '\s+', ' ', 'g')
           || CASE WHEN NOT has_function_privilege('public', oid, 'execute') THEN ', not for everybody' ELSE '' END AS definition
  FROM member JOIN pg_proc ON classid = 'pg_proc'::regclass AND objid = oid AND prokind = 'f'
UNION ALL
  SELECT classid, objid, concat_ws(', ', aggtransfn, aggcombinefn, aggtranstype::regtype, format('parallel %s', proparallel))
  FROM member JOIN pg_proc ON classid = 'pg_proc'::regclass AND objid = oid JOIN pg_aggregate ON aggfnoid = oid
UNION ALL
  SELECT classid, objid,
         concat_ws(', ', oprcode::regprocedure, 'returns ' || oprresult::regtype, 'commutator ' || nullif(oprcom, 0)::regoperator,
                   'negator ' || nullif(oprnegate, 0)::regoperator, nullif(oprrest, 0)::regproc, nullif(oprjoin, 0)::regproc,
                   CASE WHEN oprcanhash THEN 'hashes' END, CASE WHEN oprcanmerge THEN 'merges' END)
  FROM member JOIN pg_operator ON classid = 'pg_operator'::regclass AND objid = oid
UNION ALL
  SELECT classid, objid,
         concat_ws(', ', typinput::regproc, typoutput::regproc, nullif(typreceive, 0)::regproc, nullif(typsend, 0)::regproc,
                   nullif(typsubscript, 0)::regproc, 'elements ' || nullif(typelem, 0)::regtype, 'length ' || typlen,
                   format('alignment %s, storage %s, category %s', typalign, typstorage, typcategory))
  FROM member JOIN pg_type ON classid = 'pg_type'::regclass AND objid = oid
UNION ALL
  SELECT classid, objid, concat_ws(', ', castfunc::regprocedure, castcontext)
  FROM member JOIN pg_cast c ON classid = 'pg_cast'::regclass AND objid = c.oid
UNION ALL
  SELECT classid, objid,
         concat_ws(', ', opcintype::regtype, 'family ' || opfname, 'storage ' || nullif(opckeytype, 0)::regtype, CASE WHEN opcdefault THEN 'default' END)
  FROM member JOIN pg_opclass c ON classid = 'pg_opclass'::regclass AND objid = c.oid JOIN pg_opfamily f ON f.oid = opcfamily
UNION ALL
  SELECT classid, objid, concat_ws(', ', amhandler, amtype)
  FROM member JOIN pg_am ON classid = 'pg_am'::regclass AND objid = oid
UNION ALL
  SELECT classid, objid, string_agg(attname || ' ' || atttypid::regtype, ', ' ORDER BY attnum)
  FROM member JOIN pg_attribute ON classid = 'pg_class'::regclass AND objid = attrelid AND attnum > 0
  GROUP BY 1, 2
)
SELECT extname, pg_describe_object(classid, objid, 0) COLLATE "C" AS object, definition,
       obj_description(objid, classid::regclass::name) AS comment
FROM member LEFT JOIN described USING (classid, objid)
UNION ALL
SELECT extname, format('operator %s of %s', lpad(amopstrategy::text, 3), name),
       concat_ws(' ', amopopr::regoperator, 'order by ' || opfname), NULL
FROM family JOIN pg_amop ON amopfamily = family.oid LEFT JOIN pg_opfamily f ON f.oid = amopsortfamily
UNION ALL
SELECT extname, format('function %s of %s', amprocnum, name),
       format('%s for %s, %s', amproc::regprocedure, amproclefttype::regtype, amprocrighttype::regtype), NULL
FROM family JOIN pg_amproc ON amprocfamily = family.oid
UNION ALL
-- operators of PostgreSQL with a commutator of the extension
SELECT extname, format('operator %s of PostgreSQL', o.oid::regoperator), 'commutator ' || oprcom::regoperator, NULL
FROM member JOIN pg_operator o ON classid = 'pg_operator'::regclass AND objid = oprcom AND o.oid < 16384;
