"""The plans of a statement under different settings and with hidden indexes.

    settings  x  indexes that are shown  ->  EXPLAIN  ->  plans that differ

Each plan is kept as a prepared statement of its own, so that candidates take
turns without being planned again; in the end, each plan is checked to be
unchanged.  Times are the server's clock_timestamp() around a loop of EXECUTE;
the loop adds a few microseconds each.
"""
import itertools
import math
import re

from common import Failure, median, nodes

DISABLED = 1e10                     # a plan with a disabled node costs at least this
SETTINGS = ("enable_nestloop", "enable_seqscan", "enable_indexscan", "enable_indexonlyscan",
            "enable_bitmapscan", "enable_material", "enable_hashjoin", "enable_mergejoin",
            "max_parallel_workers_per_gather",
            "parallel_setup_cost", "parallel_tuple_cost", "min_parallel_table_scan_size",
            "min_parallel_index_scan_size",
            "work_mem", "random_page_cost", "spqtree.enable", "spqtree.enable_hashjoin", "spqtree.enable_indexjoin", "spqtree.enable_equivalents")

# Settings that may lead to another plan; those that do not are dropped.
NODE = {"enable_nestloop": "off", "spqtree.enable_indexjoin": "off"}
INDEXES = {"enable_nestloop": "off", "spqtree.enable_hashjoin": "off"}
WITHOUT_NODE = {"spqtree.enable_hashjoin": "off", "spqtree.enable_indexjoin": "off", "spqtree.enable_equivalents": "off"}
ONLY_PLAIN_INDEX = {"enable_indexonlyscan": "off", "enable_bitmapscan": "off"}
INDEX_FIRST = {"enable_seqscan": "off"}
NESTED_LOOPS = [
    WITHOUT_NODE,
    {**WITHOUT_NODE, "enable_material": "off"},
    {**WITHOUT_NODE, **INDEX_FIRST},
    {**WITHOUT_NODE, "enable_indexonlyscan": "off"},
    {**WITHOUT_NODE, **ONLY_PLAIN_INDEX, "enable_material": "off"},
    {**WITHOUT_NODE, **ONLY_PLAIN_INDEX, **INDEX_FIRST},
]


def describe(node):
    """Return a plan in short form: NL(a, b.gist-only), SHJ(probe, build), IXJ(of indexes)."""
    kind = node["Node Type"]
    parts = [describe(child) for child in node.get("Plans", ())]
    index = node.get("Index Name", "").rpartition("_")[2]
    order = "" if "Index Cond" in node else " in order"
    alias = node.get("Alias", "")
    if kind == "Nested Loop":
        return "NL(%s)" % ", ".join(parts)
    if node.get("Custom Plan Provider") == "Spqtree Spatial Hash Join":
        return "%sSHJ(%s)" % ("shared " if node.get("Shared Build") else "", ", ".join(parts))
    if node.get("Custom Plan Provider") == "Spqtree Index Join":
        return "IXJ(%s)" % ", ".join(parts)
    if kind == "Index Only Scan":
        return "%s.%s only%s" % (alias, index, order)
    if kind == "Index Scan":
        return "%s.%s%s" % (alias, index, order)
    if kind == "Bitmap Index Scan":
        return index
    if kind == "Bitmap Heap Scan":
        return "%s.%s bitmap" % (alias, parts[0])
    if kind in ("Gather", "Gather Merge"):
        return "%d workers: %s" % (node["Workers Planned"], parts[0])
    if kind == "Seq Scan":
        return alias
    if kind == "Append":            # aliases in its arms are a, a_1, a_2
        parts = [re.sub(r"\b([a-z]+)_\d+", r"\1", part) for part in parts]
        if len(set(parts)) == 1:
            return "%d x %s" % (len(parts), parts[0])
    if kind in ("Aggregate", "Limit", "Subquery Scan") and len(parts) == 1:
        return parts[0]
    return "%s(%s)" % (kind, ", ".join(parts))


