"""The index candidates, their tables and probes, and how one candidate is selected.

All candidates on boxes index the same heap; pg_index.indisvalid shows the
planner one of them at a time.  PostGIS's have a heap of their own with the same
boxes as envelopes, in the same order: its rows are wider (152 bytes instead of
56).

    u (id, b)       <-  u_rtree, u_spqtree, u_gist, u_spgist, or none: a sequential scan
    u_geom (id, g)  <-  u_geom_pgis_gist, u_geom_pgis_spgist
"""
import time

import common
from common import Failure, nodes, say
from data import Tables
from report import Row

SCHEMA = "bench_index"
OURS = ("rtree", "spqtree")
RIVALS = ("gist", "spgist")         # the best of these is the rival
BOXES = ("rtree", "spqtree", *RIVALS)   # indexes that store the box

# Candidate: title, text after USING (none for the sequential scan).
CANDIDATES = {
    "rtree": ("spqtree AM", "spqtree (b)"),
    "spqtree": ("spqtree", "spgist (b spqtree_box_ops)"),
    "gist": ("GiST", "gist (b box_ops)"),
    "spgist": ("SP-GiST", "spgist (b box_ops)"),
    "pgis_gist": ("PostGIS GiST", "gist (g gist_geometry_ops_2d)"),
    "pgis_spgist": ("PostGIS SP-GiST", "spgist (g spgist_geometry_ops_2d)"),
    "seq": ("sequential scan", None),
}

# Plan kinds: the settings that force one, and the node EXPLAIN must show.
PLANS = {
    "index-only": (dict(seqscan="off", indexscan="on", indexonlyscan="on", bitmapscan="off"),
                   "Index Only Scan"),
    "plain": (dict(seqscan="off", indexscan="on", indexonlyscan="off", bitmapscan="off"),
              "Index Scan"),
    "bitmap": (dict(seqscan="off", indexscan="off", indexonlyscan="off", bitmapscan="on"),
               "Bitmap Index Scan"),
    "seq": (dict(seqscan="on", indexscan="on", indexonlyscan="on", bitmapscan="on"), "Seq Scan"),
}

TITLES = {"u": "U", "s": "S", "roads": "roads", "buildings": "buildings", "same": "same",
          "moving": "moving"}
SEEDS = {"u": 0.25, "s": 0.5, "same": 0, "moving": 0.375}
ORDERS = {"": "", "sorted": "(b[1])[0], id",
          "z-order": SCHEMA + ".z_order(b, %r), id"}

# The bits of two 16-bit numbers, interleaved.
Z_ORDER = """CREATE OR REPLACE FUNCTION {schema}.z_order(b box, side float8) RETURNS int8
LANGUAGE plpgsql AS $$
DECLARE
	c point := center(b);
	z int8 := 0;
	v int8;
BEGIN
	FOR axis IN 0..1 LOOP
		v := greatest(0, least(65535, floor(c[axis] / side * 65536)::int8));
		v := (v | (v << 8)) & 16711935;
		v := (v | (v << 4)) & 252645135;
		v := (v | (v << 2)) & 858993459;
		v := (v | (v << 1)) & 1431655765;
		z := z | (v << axis);
	END LOOP;
	RETURN z;
END $$"""


def on_geometry(cand):
    return cand.startswith("pgis")


