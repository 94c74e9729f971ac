--
-- The objects of the extension in the catalogs, with all their properties.
--
CREATE VIEW catalog_object AS
SELECT classid, objid FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'spqtree');
CREATE VIEW catalog_function AS
SELECT p.*, p.oid::regprocedure::text COLLATE "C" AS signature, 'internal'::regtype = ANY (proargtypes::oid[]) AS internal
FROM pg_proc p JOIN catalog_object o ON o.classid = 'pg_proc'::regclass AND o.objid = p.oid;
CREATE VIEW catalog_operator AS
SELECT a.*, o.oprname, o.oprleft, o.oprright, o.oprcom, o.oprnegate, o.oprrest, o.oprjoin, o.oprcode, o.oprresult
FROM pg_amop a JOIN pg_operator o ON o.oid = amopopr
WHERE amopfamily = (SELECT opcfamily FROM pg_opclass WHERE opcname = 'spqtree_box_ops');

-- All objects, with their definitions and comments.  Each has a comment.
\getenv abs_srcdir PG_ABS_SRCDIR
\set ECHO none
\i :abs_srcdir/definitions.sql
\set ECHO all
\pset format unaligned
\pset tuples_only on
SELECT concat_ws(': ', object, definition, comment) FROM definition WHERE extname = 'spqtree' ORDER BY object, definition;
\pset format aligned
\pset tuples_only off
SELECT pg_describe_object(classid, objid, 0) AS "without a comment" FROM catalog_object
WHERE obj_description(objid, classid::regclass::name) IS NULL
  AND NOT (classid = 'pg_type'::regclass AND objid IN (SELECT typarray FROM pg_type UNION ALL SELECT oid FROM pg_type WHERE typrelid <> 0));
SELECT obj_description(oid, 'pg_extension') IS NOT NULL AS comment FROM pg_extension WHERE extname = 'spqtree';
-- Nothing else refers to the library or has its name.
SELECT p.oid::regprocedure FROM pg_proc p
WHERE (probin LIKE '%spqtree%' OR prosrc ~ '^spq_' OR proname ~ '^_?spqtree') AND oid NOT IN (SELECT oid FROM catalog_function);
SELECT relname FROM pg_class WHERE relname ~ '^spqtree';
SELECT typname FROM pg_type WHERE typname ~ '^_?spqtree';
-- All objects are in the extension's schema, and their names have its prefix, but for the
-- operator class of its own access method, and types of three dimensions and what takes them.
SELECT pg_describe_object(classid, objid, 0) AS elsewhere
FROM catalog_object, LATERAL pg_identify_object(classid, objid, 0) i
WHERE split_part(i.identity, '.', 1) <> (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'spqtree')
  AND i.identity !~ format('^(%s\.)?spqtree(_|$)', (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'spqtree'))
  AND i.identity !~ '(point|box|lseg|sphere|ray|frustum)3';
SELECT proname FROM catalog_function WHERE proname !~ '^_?spqtree_' AND signature !~ '(point|box|lseg|sphere|ray|frustum)3'
UNION ALL SELECT opcname FROM pg_opclass WHERE oid IN (SELECT objid FROM catalog_object WHERE classid = 'pg_opclass'::regclass) AND opcname !~ '^(spqtree_|(point|box|lseg|sphere|ray|frustum)3_ops$)'
  AND opcmethod <> (SELECT oid FROM pg_am WHERE amname = 'spqtree')
UNION ALL SELECT opfname FROM pg_opfamily WHERE oid IN (SELECT objid FROM catalog_object WHERE classid = 'pg_opfamily'::regclass) AND opfname !~ '^(spqtree_|(point|box|lseg|sphere|ray|frustum)3_ops$)'
  AND opfmethod <> (SELECT oid FROM pg_am WHERE amname = 'spqtree');