class Plan:
    def __init__(self, name, statement, top):
        self.name, self.statement = name, statement
        self.cost = top["Total Cost"]
        join = next((n for n in nodes(top) if len(n.get("Plans", ())) == 2), top)
        self.is_node = "SHJ(" in name
        self.workers = max(n.get("Workers Planned", 0) for n in nodes(top))
        # of a parallel plan, the rows are those of one process; the leader does part of the work
        self.rows = join["Plan Rows"] * (
            self.workers + max(1 - 0.3 * self.workers, 0) if self.workers else 1)
        self.scanned = max((n["Plan Rows"] for n in nodes(top) if "Relation Name" in n), default=0)
        self.by_index = any("Index Cond" in n for n in nodes(top))
        self.times = []

    def median(self):
        return median(self.times) if self.times else math.inf

    def shown_cost(self):
        """Return the plan's cost, unless a part of it is disabled."""
        return "%.2f" % self.cost if self.cost < DISABLED else "–"


class Plans:
    """Finds and times the plans of one statement at a time."""

    numbers = itertools.count(1)    # common to all that share a session

    def __init__(self, db, schema, base):
        self.db, self.schema, self.base = db, schema, dict(base)
        db.run("CREATE OR REPLACE FUNCTION %s.timed_plan(statement text, times int,"
               " OUT ms float8, OUT answer text) LANGUAGE plpgsql AS $$"
               " DECLARE t timestamptz := clock_timestamp(); q text := 'EXECUTE ' || statement;"
               " BEGIN FOR i IN 1..times LOOP EXECUTE q INTO answer; END LOOP;"
               " ms := extract(epoch FROM clock_timestamp() - t) * 1000 / times; END $$" % schema)

    def set(self, switches):
        values = {**self.base, **switches}
        self.db.run("; ".join(("SET %s = '%s'" % (name, values[name])) if name in values
                              else "RESET " + name for name in SETTINGS))

    def show(self, tables, shown):
        """Let the planner see only these indexes of the tables."""
        self.db.run("UPDATE pg_index SET indisvalid = NOT indisvalid WHERE indrelid IN (%s)"
                    " AND indisvalid <> (indexrelid = ANY (ARRAY[%s]::regclass[]))" % (
                        ", ".join("'%s.%s'::regclass" % (self.schema, t) for t in tables),
                        ", ".join("'%s.%s'" % (self.schema, i) for i in shown)))

    def _explain(self, statement):
        return self.db.explain("EXECUTE " + statement, "COSTS on")

    def plan(self, sql, switches):
        """Return the plan with these settings, and keep it."""
        statement = "plan_%d" % next(self.numbers)
        self.set(switches)
        self.db.run("PREPARE %s AS %s" % (statement, sql))
        top = self._explain(statement)
        return Plan(describe(top), statement, top)

    def forget(self, plans):
        for plan in plans:
            self.db.run("DEALLOCATE " + plan.statement)

    def collect(self, sql, every, found):
        """Add the plans with each of the settings to those found, by name."""
        for switches in every:
            plan = self.plan(sql, switches)
            if plan.name in found:
                found[plan.name].cost = min(found[plan.name].cost, plan.cost)
                self.forget([plan])
            else:
                found[plan.name] = plan
        self.set({})
        return found

    def time(self, plan, times=1, limit=0):
        """Return milliseconds of one execution and its answer; None beyond the limit (ms)."""
        self.db.run("SET statement_timeout = %d" % math.ceil(limit and limit * times + 1))
        # exceeding the limit is not a failure
        rows = self.db.run("\\set ON_ERROR_STOP 0\nSELECT * FROM %s.timed_plan('%s', %d)"
                           % (self.schema, plan.statement, times))
        # the timeout may cancel this statement, too, or occur just as the other one ends
        while self.db.run("SET statement_timeout = 0;\nSHOW statement_timeout")[-1:] != [["0"]]:
            pass
        self.db.run("\\set ON_ERROR_STOP 1")
        if len(rows) == 1 and len(rows[0]) == 2:
            return float(rows[0][0]), rows[0][1]
        text = "\n".join("\t".join(row) for row in rows)
        if "canceling statement" not in text:
            raise Failure("%s: %s" % (plan.name, text))
        return None, None

    def check(self, plan):
        """Check that the plan that was timed is unchanged."""
        now = describe(self._explain(plan.statement))
        if now != plan.name:
            raise Failure("the plan was %s and has become %s" % (plan.name, now))
