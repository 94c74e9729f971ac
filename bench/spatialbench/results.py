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
    return median([run[which] for run in side["warm"]]) if side["warm"] else None


def shown(value, found):
    return "> %d" % found["limit"] if value is None else number(value)


def ratio(without, other):
    """Return how many times as fast, with the smallest and the largest of a round."""
    if not without["warm"] or not other["warm"]:
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
    names = found["sides"]
    head = ["query", "rows"] + names + ["times as fast: " + s for s in names[1:]] + ["same answer"]
    rows = []
    for query, sides in found["queries"].items():
        known = [side["rows"] for side in sides.values() if side["rows"] is not None]
        rows.append([query, known[0] if known else ""] + [shown(middle(sides[s], 0), found) for s in names]
                    + [ratio(sides[names[0]], sides[s]) for s in names[1:]] + [same(sides)])
    return table(head, rows)


def cold(found):
    """Return lines: core-seconds of the first run, and elapsed seconds of both."""
    names = found["sides"]
    head = ["query"] + [kind + s for kind in ("cold core-seconds: ", "cold seconds: ", "warm seconds: ") for s in names]
    rows = []
    for query, sides in found["queries"].items():
        first = [[shown(sides[s]["cold"] and sides[s]["cold"][which], found) for s in names] for which in (0, 1)]
        rows.append([query] + first[0] + first[1] + [shown(middle(sides[s], 1), found) for s in names])
    return table(head, rows)


def plans(found):
    rows = [[query] + [sides[s]["plan"] for s in found["sides"]] for query, sides in found["queries"].items()]
    return table(["query"] + found["sides"], rows, 1 + len(found["sides"]))


def neighbors(found):
    """Return the time of query 12 by the number of trips."""
    (trips,) = [int(row[1]) for row in found["sizes"] if row[0] == "trip"]
    words = []
    for s in found["sides"] if "q12" in found["queries"] else []:
        value = middle(found["queries"]["q12"][s], 0)
        if value:
            words.append("*%s* %.2f" % (s, value / trips * 1e6))
    return ["", "Query 12 in microseconds of a core for each trip: %s." % ", ".join(words)] if words else []


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
        lines += ["", "Cold, the first run after a restart, and elapsed seconds of both:", ""] + cold(found)
    return lines + ["", "Plans, from the top: nodes of spqtree, joins, and the indexes that they or scans use.", ""] \
        + plans(found) + [""]


def beside(found):
    """Return the section with published figures, beside ours of scale factor 1."""
    lines = ["## Beside published figures", "",
             "Scale factor 1: 6 million trips. Seconds, in parentheses at most so many core-seconds; where the engine uses"
             " one thread, both are the same. Ours are core-seconds of *with* and of *own*, warm and cold. The last column"
             " divides the smallest published bound by ours, *with*, cold.", ""]
    head = ["query", "with: warm", "cold", "own: warm", "cold"] + [title for title, _, _ in published.ENGINES] \
        + ["times as fast as the best"]
    rows = []
    for query, sides in found["queries"].items():
        row = [query]
        for s in ("with", "own"):
            row += [shown(middle(sides[s], 0), found), shown(sides[s]["cold"] and sides[s]["cold"][0], found)]
        bound = published.best(query)
        row += [published.cell(query, processors, known) for _, processors, known in published.ENGINES]
        rows.append(row + ["%.1f" % (bound / sides["with"]["cold"][0]) if bound and sides["with"]["cold"] else ""])
    return lines + table(head, rows) + ["", published.NOTES, published.LIMITS]


def write(folder, found):
    """Put the results of a scale factor into the file, beside those of others, and render all."""
    os.makedirs(folder, exist_ok=True)
    file = os.path.join(folder, "spatialbench.json")
    known = {}
    if os.path.exists(file):
        with open(file) as lines:
            known = json.load(lines)
    if found:
        scale = "%g" % found["scale"]
        if scale in known and set(known[scale]["queries"]) - set(found["queries"]):
            known[scale]["header"].append("measured again: %s, of %s" % (", ".join(found["queries"]),
                                                                         found["header"][0]))
            known[scale]["queries"].update(found["queries"])
        else:
            known[scale] = found
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
