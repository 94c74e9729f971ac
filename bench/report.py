"""Rows of results, their verdicts, and the tables and files with them.

A row has a name that is stable between runs ("index: U && 1000 rows, plain"),
so that documents can cite it, and each candidate's value in each round:

    candidates  --rounds-->  medians  -->  ratio to the best rival  -->  verdict

The verdict is "better" or "worse" if at least the middle half of the rounds
agrees, else "even".  The reasons for worse rows are in reasons.txt, which is read
when the tables are written; results.json has everything needed to write them again.
"""
import csv
import json
import os
import re
import statistics

from common import Failure, HERE, median, say

BETTER, EVEN, WORSE = "better", "even", "**worse**"
FILES = {"index": "Index", "join": "Join", "space": "Three dimensions", "watch": "Watches",
         "postgis": "PostGIS", "ranges": "Ranges", "types": "Other types", "growing": "Growth",
         "choice": "Planner's choice",
         "scans": "Planner's choice of scans", "queries": "Realistic queries",
         "beside": "Random queries, beside PostgreSQL's own plans"}
# Headings in the order of the tables; others follow.
SECTIONS = ["Build", "Size", "Scans, index-only", "Scans, plain", "Scans, bitmap",
            "Scans of tables sorted by x or along a Z-curve", "Cold cache: blocks read a probe", "Cold cache: time",
            "Cold cache of a slower disk: time"]


class Row:
    """What was measured: the values of each candidate, one per round."""

    def __init__(self, name, section, unit, ours, rivals, better="less", detail=""):
        self.name = name            # "index: ..." or "join: ..."
        self.section = section      # heading of its table
        self.unit = unit            # ms, s, MB, blocks, 1/s
        self.ours = list(ours)      # the candidates to be judged
        self.rivals = list(rivals)  # compared with the best of these
        self.better = better        # less or more
        self.detail = detail
        self.values = {}
        self.answers = {}
        self.size = None            # for the plots: rows found, rows of the table, clients

    @property
    def file(self):
        return self.name.partition(":")[0]

    def add(self, candidate, value, answer=None):
        # the digits that results.json keeps
        self.values.setdefault(candidate, []).append(float("%.6g" % value))
        if answer is not None and self.answers.setdefault(candidate, answer) != answer:
            raise Failure("%s: %s answers %s, then %s"
                          % (self.name, candidate, self.answers[candidate], answer))

    def median(self, candidate):
        return median(self.values[candidate])

    def ratio(self, one, other):
        """Return how many times as good "one" is: of medians; minimum, maximum, quartiles of rounds.

        If one has fewer rounds than the other, each is compared with each of the other's.
        """
        over, under = (self.values[c] for c in ((other, one) if self.better == "less" else (one, other)))
        pairs = zip(over, under) if len(over) == len(under) else ((a, b) for a in over for b in under)
        each = [a / b for a, b in pairs]
        low, _, high = statistics.quantiles(each, method="inclusive") if len(each) > 1 else each * 3
        return median(over) / median(under), min(each), max(each), low, high

    def best_rival(self):
        found = [c for c in self.rivals if self.values.get(c)]
        return (min if self.better == "less" else max)(found, key=self.median, default=None)

    def verdict(self, mine):
        """Return rival, ratio and verdict, or None."""
        rival = self.best_rival()
        if rival is None or not self.values.get(mine):
            return None
        ratio = self.ratio(mine, rival)
        _, _, _, low, high = ratio
        return rival, ratio, (BETTER if low > 1 else WORSE if high < 1 else EVEN)

    def verdicts(self):
        return [(mine, *self.verdict(mine)) for mine in self.ours if self.verdict(mine)]


def short(rows):
    """Abbreviate a number: 1000000 becomes 1M, 2000 becomes 2k."""
    return ("%gM" % (rows / 1e6) if rows >= 1e6 else "%gk" % (rows / 1e3) if rows >= 1e3
            else "%g" % rows)


def span(ratio):
    return ("%.2f (%.2f–%.2f)" % ratio[:3]) if ratio[1] != ratio[2] else "%.2f" % ratio[0]


def shown(value, unit):
    """Return a value with a unit that suits its size."""
    if unit == "ms":
        if value < 0.001:
            return "%.3g ns" % (value * 10 ** 6)
        if value < 1:
            return "%.3g µs" % (value * 1000)
        return "%.3g ms" % value if value < 1000 else "%.3g s" % (value / 1000)
    if unit == "1/s":
        return format(round(value), ",") + "/s"
    if unit == "MB":
        return "%.2f MB" % value if value < 10 else "%.1f MB" % value
    return "%.3g %s" % (value, unit)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(escape(c) for c in r) + " |" for r in rows]


