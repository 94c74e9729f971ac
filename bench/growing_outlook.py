"""How each cost grows, and what a billion rows would take.

    rows     100k    1M      10M                 a billion
    median    v1     v2      v3    -- rule -->   v3 * (1e9 / 10M)^e,   e = log(v3 / v2) / log(10M / 1M)

The exponent e is that between the two largest sizes measured; below zero, it counts as zero.
Everything here is computed from the rows when tables are written.
"""
import math
import re

from common import median
from report import short, shown, table

GOAL = 10 ** 9
MEASURES = ("build N rows", "size N rows", "&& 10 rows of N", "&& 1000 rows of N", "nearest 10 of N",
            "join N x N")
IN_MEMORY, BEYOND_MEMORY = ", in memory", ", beyond memory"
HEADING = "Growth, and a billion rows"


def measure_of(row):
    """Return the name of a row without its file, and with N in place of its size."""
    return re.sub(r"\b%s\b" % re.escape(short(row.size)), "N", row.name.partition(": ")[2])


class Curve:
    """The values of one candidate in one measure: points are (size, values of the rounds)."""

    def __init__(self, rows, measure, cand):
        found = [r for r in rows if r.size and measure_of(r) == measure and r.values.get(cand)]
        self.points = sorted((r.size, r.values[cand]) for r in found)
        self.unit = found[0].unit if found else None

    def exponents(self):
        """Return the exponent between each size and the next."""
        return [exponent(median(v), median(w), n, m)
                for (n, v), (m, w) in zip(self.points, self.points[1:])]

    def at(self, size):
        """Return the value at this size by the rule, and its lowest and highest by single rounds."""
        (n, v), (m, w) = self.points[-2:]

        def beyond(small, large):
            return large * (size / m) ** max(exponent(small, large, n, m), 0)
        return beyond(median(v), median(w)), beyond(max(v), min(w)), beyond(min(v), max(w))


def exponent(small, large, n, m):
    return math.log(large / small) / math.log(m / n)


def expected(rows, measure, cand, size):
    """Return the value by the rule, or None if fewer than two sizes have been measured."""
    curve = Curve(rows, measure, cand)
    return curve.at(size)[0] if len(curve.points) > 1 else None


def told(value, unit):
    """Return a value that may be large, in a unit that suits it."""
    seconds = {"s": value, "ms": value / 1000}.get(unit, 0)
    if unit == "MB" and value >= 1024:
        return "%.3g GB" % (value / 1024)
    if seconds >= 3 * 86400:
        return "%s days" % format(round(seconds / 86400), ",")
    if seconds >= 7200:
        return "%.3g hours" % (seconds / 3600)
    return "%.3g minutes" % (seconds / 60) if seconds >= 120 else shown(value, unit)


def outlook(report, rows):
    """Return a table of exponents and of values at a billion rows, and a paragraph about them."""
    curves = {(m, c): Curve(rows, m, c) for m in dict.fromkeys(measure_of(r) for r in rows if r.size)
              for c in report.titles}
    curves = {key: curve for key, curve in curves.items() if len(curve.points) > 1}
    if not curves:
        return ["", "## " + HEADING, "", "Two sizes are needed, for an exponent."]
    lines = []
    for (measure, cand), curve in curves.items():
        size, values = curve.points[-1]
        value, low, high = curve.at(GOAL)
        lines.append([measure, report.titles[cand], ", ".join("%.2f" % (round(e, 2) + 0) for e in curve.exponents()),
                      "%s at %s" % (told(median(values), curve.unit), short(size)),
                      told(value, curve.unit) + (
                          "" if len(values) == len(curve.points[-2][1]) == 1 or low == high else
                          " (%s–%s)" % (told(low, curve.unit), told(high, curve.unit)))])
    head = ["N rows", "candidate", "exponents from size to size", "largest size", "a billion rows, by the rule"]
    return ["", "## " + HEADING, "", *table(head, lines), "", RULE,
            *(line for part in paragraphs(report, curves) for line in ("", part))]


RULE = ("**The rule**: the median at the largest size, times the factor to a billion rows to the power of the exponent"
        " between the two largest sizes; an exponent below zero counts as zero. In parentheses, the same with the"
        " largest value at one of the two sizes and the smallest at the other.")


def paragraphs(report, curves):
    """Return what a billion rows would take, and what that assumes; the rule gives the numbers."""
    def at(measure, *cands):
        parts = [("%s" if i == 0 else report.titles[c] + " %s") % told(
            curves[measure, c].at(GOAL)[0], curves[measure, c].unit)
            for i, c in enumerate(cands) if (measure, c) in curves]
        return parts and parts[0] + (" (%s)" % ", ".join(parts[1:]) if parts[1:] else "")

    def sentence(text, *values):
        return [text % values] if all(values) else []

    build, size, *scans, join = MEASURES
    sizes = sorted({curve.points[-1][0] for curve in curves.values()})
    steps = sorted({GOAL / n for n in sizes})
    text = ["**A billion rows, by this rule.**"]
    text += sentence("The table has %s and the index %s.", at(size, "table"), at(size, "rtree", "gist"))
    text += sentence("One process builds the index in %s.", at(build + IN_MEMORY, "rtree", "gist"))
    for where, title in ((IN_MEMORY, "With everything in memory"), (BEYOND_MEMORY, "With nothing in memory at first")):
        values = [at(scan + where, "rtree", "gist") for scan in scans]
        text += sentence(title + ", a scan of ten rows takes %s, of a thousand %s, and the nearest ten %s.", *values)
    text += sentence("The join of two such tables with `work_mem` 64MB takes %s in memory.",
                     at(join + IN_MEMORY, "node", "loop_gist"))
    text += sentence("From disk, it takes %s.", at(join + BEYOND_MEMORY, "node"))
    said, text = text, []
    text.append(
        "**Assumptions**: boxes stay as dense and as large, so that a window finds as many rows and a row joins"
        " with as many. The exponent holds for the remaining factor, which is %s: a further level of the tree, more"
        " runs to merge and more batches count only as far as they already show in it, and a step between the two sizes,"
        " such as from one batch to several, as if it came at each such factor again. The disk is as fast for a large"
        " file as for the measured ones, and has the space." % " or ".join(format(round(s), ",") for s in steps))
    if ((size, "table") in curves) and ((size, "rtree") in curves):
        text.append("What is said of memory needs %s of it, for table and index; with less, the figures from disk are"
                    " the ones to expect." % told(sum(curves[size, c].at(GOAL)[0] for c in ("table", "rtree")), "MB"))
    return " ".join(said), " ".join(text)
