"""Objects, fences, watches and their rivals, and pgbench.

    objects_watch       (id, p, note)   spqtree_watch: events, pairs
    objects_statement   the same        a statement-level trigger in PL/pgSQL, GiST: events_statement
    objects_row         the same        a row-level trigger in PL/pgSQL, GiST: events_row
    objects_none        the same        no trigger
    fences              (id, b)         <-  USING spqtree (b)
    fences_gist         the same        <-  USING gist (b)

The rivals compare the fences of the old and of the new position, as is usual today:
they keep no pairs, and miss a fence that changes at the same time.
"""
import os
import re
import subprocess
import tempfile

import common
from common import Failure, say
from index_base import IndexBench
from report import Row

SCHEMA = "bench_watch"
TITLES = {"watch": "watch", "statement": "statement trigger in PL/pgSQL, GiST",
          "row": "row trigger in PL/pgSQL, GiST", "none": "no watch"}
RIVALS = ("statement", "row")
# A sustained load leaves dead rows, to be removed while it runs.
SETTINGS = {"autovacuum": "on", "autovacuum_naptime": "1s"}
VISITS, RADIUS = 20, 40             # an object circles on a radius of 40 m in 20 steps of 12.5 m

FENCES = {
    "boxes": "box(c - point(w / 2, h / 2), c + point(w / 2, h / 2))",
    # an octagon, as ST_Buffer makes
    "polygons": "polygon(8, circle(c, 0.5 * sqrt(w * h)))",
    "circles": "circle(c, 0.5 * sqrt(w * h))",
}
AREA = {"boxes": "box", "polygons": "polygon", "circles": "circle"}

BETWEEN = """INSERT INTO {schema}.events_{cand} (kind, object, fence, at)
	SELECT 'leave', o.id, f.id, now() FROM {old}, {schema}.fences_gist f
	WHERE {join} f.b @> box(o.p, o.p) AND NOT f.b @> box(n.p, n.p)
	UNION ALL SELECT 'enter', n.id, f.id, now() FROM {old}, {schema}.fences_gist f
	WHERE {join} f.b @> box(n.p, n.p) AND NOT f.b @> box(o.p, o.p);"""
TRIGGERS = {
    "statement": ("REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT",
                  BETWEEN.replace("{old}", "old_rows o, new_rows n").replace("{join}", "o.id = n.id AND")),
    "row": ("FOR EACH ROW", BETWEEN.replace("{old}", "(SELECT OLD.id, OLD.p) o, (SELECT NEW.id, NEW.p) n")
            .replace("{join}", "")),
}
MOVE = ("UPDATE {schema}.{table} o SET p = m.p FROM {schema}.moves_{size} b, unnest(b.ids, b.ps) AS m(id, p)"
        " WHERE b.n = :n AND o.id = m.id;\n")
NEXT = "\\set i :i + 1\n\\set n ((:i + {sent}) * {clients} + :client_id) % {total}\n"


def chance(value, seed):
    """Return SQL for a number from 0 to 1, by hash."""
    return "(hashint8extended(%s, %d) / 18446744073709551616.0::float8 + 0.5)" % (value, seed)


def place(visit, side):
    """Return SQL for the place of object "id" at its visit."""
    angle = "2 * pi() * ((%s) / %d.0::float8 + %s)" % (visit, VISITS, chance("id", 13))
    return "point(%r * %s + %d * cos(%s), %r * %s + %d * sin(%s))" % (
        side, chance("id", 11), RADIUS, angle, side, chance("id", 12), RADIUS, angle)


def aisle(visit, side):
    """Return the same in one of the aisles, 100 m of each 400, that clear_aisles() makes."""
    return ("(SELECT point(floor(q.p[0] / 400) * 400 + 240 + (q.p[0] - floor(q.p[0] / 400) * 400) / 4, q.p[1])"
            " FROM (SELECT %s AS p) q)" % place(visit, side))


