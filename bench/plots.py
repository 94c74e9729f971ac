"""Pictures of the results, by gnuplot: SVG on white, readable on any page.

A candidate has the same color in every picture; spqtree's are the darkest.
"""
import os
import re
import shutil
import subprocess

from common import say
from growing_outlook import BEYOND_MEMORY, IN_MEMORY, MEASURES, measure_of
from report import short

COLORS = {"rtree": "#0b2545", "spqtree": "#1b4f9c", "gist": "#d1603d",
           "spgist": "#e0a030", "pgis_gist": "#5f8f4e", "pgis_spgist": "#a3c585", "seq": "#999999",
           "node": "#1b4f9c", "function": "#5b9bd5", "loop_gist": "#d1603d", "table": "#999999"}
POINTS = {"rtree": 13, "spqtree": 7, "gist": 5, "spgist": 9, "pgis_gist": 11,
          "pgis_spgist": 15, "seq": 1, "node": 7, "loop_gist": 4, "table": 1}
STYLE = """set terminal svg size %d,%d background rgb 'white' dynamic noenhanced \\
  font 'Helvetica,Arial,sans-serif,13'
set output '%s'
set encoding utf8
set border 3 lw 1 lc rgb '#666666'
set tics nomirror textcolor rgb '#333333'
set errorbars small front lw 1 lc rgb '#333333'
set grid ytics lw 0.5 lc rgb '#dddddd'
set title font ',15' textcolor rgb '#222222'
"""
KEY = "set key %s samplen 2 textcolor rgb '#222222'\n"
# units of time from a microsecond on, for axes of milliseconds
TIMES = ("('1 µs' 1e-3, '10 µs' 1e-2, '100 µs' 1e-1, '1 ms' 1, '10 ms' 10, '100 ms' 100,"
         " '1 s' 1e3, '10 s' 1e4, '100 s' 1e5, '1,000 s' 1e6)")
LABEL = "set %slabel '%s' textcolor rgb '#333333'\n"


def draw(report, directory):
    """Draw the pictures of a report.  Return [(file, title)] of those in the directory."""
    gnuplot = shutil.which("gnuplot")
    if not gnuplot:
        say("no new pictures: gnuplot is not installed (Debian: gnuplot-nox)")
    drawn = []
    for name, title, picture in (
            ("build.svg", "Building an index: time and size", build),
            ("scan.svg", "Scans: time against rows found", scans),
            ("throughput.svg", "Transactions per second", throughput),
            ("join.svg", "Joins: times as fast as the best plan without spqtree", joins),
            ("growing.svg", "Cost as work grows", growing)):
        path = os.path.join(directory, name)
        script = gnuplot and picture(report, path)
        if not script:
            if not gnuplot and os.path.exists(path):
                drawn.append((name, title))     # from an earlier measurement
            continue
        done = subprocess.run(["gnuplot"], input=script, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT,
                              env=dict(os.environ, LC_ALL="C.UTF-8"))
        if done.returncode != 0 or "warning" in done.stdout:
            say("gnuplot, %s: %s" % (name, done.stdout.strip()))
        if done.returncode == 0:
            drawn.append((name, title))
    return drawn


def quoted(text):
    return "'%s'" % text.replace("'", "''")


def block(name, points):
    return "$%s << END\n%s\nEND\n" % (name, "\n".join(
        " ".join('"%s"' % v if isinstance(v, str) else "%.6g" % v for v in p) for p in points))


def lines(report, rows, cands, tag):
    """Return the data blocks and the plot command, with a line per candidate: size, median, min, max."""
    data, plots = curves(report, rows, cands, tag)
    return data, "plot " + ", \\\n  ".join(plots) + "\n" if plots else ""


def curves(report, rows, cands, tag, dash=""):
    """Return the data blocks, and a list of what to plot."""
    data, plots = "", []
    for cand in cands:
        found = sorted((r.size, r.median(cand), min(r.values[cand]), max(r.values[cand]))
                       for r in rows if r.values.get(cand) and r.size)
        if not found:
            continue
        # in a small run, two rows may have nearly the same size: keep the first
        found = [p for i, p in enumerate(found) if i == 0 or p[0] > 1.2 * found[i - 1][0]]
        name = "%s_%s" % (tag, cand)
        data += block(name, found)
        look = "lc rgb '%s'" % COLORS[cand]
        plots.append("$%s using 1:2 with linespoints lw 2 pt %d ps 0.7 %s title %s"
                     % (name, POINTS[cand], look + dash, quoted(report.titles[cand])))
    return data, plots