class Heaps(Tables):
    """The tables with their indexes and probes."""

    def __init__(self, db, args, geometry):
        super().__init__(db, SCHEMA, args.rows, args.data, args.most)
        self.args = args
        self.geometry = geometry    # is PostGIS installed?
        db.run(Z_ORDER.format(schema=SCHEMA))

    def rows_of(self, kind):
        return {"same": max(self.rows // 10, 1), "moving": max(self.rows // 5, 1)}.get(
            kind, self.rows)

    def twin(self, name):
        """Make a table of the same boxes as geometries."""
        if self.geometry:
            self.ensure(name + "_geom", "%s geometries" % name, lambda: self.db.run(
                "CREATE TABLE %s AS SELECT id, ST_MakeEnvelope((b[1])[0], (b[1])[1], (b[0])[0],"
                " (b[0])[1]) AS g FROM %s" % (self.table(name + "_geom"), self.table(name))))

    def heap(self, kind, order=""):
        """Return the name of the table with this data in this order; make it if needed."""
        if kind in ("roads", "buildings"):
            self.from_file(kind, kind)
        else:
            rows = self.rows_of(kind)
            self.ensure(kind, "%s rows=%d v1" % (kind, rows), lambda: self.make_generated(
                kind, "u" if kind == "moving" else kind, rows, SEEDS[kind]))
        self.twin(kind)
        if not order:
            return kind
        name = kind + "_" + order.replace("-", "")
        how = ORDERS[order]
        if "%r" in how:
            side = self.side if kind not in ("roads", "buildings") else 2e7
            how = how % side
        self.ensure(name, "%s by %s rows=%d" % (kind, how.replace("'", ""), self.rows),
                    lambda: self.db.run("CREATE TABLE %s AS SELECT id, b FROM %s ORDER BY %s"
                                        % (self.table(name), self.table(kind), how)))
        self.twin(name)
        return name

    def sized(self, rows, twin=True):
        """Make U with this number of rows, in the density of U."""
        if rows == self.rows:
            return self.heap("u")
        name = "u_%d" % rows
        # another square needs its own Tables
        other = Tables(self.db, SCHEMA, rows, self.args.data)
        self.ensure(name, "u rows=%d v1" % rows,
                    lambda: other.make_generated(name, "u", rows, SEEDS["u"]))
        if twin:
            self.twin(name)
        return name

    def drop(self, *names):
        """Drop the tables, unless they are kept for the next run."""
        if self.args.keep:
            return
        for name in names:
            for table in (name, name + "_geom"):
                self.db.run("DROP TABLE IF EXISTS %s" % self.table(table))
                self.seen.discard(table)
                self.seen -= {table + "_" + c for c in CANDIDATES}

    # Probes

    def probes(self, name, kind, how, number, side=0):
        """Make a probe table: n, p, b and, with PostGIS, gp, g.  Return its name and number.

        how  center  a box of this side around the center of a row
             itself  a row
             edge    a line with one row in a hundred beyond it: left, right, below or above
        """
        number = max(3 if number < 100 else 20, round(number * self.args.share))
        base = self.heap(kind)
        origin = self.db.value("SELECT obj_description('%s'::regclass, 'pg_class')"
                               % self.table(base))
        table = "probes_" + name
        if how in ("center", "itself"):
            b = "b" if how == "itself" else (
                "box(point(c[0] - %g, c[1] - %g), point(c[0] + %g, c[1] + %g))" % ((side / 2,) * 4))
            source = ("SELECT row_number() OVER () AS n, c AS p, %s AS b FROM (SELECT b, center(b)"
                      " c FROM %s ORDER BY hashint8extended(id, 42), id LIMIT %d) s"
                      % (b, self.table(base), number))
        else:
            corner, axis, share = {"left": ("b[0]", 0, 0.01), "right": ("b[1]", 0, 0.99),
                                   "below": ("b[0]", 1, 0.01), "above": ("b[1]", 1, 0.99)}[how]
            at = "v + (i %% 7 - 3) * %r" % (self.side / 1e5)
            line = ("point(%s, 0), point(%s, %r)" if axis == 0 else "point(0, %s), point(%r, %s)")
            line = line % ((at, at, self.side) if axis == 0 else (at, self.side, at))
            source = ("SELECT i AS n, center(box(%s)) AS p, box(%s) AS b FROM (SELECT"
                      " percentile_disc(%g) WITHIN GROUP (ORDER BY (%s)[%d]) AS v FROM %s) q,"
                      " generate_series(1, %d) i"
                      % (line, line, share, corner, axis, self.table(base), number))
        if self.geometry:
            source = ("SELECT *, ST_MakePoint(p[0], p[1]) AS gp, ST_MakeEnvelope((b[1])[0],"
                      " (b[1])[1], (b[0])[0], (b[0])[1]) AS g FROM (%s) s" % source)
        self.ensure(table, "%s: %s of side %s, %d" % (origin, how, side, number),
                    lambda: self.db.run("CREATE TABLE %s AS %s" % (self.table(table), source)))
        return table, int(self.db.value("SELECT count(*) FROM %s" % self.table(table)))

    # Indexes

    def holder(self, heap, cand):
        return heap + "_geom" if on_geometry(cand) else heap

    def index(self, heap, cand):
        name = "%s_%s" % (self.holder(heap, cand), cand)
        if name not in self.seen:
            if self.db.value("SELECT to_regclass('%s')" % self.table(name)) in (None, ""):
                started = time.time()
                self.db.run(self.index_ddl(heap, cand))
                say("  made %s, %.1f s" % (name, time.time() - started))
            self.seen.add(name)
        return name

    def index_ddl(self, heap, cand):
        holder = self.holder(heap, cand)
        return "CREATE INDEX %s_%s ON %s USING %s" % (holder, cand, self.table(holder),
                                                      CANDIDATES[cand][1])

    def forget_indexes(self, cand):
        for (name,) in self.db.run(
                "SELECT relname FROM pg_class WHERE relkind = 'i' AND relnamespace ="
                " '%s'::regnamespace AND relname ~ '_%s$'" % (SCHEMA, cand)):
            self.db.run("DROP INDEX %s" % self.table(name))


class IndexBench:
    """Session, candidates and turns of all measurements of indexes."""

    schema = SCHEMA

    def __init__(self, server, report, args):
        self.server, self.report, self.args = server, report, args
        self.connect()
        common.extension(self.db, bool(args.keep))
        self.cands = [c for c in CANDIDATES if c in args.candidates]
        if "rtree" in self.cands and not self.db.value(
                "SELECT 1 FROM pg_am WHERE amname = 'spqtree'"):
            self.leave_out("rtree", "this version has no access method")
        self.find_postgis()
        report.titles.update((c, CANDIDATES[c][0]) for c in self.cands)
        self.heaps = Heaps(self.db, args, any(map(on_geometry, self.cands)))
        for cand in args.reindex:
            self.heaps.forget_indexes(cand)

    def connect(self):
        """Open a session, also after a restart of the server."""
        self.db = self.server.session()
        # Only settings that this server has; older ones lack some.
        self.db.run("SELECT set_config(name, 'off', false) FROM pg_settings WHERE name IN"
                    " ('enable_memoize', 'enable_material', 'synchronize_seqscans', 'jit')")
        self.db.run("SET max_parallel_workers_per_gather = 0")
        # indexes are measured, not searches of rows in memory
        self.db.run("SET spqtree.enable_nearest = off")
        self.timed = common.Clock(self.db, self.schema).timed
        self.db.run("SET search_path = %s, public" % self.schema)
        if hasattr(self, "heaps"):
            self.heaps.db = self.db

    def close(self):
        # so that a kept server can be inspected by hand
        self.db.run("UPDATE pg_index SET indisvalid = true WHERE NOT indisvalid")
        self.db.close()

    def leave_out(self, cand, why):
        if cand in self.cands:
            self.cands.remove(cand)
            self.report.note("index", "%s left out: %s" % (CANDIDATES[cand][0], why))

    def find_postgis(self):
        wanted = [c for c in self.cands if on_geometry(c)]
        if not wanted:
            return
        if not self.db.value("SELECT 1 FROM pg_available_extensions WHERE name = 'postgis'"):
            for cand in wanted:
                self.leave_out(cand, "PostGIS is not installed beside this server"
                                     " (Debian: postgresql-NN-postgis-3)")
            return
        self.db.run("CREATE EXTENSION IF NOT EXISTS postgis SCHEMA public")
        self.report.header.append("PostGIS: " + self.db.value("SELECT postgis_lib_version()"))

    def turns(self, number, cands):
        """Return the candidates in their order, or in the opposite order every second round."""
        return cands if number % 2 == 0 else cands[::-1]

    def row(self, what, section, unit, detail="", better="less"):
        return Row("index: " + what, section, unit, OURS, RIVALS, better, detail)

    def choose(self, heap, cand, plan, sql):
        """Show one index and force the kind of plan.  Return whether it is used."""
        return self.force(self.heaps.holder(heap, cand),
                          "" if cand == "seq" else self.heaps.index(heap, cand), plan, sql,
                          cand in ("rtree", "spqtree", *RIVALS, "seq"))

    def force(self, holder, index, plan, sql, needed=True):
        """Do the same with an index by name, or with "" for a sequential scan."""
        self.heaps.show_only(holder, index)
        switches, wanted = PLANS[plan if index else "seq"]
        self.db.run("; ".join("SET enable_%s = %s" % item for item in switches.items()))
        found = [n["Node Type"] for n in nodes(self.db.explain(sql))
                 if n.get("Index Name" if index else "Relation Name") == (index or holder)]
        if found == [wanted]:
            return True
        if needed:
            raise Failure("the plan is no %s on %s:\n%s" % (wanted, index or holder, "\n".join(
                r[0] for r in self.db.run("EXPLAIN (COSTS off) " + sql))))
        return False