-- What begins with the prefix is for users, who find each of these functions in the reference, and no
-- other one there.  (spqtree_postgis has those of PostGIS' types: its test compares both.)  The
-- rest begins with an underscore.
\set reference `cat "$PG_ABS_SRCDIR/../docs/reference.md"`
CREATE VIEW reference_function AS SELECT DISTINCT (regexp_matches(:'reference', '`(spqtree_\w+)\(', 'g'))[1] COLLATE "C" AS name;
SELECT DISTINCT proname AS "not in the reference" FROM catalog_function WHERE proname ~ '^spqtree_' AND proname NOT IN (SELECT name FROM reference_function);
SELECT name AS "only in the reference" FROM reference_function
WHERE name NOT IN (SELECT proname FROM catalog_function) AND name !~ '^spqtree_bounds3?$';
SELECT count(*) < 100 AS "few enough to look through", count(DISTINCT proname) > 20 AS some FROM catalog_function WHERE proname ~ '^spqtree_';
DROP VIEW reference_function;

-- Each function has its own symbol in the library.
SELECT signature, prosrc FROM catalog_function WHERE prolang = (SELECT oid FROM pg_language WHERE lanname = 'c') AND prosrc !~ '^spq_';
SELECT prosrc FROM catalog_function WHERE probin IS NOT NULL GROUP BY prosrc HAVING count(*) > 1;
-- The body of each SQL function was parsed by CREATE EXTENSION, so it does not
-- depend on the search path; otherwise the function would have to set one.
SELECT signature FROM catalog_function WHERE prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql') AND prosqlbody IS NULL AND proconfig IS NULL;
SELECT count(*) > 0 AS "some in SQL" FROM catalog_function WHERE prosqlbody IS NOT NULL;

-- Privileges: a superuser owns the functions; everybody may call all but one.
SELECT bool_and(rolsuper) AS superuser FROM catalog_function JOIN pg_roles r ON r.oid = proowner;
SELECT CASE grantee WHEN 0 THEN 'everybody' ELSE 'the owner' END AS "may execute", count(*),
       CASE WHEN count(*) < 3 THEN string_agg(signature, ', ' ORDER BY signature) END AS functions
FROM catalog_function, LATERAL (SELECT min(grantee) AS grantee FROM aclexplode(coalesce(proacl, acldefault('f', proowner)))) a
GROUP BY 1 ORDER BY 1;

-- The operator class.
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname = 'spqtree_box_ops';
-- Each member is registered for the types of its operator.  Search operators are
-- boolean and have a selectivity estimator, without which the planner does not use
-- an index; ordering operators return float8.  All are PostgreSQL's own.
SELECT amopopr::regoperator FROM catalog_operator
WHERE amoplefttype <> oprleft OR amoprighttype <> oprright OR amopopr >= 16384
   OR oprresult <> CASE amoppurpose WHEN 's' THEN 'boolean'::regtype ELSE 'float8'::regtype END
   OR (amoppurpose = 's' AND oprrest = 0);
-- A condition that the planner commutes still fits the index.  No operator has a
-- negator, which an index could not search for.
SELECT amopopr::regoperator AS operator, oprcom::regoperator AS commutator,
       oprcom IN (SELECT amopopr FROM catalog_operator) AS member
FROM catalog_operator WHERE oprcom <> 0 ORDER BY amopstrategy;
SELECT amopopr::regoperator FROM catalog_operator WHERE oprnegate <> 0;
-- All operators of PostgreSQL's own class for boxes, with the same strategy numbers.
SELECT amopstrategy, amopopr::regoperator FROM pg_amop
WHERE amopfamily = (SELECT opcfamily FROM pg_opclass WHERE opcname = 'box_ops' AND opcmethod = (SELECT oid FROM pg_am WHERE amname = 'spgist'))
EXCEPT SELECT amopstrategy, amopopr::regoperator FROM catalog_operator;

-- The access method, and its class, which is the default one: the same operators with
-- the same numbers as the quadtree's, and those with other shapes.
SELECT prop, pg_indexam_has_property(oid, prop) AS has
FROM pg_am, unnest('{can_order,can_unique,can_multi_col,can_exclude,can_include}'::text[]) prop WHERE amname = 'spqtree';
SELECT opcname FROM pg_opclass WHERE opcmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree') AND NOT amvalidate(oid);
WITH rtree AS (SELECT amopstrategy, amopopr, amoppurpose, amopsortfamily, amoplefttype, amoprighttype FROM pg_amop
               WHERE amopfamily = (SELECT oid FROM pg_opfamily WHERE opfname = 'box_ops' AND opfmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree'))),
     plain AS (SELECT amopstrategy, amopopr, amoppurpose, amopsortfamily, amoplefttype, amoprighttype FROM catalog_operator)
SELECT (SELECT count(*) FROM rtree) AS operators,
       (SELECT count(*) FROM (TABLE rtree EXCEPT TABLE plain) x) + (SELECT count(*) FROM (TABLE plain EXCEPT TABLE rtree) y) AS "not the same";
-- The classes for other types; they have all operators that PostgreSQL has in an index of these types.
SELECT amname, amopopr::regoperator FROM pg_amop a JOIN pg_am m ON m.oid = amopmethod
WHERE amname IN ('gist', 'spgist') AND amoplefttype IN ('point'::regtype, 'circle'::regtype, 'polygon'::regtype, 'lseg'::regtype, 'path'::regtype)
  AND NOT EXISTS (SELECT FROM pg_amop o WHERE o.amopopr = a.amopopr AND o.amoppurpose = a.amoppurpose AND o.amopmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree'));

-- The operators that the types know (src/types) against the catalog.  Their functions
-- exist, with these arguments, and no two rows have the same one.
CREATE FUNCTION type_operators(OUT function oid, OUT symbol text, OUT strategy int, OUT relation int, OUT left_type text, OUT right_type text)
RETURNS SETOF record AS '$libdir/spqtree', 'spq_type_operator_rows' LANGUAGE C;
CREATE VIEW known_operator AS
SELECT p.oid AS function, t.strategy, relation, left_type, right_type, symbol, p.proargtypes
FROM type_operators() t LEFT JOIN pg_proc p ON p.oid = t.function OR p.prosrc = symbol AND p.oid >= 16384;
SELECT count(*) > 110 AS rows, count(function) = count(DISTINCT function) AS "one for each function",
       bool_and(proargtypes[0]::regtype::text = left_type AND proargtypes[1]::regtype::text = right_type) AS "of these types"
FROM known_operator;
SELECT * FROM known_operator WHERE function IS NULL;
-- Operators of the classes for these types that have no row: joins use none of them.
CREATE VIEW class_operator AS
SELECT a.amopopr, a.amopstrategy, oprcode, oprcom, amoppurpose, amoplefttype::regtype::text AS left_type, amoprighttype::regtype::text AS right_type
FROM pg_amop a JOIN pg_operator o ON o.oid = amopopr
WHERE amopmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree')
  AND amoplefttype::regtype::text IN (SELECT left_type FROM known_operator);
SELECT amopopr::regoperator AS "without a row" FROM class_operator c
WHERE NOT EXISTS (SELECT FROM known_operator k WHERE (k.function, k.strategy, k.left_type, k.right_type) = (c.oprcode, c.amopstrategy, c.left_type, c.right_type)
                  AND (k.relation = 0) = (c.amoppurpose = 'o'))
ORDER BY amopopr::regoperator::text COLLATE "C";
-- Rows that no class has.
SELECT function::regprocedure AS "in no class" FROM known_operator k
WHERE strategy > 0
  AND NOT EXISTS (SELECT FROM class_operator c WHERE (k.function, k.strategy, k.left_type, k.right_type) = (c.oprcode, c.amopstrategy, c.left_type, c.right_type));
-- A strategy number below 20 is that of the row's relation, but for points.
SELECT amopopr::regoperator AS operator, amopstrategy AS class, relation
FROM class_operator c JOIN known_operator ON oprcode = function AND strategy = amopstrategy
WHERE amopstrategy < 20 AND amoppurpose = 's' AND relation <> amopstrategy
ORDER BY amopopr::regoperator::text COLLATE "C";
-- Rows without a class, nor are their commutators in one.
SELECT o.oid::regoperator AS "in no class"
FROM known_operator k JOIN pg_operator o ON oprcode = function
WHERE NOT EXISTS (SELECT FROM class_operator c WHERE c.oprcode = k.function OR c.oprcom = o.oid OR c.amopopr = o.oprcom)
ORDER BY o.oid::regoperator::text COLLATE "C";
DROP VIEW class_operator, known_operator;
DROP FUNCTION type_operators;

-- The body of each function of SQL was parsed when it was created, so no search path of a caller changes what it
-- calls; none runs with the rights of its owner.
SELECT p.oid::regprocedure AS function, lanname, prosecdef, proconfig
FROM pg_proc p JOIN pg_language l ON l.oid = prolang JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
     JOIN pg_extension e ON e.oid = refobjid
WHERE extname LIKE 'spqtree%' AND (lanname NOT IN ('c', 'internal') AND prosqlbody IS NULL OR prosecdef OR proconfig IS NOT NULL);

-- Settings, which any user may change in a session.  A library for tests has one more.
LOAD 'spqtree';
SELECT name, vartype, context, short_desc <> '' AS described, setting = boot_val AS "as made"
FROM pg_settings WHERE name ~ '^spq' AND name <> 'spqtree.inject' ORDER BY name COLLATE "C";

DROP VIEW definition, catalog_function, catalog_operator, catalog_object;