def two_panels(path, left, right):
    """left, right: (title, labels of the axes, data, settings, plot)"""
    out = STYLE % (1000, 470, path)
    out += left[2] + right[2]
    out += "set multiplot layout 1,2\n" + KEY % "inside right bottom"
    for title, (x, y), _, settings, plot in (left, right):
        out += "set title %s\n%s%sset logscale xy\n%s%s" % (
            quoted(title), LABEL % ("x", x), LABEL % ("y", y), settings, plot)
    return out + "unset multiplot\n"


def build(report, path):
    panels = []
    for kind, title, unit in (("build", "Time of CREATE INDEX", "seconds"),
                              ("size", "Size of the index", "MB")):
        rows = [r for r in report.rows if r.name.startswith("index: %s U " % kind)
                and r.name.endswith("rows")]
        data, plot = lines(report, rows, report.candidates(rows), kind)
        if not plot:
            return None
        ticks = sorted({r.size for r in rows})
        settings = "set format y '%%g'\nset xrange [%g:%g]\nset xtics (%s)\n" % (
            ticks[0] * 0.7, ticks[-1] * 1.4, ", ".join("'%s' %d" % (short(t), t) for t in ticks))
        panels.append((title, ("rows of U", unit), data, settings, plot))
    return two_panels(path, *panels)


def scans(report, path):
    panels = []
    for plan in ("index-only", "plain"):
        rows = [r for r in report.rows if r.name.startswith("index: U && ")
                and r.name.endswith(", " + plan)]
        data, plot = lines(report, rows, report.candidates(rows), plan.replace("-", ""))
        if not plot:
            return None
        panels.append(("%s scans" % plan.capitalize(), ("rows found by a scan (U &&)",
                                                         "time per scan"), data,
                       "set ytics %s\nset xtics ('1' 1, '10' 10, '100' 100, '1,000' 1000,"
                       " '10,000' 1e4, '100,000' 1e5, '1,000,000' 1e6)\n" % TIMES, plot))
    return two_panels(path, *panels)


def throughput(report, path):
    rows = [r for r in report.rows if r.file == "index" and r.unit == "1/s"]
    if not rows:
        return None
    cands = report.candidates(rows)
    out = STYLE % (1000, 400, path) + KEY % "outside right top vertical Left reverse"
    out += block("bars", [[re.sub(" clients?$", "", r.name.partition(": ")[2])] + [
        v for c in cands for v in ((r.median(c), min(r.values[c]), max(r.values[c]))
                                   if r.values.get(c) else (0, 0, 0))] for r in rows])
    out += LABEL % ("y", "transactions per second")
    out += ("set title 'Transactions of one row, by one client and by four'\n"
            "set style data histogram\nset style histogram errorbars gap 2 lw 1\n"
            "set style fill solid 0.9 noborder\nset boxwidth 0.9\nset yrange [0:*]\n"
            "set format y \"%'.0f\"\nset tics scale 0.5\n")
    plots = ["$bars using %d:%d:%d:xtic(1) lc rgb '%s' title %s" % (
        2 + 3 * i, 3 + 3 * i, 4 + 3 * i, COLORS[c], quoted(report.titles[c]))
             for i, c in enumerate(cands)]
    return out + "plot " + ", \\\n  ".join(plots) + "\n"


