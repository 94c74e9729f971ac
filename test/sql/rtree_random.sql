--
-- The file random, with an index of the access method spqtree
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set method spqtree
\set class box_ops
\set tables 75
\i :abs_srcdir/sql/random.sql
