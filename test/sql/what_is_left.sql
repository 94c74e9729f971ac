--
-- Runs last: the indexes that the other files have left in the database, after all
-- that they did, are sound.
--
WITH ours AS MATERIALIZED (
  SELECT i.indexrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_opclass o ON o.oid = i.indclass[0]
  WHERE (o.opcname = 'spqtree_box_ops' OR o.opcmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree')) AND c.relkind = 'i' AND i.indisvalid AND c.relpersistence <> 't')
SELECT count(DISTINCT o.indexrelid) >= 5 AS indexes, count(c.problem) AS problems,
       min(format('%s: block %s, item %s: %s', o.indexrelid::regclass, c.block, c.item, c.problem)) FILTER (WHERE c.problem IS NOT NULL) AS first
FROM ours o LEFT JOIN LATERAL spqtree_check(o.indexrelid, true) c ON true;