def joins(report, path):
    """Draw a bar for each row: right of 1 if the node is faster, left of 1 if it is slower."""
    rows = [(r, r.verdict("node")[1]) for r in report.rows
            if r.file == "join" and r.verdict("node")][::-1]
    if not rows:
        return None
    out = STYLE % (900, 110 + 21 * len(rows), path)
    out += block("bars", [[i, ratio[0], ratio[1], ratio[2]]
                          for i, (_, ratio) in enumerate(rows)])
    most = max(ratio[2] for _, ratio in rows)
    out += ("set title 'Spatial hash join: times as fast as the best plan without spqtree'\n"
            "set logscale x\nset xrange [%g:%g]\nset yrange [-0.7:%g]\nunset key\n"
            "set grid xtics noytics lw 0.5 lc rgb '#dddddd'\nset format x '%%g×'\n"
            "set xtics (%s)\nset style fill solid 0.9 noborder\nset ytics scale 0 (%s)\n"
            "set arrow from 1, graph 0 to 1, graph 1 nohead lw 1 lc rgb '#666666' front\n" % (
                min(0.5, 0.8 * min(ratio[1] for _, ratio in rows)), most * 1.5, len(rows) - 0.3,
                ", ".join("'%g×' %g" % (t, t) for t in
                          [m * 10 ** e for e in range(-3, 5)
                           for m in ((1, 2, 5) if e >= 0 else (1,))]),
                ", ".join("%s %d" % (quoted(r.name.partition(": ")[2]), i)
                          for i, (r, _) in enumerate(rows))))
    # from 1 to the ratio, whichever is larger
    return out + (
        "plot $bars using (1):1:(1 < $2 ? 1 : $2):(1 < $2 ? $2 : 1):($1-0.35):($1+0.35)"
        " with boxxyerror lc rgb '%s', \\\n"
        "  $bars using 2:1:3:4 with xerrorbars pt 0 lw 1 lc rgb '#222222'\n" % COLORS["node"])


def growing(report, path):
    """Draw six panels of lines by size, dashed beyond memory, and a key below them."""
    rows = [r for r in report.rows if r.file == "growing"]
    sizes = sorted({r.size for r in rows})
    if not sizes:
        return None
    cands = report.candidates(rows)
    out = STYLE % (1080, 740, path) + "set logscale xy\nset format y '%g'\n"
    out += "set xrange [%g:%g]\nset xtics (%s)\n" % (
        sizes[0] * 0.7, sizes[-1] * 1.5, ", ".join("'%s' %d" % (short(n), n) for n in sizes))
    panels, data = "", ""
    for number, (measure, title) in enumerate(zip(MEASURES, (
            "Building the index, seconds", "Size, MB", "Scan of ten rows", "Scan of a thousand rows",
            "The nearest ten", "Join with as many rows"))):
        plots = []
        for where, dash in (("", ""), (IN_MEMORY, ""), (BEYOND_MEMORY, " dt 2")):
            found = curves(report, [r for r in rows if measure_of(r) == measure + where], cands,
                           "p%d%s" % (number, "_far" if dash else ""), dash)
            data += found[0]
            plots += found[1]
        if not plots:
            continue
        left, bottom = 0.07 + 0.33 * (number % 3), 0.61 if number < 3 else 0.17
        panels += ("set lmargin at screen %g\nset rmargin at screen %g\nset bmargin at screen %g\nset tmargin at"
                   " screen %g\nunset key\n" % (left, left + 0.25, bottom, bottom + 0.32))
        panels += "set title %s\n" % quoted(title) + (
            "set ytics auto\n" if number < 2 else "set ytics %s\n" % TIMES)
        panels += LABEL % ("x", "rows" if number > 2 else "") + "plot " + ", \\\n  ".join(plots) + "\n"
    if not panels:
        return None
    key = ["NaN with linespoints lw 2 pt %d ps 0.7 lc rgb '%s' title %s" % (
        POINTS[c], COLORS[c], quoted(report.titles[c])) for c in cands]
    key.append("NaN with lines lw 2 lc rgb '#333333' dt 2 title 'beyond memory'")
    return out + data + "set multiplot\n" + panels + (
        "set lmargin at screen 0.05\nset rmargin at screen 0.95\nset bmargin at screen 0.01\n"
        "set tmargin at screen 0.07\nunset title\nunset xlabel\nunset tics\nunset border\n"
        "unset grid\nunset logscale\nset xrange [0:1]\nset yrange [0:1]\n"
        "set key center center horizontal maxrows 1 samplen 3 textcolor rgb '#222222'\nplot ") + (
            ", \\\n  ".join(key) + "\nunset multiplot\n")