def escape(text):
    return text.replace("|", "\\|")


def reasons():
    """Return (pattern, sentence) in the order of reasons.txt; the first match counts."""
    found = []
    path = os.path.join(HERE, "reasons.txt")
    with open(path) as lines:
        for number, text in enumerate(lines, 1):
            text = text.rstrip("\n")
            if not text or text.startswith("#"):
                continue
            pattern, tab, sentence = text.partition("\t")
            if not tab or not sentence.strip():
                raise Failure("%s:%d: no tab, or nothing after it" % (path, number))
            found.append((re.compile(pattern), sentence.strip()))
    return found


class Report:
    """Everything measured so far."""

    extra = {}                      # file: function of the report and its rows, for lines after the counts

    def __init__(self):
        self.header = []
        self.titles = {}            # of candidates, in the order of columns
        self.rows = []
        self.lines = []             # [file, section, head, row]: tables of other kinds
        self.notes = []             # [file, text]
        self.wrong = []             # wrong answers of our candidates
        self.seconds = {}           # duration of each measurement

    def keep(self, row):
        self.rows.append(row)
        best = ["%s %s" % (c, shown(row.median(c), row.unit)) for c in row.values]
        say("  %s: %s%s" % (row.name, ", ".join(best), "".join(
            "; %s %s times as good as %s: %s" % (mine, span(ratio), rival, verdict.strip("*"))
            for mine, rival, ratio, verdict in row.verdicts())))

    def line(self, file, section, head, row):
        self.lines.append([file, section, list(head), list(row)])

    def note(self, file, text):
        if [file, text] not in self.notes:
            self.notes.append([file, text])
            say("  " + text)

    # Output

    def candidates(self, rows):
        seen = {c for r in rows for c in r.values}
        return [c for c in self.titles if c in seen]

    def section(self, title, rows, why):
        cands = self.candidates(rows)
        ours = [c for c in cands if any(c in r.ours for r in rows)]
        rivals = any(r.verdicts() for r in rows)
        head = ["row", *[self.titles[c] for c in cands]]
        if rivals:
            head += ["%s: times as good as the best rival (min–max)" % self.titles[c]
                     for c in ours] + ["verdict"]
        out = []
        for r in rows:
            cells = [r.name + (" (%s)" % r.detail if r.detail else "")]
            cells += [shown(r.median(c), r.unit) if r.values.get(c) else "–" for c in cands]
            if rivals:
                verdicts = {v[0]: v for v in r.verdicts()}
                cells += [span(verdicts[c][2]) if c in verdicts else "–" for c in ours]
                text = ["%s%s" % (self.titles[c] + " " if len(ours) > 1 else "", verdicts[c][3])
                        for c in ours if c in verdicts]
                cells.append("; ".join(text + self.why(r, why)) or "–")
            out.append(cells)
        return ["", "## " + title, "", *table(head, out)]

    def why(self, row, why):
        """Return the reasons for our candidates that are worse."""
        found = []
        for mine, _, _, verdict in row.verdicts():
            if verdict != WORSE:
                continue
            name = "%s [%s]" % (row.name, mine)
            sentence = next((s for p, s in why if p.search(name)), None)
            if sentence and sentence not in found:
                found.append(sentence)
            if not sentence:
                self.unexplained.append((row, mine))
        return found

    def markdown(self, file):
        why = reasons()
        self.unexplained = []
        rows = [r for r in self.rows if r.file == file]
        text = ["# %s benchmark" % FILES[file], "", *["- " + h for h in self.header]]
        text += ["", self.outcome(file)]
        if file in self.extra:
            text += self.extra[file](self, rows)
        titles = list(dict.fromkeys(r.section for r in rows))
        for section in sorted(titles, key=lambda t: SECTIONS.index(t) if t in SECTIONS else 99):
            text += self.section(section, [r for r in rows if r.section == section], why)
        tables = {}
        for f, section, head, cells in self.lines:
            if f == file:
                tables.setdefault(section, (head, []))[1].append(cells)
        for section, (head, cells) in tables.items():
            text += ["", "## " + section, "", *table(head, cells)]
        notes = [n for f, n in self.notes if f == file]
        if notes:
            text += ["", "## Notes", "", *["- " + n for n in notes]]
        text += ["", "## Worse, reason unknown", ""]
        text += ["- %s: %s %s times as good as %s" % (
            r.name, self.titles[m], span(r.verdict(m)[1]), self.titles[r.verdict(m)[0]])
                 for r, m in self.unexplained] or ["None."]
        return "\n".join(text) + "\n"

    def files(self):
        there = {r.file for r in self.rows} | {line[0] for line in self.lines}
        return [f for f in FILES if f in there]

    def outcome(self, file):
        """Count verdicts; of what has no candidates, return the goals."""
        parts = []
        for c in self.titles:
            found = [v for r in self.rows if r.file == file for m, _, _, v in r.verdicts() if m == c]
            if found:
                parts.append("%s: %d rows better, %d even, %d worse" % (
                    self.titles[c], found.count(BETTER), found.count(EVEN), found.count(WORSE)))
        if not parts:
            parts = ["%s: %s (goal: %s)" % tuple(cells[:3]) for f, section, _, cells in self.lines
                     if f == file and section == "Goals"]
        return "; ".join(parts) + "." if parts else "No goals."

    def write_csv(self, path):
        with open(path, "w", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["row", "candidate", "unit", "median", "min", "max", "rounds",
                             "best rival", "times as good", "lowest", "highest", "verdict", "answer"])
            for r in self.rows:
                for c, values in r.values.items():
                    found = r.verdict(c) if c in r.ours else None
                    writer.writerow(
                        [r.name, c, r.unit]
                        + ["%.6g" % v for v in (r.median(c), min(values), max(values))]
                        + [len(values)]
                        + ([found[0], *["%.10g" % v for v in found[1][:3]], found[2].strip("*")]
                           if found else [""] * 5) + [r.answers.get(c, "")])

    def dump(self, path):
        with open(path, "w") as out:
            json.dump({**{k: v for k, v in vars(self).items() if k != "unexplained"}, "rows": None},
                      out, ensure_ascii=False)
            out.write("\n")
            for row in self.rows:   # one line each
                json.dump(vars(row), out, ensure_ascii=False)
                out.write("\n")

    @classmethod
    def load(cls, path):
        self = cls()
        try:
            with open(path) as found:
                vars(self).update(json.loads(next(found)))
                rows = [json.loads(line) for line in found]
        except FileNotFoundError:
            raise Failure("%s is not there: nothing has been measured yet" % path)
        self.rows = []
        for each in rows:
            row = Row.__new__(Row)
            vars(row).update(each)
            self.rows.append(row)
        return self

    def replace(self, again):
        """Replace rows of the same name by those measured again; likewise lines and notes."""
        new = {row.name: row for row in again.rows}
        old = [row.name for row in self.rows if row.file in again.files()]
        whole = again.files() if set(old) <= set(new) else []
        self.rows = [new.pop(row.name, row) for row in self.rows] + list(new.values())
        known = {(f, section, cells[0]) for f, section, _, cells in again.lines}
        self.lines = [one for one in self.lines if one[0] not in whole and
                      (one[0], one[1], one[3][0]) not in known] + again.lines
        self.notes = [n for n in self.notes if n[0] not in whole and n not in again.notes] + again.notes
        self.titles.update(again.titles)
        self.seconds.update(again.seconds)
        self.wrong += again.wrong
        if not old and self.header[0] == again.header[0]:
            self.header.append("%s: %s" % (", ".join(whole), again.header[-1]))
            return                  # another suite on the same commit
        self.header.append("measured again (%s): %s" % (
            ", ".join(again.header[:1] + [h for h in again.header if " run, " in h]),
            "all of " + ", ".join(whole) if whole else
            ", ".join([row.name for row in again.rows] or dict.fromkeys(line[1] for line in again.lines))))

    def summary(self, pictures):
        """Return README.md of the results: counts of verdicts, and the pictures."""
        text = ["# Results", "", *["- " + h for h in self.header], ""]
        text += ["- [%s.md](%s.md): %s" % (f, f, self.outcome(f)) for f in self.files()]
        text += ["- [results.csv](results.csv): every row and candidate;"
                 " results.json: every round", ""]
        text += ["How to read them: [bench/README.md](%s/README.md)." % os.path.relpath(
            HERE, self.directory), ""]
        for name, title in pictures:
            text += ["![%s](%s)" % (title, name), ""]
        return "\n".join(text)

    def write(self, directory, draw):
        """Write everything; draw(report, directory) makes the pictures."""
        os.makedirs(directory, exist_ok=True)
        self.directory = os.path.realpath(directory)
        path = lambda name: os.path.join(directory, name)
        for file in self.files():
            with open(path(file + ".md"), "w") as out:
                out.write(self.markdown(file))
        self.write_csv(path("results.csv"))
        pictures = draw(self, directory)
        with open(path("README.md"), "w") as out:
            out.write(self.summary(pictures))
        del self.directory
        self.dump(path("results.json"))
        say("written: %s" % directory)