class WatchBench(IndexBench):
    """Session, tables and turns."""

    schema = SCHEMA

    def __init__(self, server, report, args):
        self.server, self.report, self.args = server, report, args
        db = server.session()
        # the table of pairs is dropped with its watch
        db.run("DROP SCHEMA IF EXISTS %s CASCADE" % SCHEMA)
        for (table,) in db.run("SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace IN"
                               " (SELECT oid FROM pg_namespace WHERE nspname ~ '^bench_')"):
            db.run("ALTER TABLE %s SET (autovacuum_enabled = off)" % table)
        db.close()
        server.restart(SETTINGS)
        self.connect()
        common.extension(self.db, False)
        report.titles.update(TITLES)
        self.objects = max(args.rows // 10, 800)     # a hundred for each of eight clients
        self.sent = {}              # statements that move objects, by table and size

    def close(self):
        self.db.run("DROP SCHEMA %s CASCADE" % SCHEMA)
        self.db.close()
        self.server.restart()

    def seconds(self, share=1):
        """Return the duration of a load, as this share of a sustained one; 0: a few statements."""
        return max(1, round(self.args.seconds * share)) if self.args.seconds else 0

    def row(self, what, section, unit, rivals=RIVALS, detail="", better="less"):
        return Row("watch: " + what, section, unit, ("watch",), rivals, better, detail)

    def reached(self, what, measured, goal, reached):
        self.report.line("watch", "Goals", ["what", "measured", "goal", "reached"],
                         [what, measured, goal, "yes" if reached else "**no**"])
        say("  %s: %s; goal: %s: %s" % (what, measured, goal, "yes" if reached else "NO"))

    def at_most(self, row, most):
        ratio = row.median("watch") / row.median("none")
        self.reached(row.name, "%.2f times the time without a watch" % ratio, "at most %g" % most, ratio <= most)

    def lacks(self, what, area):
        """Note what must be left out."""
        lacks = not self.db.value("SELECT to_regprocedure('spqtree_dwithin(point, %s, float8)')" % area)
        if lacks:
            self.report.note("watch", "%s left out: this version has no spqtree_dwithin(point, %s)" % (what, area))
        return lacks

    # Tables

    def make_fences(self, kind, number, side):
        """Make fences and, if they are boxes, fences_gist: sides as in U, in a square of this side."""
        self.db.run("DROP TABLE IF EXISTS fences, fences_gist CASCADE")
        self.db.run("SELECT setseed(0.25)")
        self.db.run(
            "CREATE TABLE fences AS SELECT i AS id, %s AS b FROM (SELECT i, point(%r * random(), %r * random()) c,"
            " -50 * ln(1 - random()) w, -50 * ln(1 - random()) h FROM generate_series(1, %d) i OFFSET 0) r"
            % (FENCES[kind], side, side, number))
        self.db.run("ALTER TABLE fences ADD PRIMARY KEY (id)")
        self.db.run("CREATE INDEX ON fences USING spqtree (b)")
        if kind == "boxes":
            self.db.run("CREATE TABLE fences_gist AS TABLE fences")
            self.db.run("ALTER TABLE fences_gist ADD PRIMARY KEY (id)")
            self.db.run("CREATE INDEX ON fences_gist USING gist (b)")
        for table in ("fences", "fences_gist")[:1 + (kind == "boxes")]:
            self.db.run("VACUUM ANALYZE %s" % table)

    def clear_aisles(self):
        """Move boxes out of the aisles, in which objects meet none; cut wide ones."""
        self.db.run("UPDATE fences SET b = box(point(x - w, (b[1])[1]), point(x + w, (b[0])[1])) FROM (SELECT id AS i,"
                    " floor((@@ b)[0] / 400) * 400 + ((@@ b)[0] - floor((@@ b)[0] / 400) * 400) * 3 / 8 AS x,"
                    " least(width(b), 60) / 2 AS w FROM fences) AS n WHERE i = id")
        self.db.run("REINDEX TABLE fences")
        self.db.run("VACUUM ANALYZE fences")

    def make_objects(self, cand, number, position):
        """Make objects without watch or trigger, with free space in pages for moves, as recommended."""
        table = "objects_" + cand
        self.db.run("DROP TABLE IF EXISTS %s CASCADE" % table)
        self.db.run("CREATE TABLE %s (id int PRIMARY KEY, p point, note int) WITH (fillfactor = 50)" % table)
        self.db.run("INSERT INTO %s SELECT id, %s, 0 FROM generate_series(1, %d) id" % (table, position, number))
        self.db.run("VACUUM ANALYZE %s" % table)
        self.sent = {key: sent for key, sent in self.sent.items() if key[0] != table}

    def put_back(self, cand, position):
        """Put objects where the statements of moves expect them."""
        self.db.run("UPDATE objects_%s SET p = %s WHERE NOT p ~= %s" % (cand, position, position))
        self.db.run("VACUUM ANALYZE objects_%s" % cand)

    def make_moves(self, size, side, objects, position=place):
        """Make a table of statements: ids and new positions, visit by visit, of objects everywhere."""
        blocks = max(objects // size, 1)
        self.db.run("DROP TABLE IF EXISTS moves_%d" % size)
        self.db.run(
            "CREATE TABLE moves_%d AS SELECT v * %d + block AS n, array_agg(id ORDER BY id) AS ids,"
            " array_agg(%s ORDER BY id) AS ps FROM generate_series(0, %d) v, (SELECT id, (id - 1) %% %d AS block"
            " FROM generate_series(1, %d) id) o GROUP BY v, block"
            % (size, blocks, position("v", side), VISITS - 1, blocks, min(blocks * size, objects)))
        self.db.run("ALTER TABLE moves_%d ADD PRIMARY KEY (n)" % size)
        self.db.run("VACUUM ANALYZE moves_%d" % size)
        return blocks * VISITS

    def watch(self, cand, **more):
        """Watch the objects with this candidate's method.  Return milliseconds."""
        table = "%s.objects_%s" % (SCHEMA, cand)
        if cand == "watch":
            return self.timed("command", "SELECT spqtree_watch('%s.pairs', '%s', 'p', '%s.fences', 'b')"
                              % (SCHEMA, table, SCHEMA))[0]
        if cand in TRIGGERS:
            how, body = TRIGGERS[cand]
            self.db.run("DROP TABLE IF EXISTS events_%s" % cand)
            self.db.run("CREATE TABLE events_%s (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text,"
                        " object int, fence int, at timestamptz)" % cand)
            self.db.run("CREATE OR REPLACE FUNCTION moved_%s() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN %s"
                        " RETURN NULL; END $f$" % (cand, body.format(schema=SCHEMA, cand=cand)))
            self.db.run("CREATE TRIGGER moved AFTER UPDATE ON %s %s EXECUTE FUNCTION moved_%s()"
                        % (table, how, cand))
        return 0

    def unwatch(self, what):
        """Check the pairs and end the watch."""
        bad = int(self.db.value("SELECT count(*) FROM spqtree_check_watch('pairs')"))
        if bad:
            self.report.wrong.append("watch: %s: %d pairs are wrong" % (what, bad))
        self.db.run("SELECT spqtree_unwatch('pairs')")
        self.db.run("DROP TABLE IF EXISTS pairs_events")

    def events(self, cand):
        return int(self.db.value("SELECT count(*) FROM %s" % {"watch": "pairs_events"}.get(cand, "events_" + cand)))

    # Load

    def move(self, cand, size, total, seconds, clients=1, beside=None):
        """Move objects, each of which belongs to one client, from where they are.  Return as load()."""
        table = "objects_" + cand
        sent = self.sent.get((table, size), 0)
        script = (NEXT + MOVE).format(schema=SCHEMA, table=table, size=size, total=total, clients=clients, sent=sent)
        tps, took = self.load(script, seconds, clients, beside)
        self.sent[table, size] = sent + len(took) // clients
        return tps, took

    def load(self, script, seconds, clients=1, beside=None):
        """Run pgbench for this time.  Return statements per second, and milliseconds of each."""
        program = os.path.join(self.server.bindir, "pgbench")
        if not os.path.exists(program):
            raise Failure("there is no %s (Debian: postgresql-contrib)" % program)
        with tempfile.TemporaryDirectory(prefix="spqtree-pgbench.") as directory:
            def start(name, text, *words):
                path = os.path.join(directory, name)
                with open(path + ".sql", "w") as out:
                    out.write(text)
                return subprocess.Popen(
                    [program, "-n", "-M", "prepared", "-D", "i=-1", "--random-seed=7", "-f", path + ".sql",
                     *(["-T", str(seconds)] if seconds else ["-t", "8"]), *words, self.server.conninfo],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=directory)
            other = start("beside", beside, "-R", "1") if beside else None
            main = start("moves", script, "-l", "--log-prefix=log", "-c", str(clients), "-j", str(min(clients, 4)))
            output, errors = main.communicate()
            if other:
                if not seconds:
                    other.terminate()
                errors += other.communicate()[1] if seconds else ""
            found = re.search(r"^tps = ([0-9.]+) ", output, re.MULTILINE)
            if main.returncode != 0 or not found or "ERROR" in errors or not re.search(
                    r"failed transactions: 0 ", output):
                raise Failure("pgbench: %s%s" % (output, errors))
            took = []
            for name in os.listdir(directory):
                if name.startswith("log."):
                    with open(os.path.join(directory, name)) as lines:
                        took += [int(line.split()[2]) / 1000 for line in lines]
        return float(found.group(1)), sorted(took)


def percentile(values, share):
    return values[min(int(len(values) * share), len(values) - 1)]

