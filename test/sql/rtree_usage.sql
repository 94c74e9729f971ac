--
-- The file usage, with an index of the access method spqtree
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set method spqtree
\set class box_ops
\i :abs_srcdir/sql/usage.sql
