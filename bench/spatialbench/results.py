"""Writes bench/results/spatialbench.json and .md: a section for each scale factor, and published figures."""
import json
import os

import published
from common import median
from sides import SIDES


def number(seconds):
    return "%.4f" % seconds if seconds < 0.1 else "%.3f" % seconds if seconds < 9.995 else "%.1f" % seconds


def middle(side, which):
    """Return the median of core-seconds (0) or seconds (1) of warm runs, or None."""
    return median([run[which] for run in side["warm"]]) if side and side["warm"] else None


def shown(value, side):
    return number(value) if value is not None else "> %d" % side["limit"] if side else ""


def names_of(found):
    """Return the sides that any query has."""
    return [s for s in SIDES if any(s in sides for sides in found["queries"].values())]


def ratio(without, other):
    """Return how many times as fast, with the smallest and the largest of a round."""
    if not without or not other or not without["warm"] or not other["warm"]:
        return ""
    single = [a[0] / b[0] for a, b in zip(without["warm"], other["warm"])]
    text = "%.2f" % (middle(without, 0) / middle(other, 0))
    return text + " (%.2f-%.2f)" % (min(single), max(single)) if len(single) > 1 else text


def same(sides):
    answers = [side["answer"] for side in sides.values() if side["answer"]]
    return "not compared" if len(answers) < 2 else "yes" if len(set(answers)) == 1 else "**no**"


def differing(found):
    return [name for name, sides in found["queries"].items() if same(sides) == "**no**"]


def table(head, rows, text=1):
    """Return lines of a table; the first columns are text, the others numbers."""
    lines = ["| %s |" % " | ".join(head), "| %s |" % " | ".join(["---"] * text + ["---:"] * (len(head) - text))]
    return lines + ["| %s |" % " | ".join(str(cell) for cell in row) for row in rows]


def times(found):
    names = names_of(found)
    head = ["query", "rows"] + names + ["times as fast: " + s for s in names[1:]] + ["same answer"]
    rows = []
    for query, sides in found["queries"].items():
        known = [side["rows"] for side in sides.values() if side["rows"] is not None]
        rows.append([query, known[0] if known else ""] + [shown(middle(sides.get(s), 0), sides.get(s)) for s in names]
                    + [ratio(sides.get(names[0]), sides.get(s)) for s in names[1:]] + [same(sides)])
    return table(head, rows)


def cold(found):
    """Return lines: elapsed seconds, and core-seconds of the first run."""
    names = names_of(found)
    rows = []
    for query, sides in found["queries"].items():
        row = [query]
        for s in names:
            first = sides.get(s) and sides[s]["cold"]
            row.append("%s (%s)" % (number(first[1]), number(first[0])) if first else shown(None, sides.get(s)))
        rows.append(row + [shown(middle(sides.get(s), 1), sides.get(s)) for s in names])
    return table(["query"] + [kind + s for kind in ("cold: ", "warm: ") for s in names], rows)


def plans(found):
    names = names_of(found)
    rows = [[query] + [sides[s]["plan"] if s in sides else "" for s in names]
            for query, sides in found["queries"].items()]
    return table(["query"] + names, rows, 1 + len(names))


def neighbors(found):
    """Return the time of query 12 by the number of trips."""
    (trips,) = [int(row[1]) for row in found["sizes"] if row[0] == "trip"]
    words = []
    for s, side in found["queries"].get("q12", {}).items():
        value = middle(side, 0)
        if value:
            words.append("*%s* %.2f" % (s, value / trips * 1e6))
    return ["", "Query 12, warm, in microseconds of a core for each trip: %s." % ", ".join(words)] if words else []


