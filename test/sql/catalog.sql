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

-- All objects, as \dx+ lists them, but in C collation.  Each has a comment.  Only
-- some versions of PostgreSQL list the array type of a type, or the row type of a view.
SELECT pg_describe_object(classid, objid, 0) COLLATE "C" AS object,
       obj_description(objid, classid::regclass::name) IS NOT NULL AS comment
FROM catalog_object
WHERE NOT (classid = 'pg_type'::regclass AND objid IN (SELECT typarray FROM pg_type UNION ALL SELECT oid FROM pg_type WHERE typrelid <> 0))
ORDER BY 1;
SELECT obj_description(oid, 'pg_extension') IS NOT NULL AS comment FROM pg_extension WHERE extname = 'spqtree';
-- Nothing else refers to the library or has its name.
SELECT p.oid::regprocedure FROM pg_proc p
WHERE (probin LIKE '%spqtree%' OR prosrc ~ '^spq_' OR proname ~ '^spqtree') AND oid NOT IN (SELECT oid FROM catalog_function);
SELECT relname FROM pg_class WHERE relname ~ '^spqtree';
SELECT typname FROM pg_type WHERE typname ~ '^_?spqtree';
-- All objects are in the extension's schema, and their names have its prefix, but for the
-- operator class of its own access method, and types of three dimensions and what takes them.
SELECT pg_describe_object(classid, objid, 0) AS elsewhere
FROM catalog_object, LATERAL pg_identify_object(classid, objid, 0) i
WHERE split_part(i.identity, '.', 1) <> (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'spqtree')
  AND i.identity !~ format('^(%s\.)?spqtree(_|$)', (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'spqtree'))
  AND i.identity !~ '(point|box|lseg|sphere|ray|frustum)3';
SELECT proname FROM catalog_function WHERE proname !~ '^spqtree_' AND signature !~ '(point|box|lseg|sphere|ray|frustum)3'
UNION ALL SELECT opcname FROM pg_opclass WHERE oid IN (SELECT objid FROM catalog_object WHERE classid = 'pg_opclass'::regclass) AND opcname !~ '^(spqtree_|(point|box|lseg|sphere|ray|frustum)3_ops$)'
  AND opcmethod <> (SELECT oid FROM pg_am WHERE amname = 'spqtree')
UNION ALL SELECT opfname FROM pg_opfamily WHERE oid IN (SELECT objid FROM catalog_object WHERE classid = 'pg_opfamily'::regclass) AND opfname !~ '^(spqtree_|(point|box|lseg|sphere|ray|frustum)3_ops$)'
  AND opfmethod <> (SELECT oid FROM pg_am WHERE amname = 'spqtree');

-- Functions.  Volatility: i(mmutable) if only the arguments matter, s(table) if
-- tables are read, v(olatile) if each call matters.  Parallel: s(afe),
-- r(estricted to the leader), u(nsafe).
SELECT signature, l.lanname AS language, provolatile AS volatility, proisstrict AS strict, proparallel AS parallel,
       proretset AS set, proleakproof AS leakproof, prosecdef AS definer
FROM catalog_function f JOIN pg_language l ON l.oid = prolang WHERE NOT internal ORDER BY 1;
-- Support functions of the operator classes, with internal arguments: all alike.
-- The access method's handler is not among them.
SELECT count(*), provolatile AS volatility, proisstrict AS strict, proparallel AS parallel, prosecdef AS definer, prosupport <> 0 AS supported
FROM catalog_function WHERE internal AND prorettype <> 'index_am_handler'::regtype GROUP BY 2, 3, 4, 5, 6;
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

-- The operator class, which is not the default one and stores boxes unchanged, and
-- its operators, as \dAo shows them.
SELECT opcname, opcintype::regtype, opckeytype::regtype, opcdefault, amvalidate(oid)
FROM pg_opclass WHERE opcname = 'spqtree_box_ops';
SELECT amopstrategy, amopopr::regoperator,
       CASE amoppurpose WHEN 's' THEN 'search' ELSE 'ordering' END AS purpose,
       (SELECT opfname FROM pg_opfamily WHERE oid = amopsortfamily) AS sort