def section(found):
    load = found["load"]
    lines = ["## Scale factor %g" % found["scale"], ""]
    lines += ["- " + line for line in found["header"]]
    for name, rows, average, most, size in found["sizes"]:
        lines.append("- %s: %s rows, %s MB%s" % (name, rows, size, "" if name == "trip" else (
            ", %s vertices on average, at most %s" % (average, most))))
    lines += ["", "Loading, not part of the times below: COPY of all tables %.1f s, primary keys %.1f s, the four"
              " indexes of geometries %.1f s (GiST) or %.1f s (spqtree), VACUUM ANALYZE %.1f s. (Generating rows: %.1f s.)"
              % tuple(load[step] for step in ("copy", "keys", "gist", "own", "vacuum", "generate")), "",
              "Warm: core-seconds, medians over rounds. *Times as fast* is *without* divided by the other, in"
              " parentheses the smallest and the largest of a round.", ""]
    lines += times(found) + neighbors(found)
    if all(side["cold"] or side["answer"] is None for sides in found["queries"].values() for side in sides.values()):
        lines += ["", "Elapsed seconds; cold, in parentheses core-seconds:", ""] + cold(found)
    return lines + ["", "Plans, from the top: nodes of spqtree, joins, and the indexes that they or scans use.", ""] \
        + plans(found) + [""]


def beside(found):
    """Return the section with published figures, beside ours of scale factor 1."""
    lines = ["## Beside published figures", "",
             "Scale factor 1: 6 million trips. Seconds, in parentheses an upper bound of core-seconds; where the engine uses"
             " one thread, both are the same. Ours are core-seconds of *with* and of *bare*, warm and cold. The last column"
             " divides the smallest published bound by the smaller of our cold times.", ""]
    head = ["query", "with: warm", "cold", "bare: warm", "cold"] + [title for title, _, _ in published.ENGINES] \
        + ["times as fast as the best"]
    rows = []
    for query, sides in found["queries"].items():
        row = [query]
        for s in ("with", "bare"):
            side = sides.get(s)
            row += [shown(middle(side, 0), side), shown(side["cold"] and side["cold"][0] if side else None, side)]
        bound = published.best(query)
        row += [published.cell(query, processors, known) for _, processors, known in published.ENGINES]
        ours = [sides[s]["cold"][0] for s in ("with", "bare") if s in sides and sides[s]["cold"]]
        rows.append(row + ["%.1f" % (bound / min(ours)) if bound and ours else ""])
    return lines + table(head, rows) + ["", published.NOTES, published.LIMITS]


def merge(known, found):
    """Put results beside those of other scale factors, queries and sides."""
    scale = "%g" % found["scale"]
    sides = {name for query in found["queries"].values() for name in query}
    if scale not in known or len(found["queries"]) == 12 and sides == set(SIDES):
        known[scale] = found
        return
    known[scale]["header"].append("measured later: %s (%s), %s" % (
        ", ".join(found["queries"]), ", ".join(s for s in SIDES if s in sides), found["header"][0]))
    for query, measured in found["queries"].items():
        known[scale]["queries"].setdefault(query, {}).update(measured)


def write(folder, found):
    """Put the results of a scale factor into the file, beside those of others, and render all."""
    os.makedirs(folder, exist_ok=True)
    file = os.path.join(folder, "spatialbench.json")
    known = {}
    if os.path.exists(file):
        with open(file) as lines:
            known = json.load(lines)
    if found:
        merge(known, found)
    with open(file, "w") as lines:
        json.dump(known, lines, indent=1, sort_keys=True)
        lines.write("\n")
    text = ["# SpatialBench", "",
            "Written by `bench/spatialbench/run`; its [README](../spatialbench/README.md) says what is measured.", ""]
    text += ["- *%s*: %s" % (name, title) for name, (_, _, title) in SIDES.items()] + [""]
    if "1" in known:
        text += beside(known["1"])
    for scale in sorted(known, key=float):
        text += section(known[scale])
    with open(os.path.join(folder, "spatialbench.md"), "w") as lines:
        lines.write("\n".join(text).rstrip("\n") + "\n")