FROM catalog_operator ORDER BY 1;
SELECT amprocnum, amproc::regprocedure, amproclefttype::regtype, amprocrighttype::regtype
FROM pg_amproc WHERE amprocfamily = (SELECT oid FROM pg_opfamily WHERE opfname = 'spqtree_box_ops')
ORDER BY 1;
-- The compact class: the same operators with the same numbers, a storage type of
-- its own, and the methods that depend on it.
SELECT opcname, opcintype::regtype, opckeytype::regtype, opcdefault, amvalidate(oid)
FROM pg_opclass WHERE opcname = 'spqtree_box_compact_ops';
SELECT amprocnum, amproc::regprocedure, amproclefttype::regtype, amprocrighttype::regtype
FROM pg_amproc WHERE amprocfamily = (SELECT oid FROM pg_opfamily WHERE opfname = 'spqtree_box_compact_ops')
ORDER BY 1;
WITH compact AS (SELECT amopstrategy, amopopr, amoppurpose, amopsortfamily, amoplefttype, amoprighttype FROM pg_amop
                 WHERE amopfamily = (SELECT oid FROM pg_opfamily WHERE opfname = 'spqtree_box_compact_ops')),
     plain AS (SELECT amopstrategy, amopopr, amoppurpose, amopsortfamily, amoplefttype, amoprighttype FROM catalog_operator)
SELECT (SELECT count(*) FROM compact) AS operators,
       (SELECT count(*) FROM (TABLE compact EXCEPT TABLE plain) x) + (SELECT count(*) FROM (TABLE plain EXCEPT TABLE compact) y) AS "not the same";
SELECT typname, typlen, typbyval, typalign, typstorage, typtype, typcategory, typinput, typoutput, typreceive
FROM pg_type WHERE typname = 'spqtree_compact_box';
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
SELECT amname, amhandler, amtype FROM pg_am WHERE amname = 'spqtree';
SELECT prop, pg_indexam_has_property(oid, prop) AS has
FROM pg_am, unnest('{can_order,can_unique,can_multi_col,can_exclude,can_include}'::text[]) prop WHERE amname = 'spqtree';
SELECT opcname, opcintype::regtype, opckeytype::regtype, opcdefault, amvalidate(oid)
FROM pg_opclass WHERE opcmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree') ORDER BY opcname COLLATE "C";
SELECT amprocnum, amproc::regprocedure, amproclefttype::regtype, amprocrighttype::regtype
FROM pg_amproc WHERE amprocfamily = (SELECT oid FROM pg_opfamily WHERE opfname = 'box_ops' AND opfmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree'))
ORDER BY 1;
WITH rtree AS (SELECT amopstrategy, amopopr, amoppurpose, amopsortfamily, amoplefttype, amoprighttype FROM pg_amop
               WHERE amopfamily = (SELECT oid FROM pg_opfamily WHERE opfname = 'box_ops' AND opfmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree'))),
     plain AS (SELECT amopstrategy, amopopr, amoppurpose, amopsortfamily, amoplefttype, amoprighttype FROM catalog_operator)
SELECT (SELECT count(*) FROM rtree) AS operators,
       (SELECT count(*) FROM (TABLE rtree EXCEPT TABLE plain) x) + (SELECT count(*) FROM (TABLE plain EXCEPT TABLE rtree) y) AS "not the same";
-- The classes for other types; they have all operators that PostgreSQL has in an index of these types.
SELECT f.opfname, amopstrategy, amopopr::regoperator, amoppurpose
FROM pg_amop JOIN pg_opfamily f ON f.oid = amopfamily WHERE amopmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree') AND f.opfname IN ('point_ops', 'circle_ops', 'polygon_ops', 'lseg_ops', 'path_ops')
ORDER BY f.opfname COLLATE "C", amopstrategy;
SELECT amname, amopopr::regoperator FROM pg_amop a JOIN pg_am m ON m.oid = amopmethod
WHERE amname IN ('gist', 'spgist') AND amoplefttype IN ('point'::regtype, 'circle'::regtype, 'polygon'::regtype, 'lseg'::regtype, 'path'::regtype)
  AND NOT EXISTS (SELECT FROM pg_amop o WHERE o.amopopr = a.amopopr AND o.amoppurpose = a.amoppurpose AND o.amopmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree'));

-- Settings, which any user may change in a session.  A library for tests has one more.
LOAD 'spqtree';
SELECT name, vartype, context, short_desc <> '' AS described, setting = boot_val AS "as made"
FROM pg_settings WHERE name ~ '^spq' AND name <> 'spqtree.inject' ORDER BY name COLLATE "C";

DROP VIEW catalog_function, catalog_operator, catalog_object;
