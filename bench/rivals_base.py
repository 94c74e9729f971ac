"""The programs of kernel/ and rivals/: built once, and run.  What is missing is left out, with a note."""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile

from common import Failure, HERE

# Program in rivals/: title, Debian package.
LIBRARIES = {
    "boost": ("Boost's R-tree", "libboost-dev"),
    "cgal": ("CGAL's box_intersection_d", "libcgal-dev"),
    "spatialindex": ("libspatialindex' R*-tree", "libspatialindex-dev"),
    "geos": ("GEOS' STRtree", "libgeos-dev"),
    "embree": ("Embree", "libembree-dev, version 3"),
    "bullet": ("Bullet's trees", "libbullet-dev"),
    "ode": ("ODE's sweep and prune", "libode-dev"),
    "fcl": ("FCL's tree", "libfcl-dev"),
}
# Library in rivals/javascript.mjs: title, package of npm, which bench/run installs.
JAVASCRIPT = {
    "flatbush": ("flatbush", "flatbush"),
    "rbush": ("rbush", "rbush"),
    "kdbush": ("kdbush", "kdbush"),
    "box_intersect": ("box-intersect", "box-intersect"),
}
# The same of DuckDB.
DUCKDB = "@duckdb/node-api"
NO_PACKAGE = "no Node.js, or its package is not installed (bench/run installs it by npm)"
BUILT = {}


def built(folder):
    """Return the directory with the programs of a folder; those of rivals/ need headers."""
    if folder not in BUILT:
        where = tempfile.mkdtemp(prefix="spqtree-%s." % folder)
        atexit.register(shutil.rmtree, where, ignore_errors=True)
        os.chmod(where, 0o755)      # the server loads a library
        # the rest, if a library does not compile
        done = subprocess.run(["make", "-j2", "-C", os.path.join(HERE, folder), "OUT=" + where,
                               *(["-k"] if folder == "rivals" else [])],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0 and folder != "rivals":
            raise Failure("bench/%s does not build:\n%s" % (folder, done.stdout))
        BUILT[folder] = where
    return BUILT[folder]


def run(folder, program, *words):
    """Return the lines that a program prints, split into words."""
    command = javascript(program) if program in JAVASCRIPT else [os.path.join(built(folder), program)]
    done = subprocess.run([*command, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0 or done.stderr:
        raise Failure("bench/%s/%s %s: %s" % (folder, program, " ".join(map(str, words)), done.stderr))
    return [line.split() for line in done.stdout.splitlines()]


def libraries(report, file, names):
    """Return which of these libraries are there; note the others."""
    found = []
    for name in names:
        if name in JAVASCRIPT:
            title, there, why = JAVASCRIPT[name][0], javascript(name), NO_PACKAGE
        else:
            title, package = LIBRARIES[name]
            there = os.path.exists(os.path.join(built("rivals"), name))
            why = "no headers (Debian: %s), or its program does not compile" % package
        if there:
            found.append(name)
            report.titles.setdefault(name, title)
            version = "%s: version %s" % (title, " ".join(run("rivals", name, "version")[0]))
            if version not in report.header:
                report.header.append(version)
        else:
            report.note(file, "%s left out: %s" % (title, why))
    return found


def modules():
    """Return the directory in which bench/run installs packages of npm."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(os.environ.get("SPQTREE_CACHE") or os.path.join(cache, "spqtree"), "npm")


def node(program, package):
    """Return the beginning of a command for Node.js, or None if it or the package is missing."""
    if not shutil.which("node") or not os.path.isdir(os.path.join(modules(), "node_modules", package)):
        return None
    return ["node", os.path.join(HERE, "rivals", program), modules()]


def javascript(name):
    """Return the beginning of a command of a library in JavaScript, or None."""
    package = JAVASCRIPT[name][1]
    command = node("javascript.mjs", package)
    return command and [*command, package]


def duckdb():
    """Return the command that joins two files by DuckDB, or None."""
    return node("duckdb.mjs", DUCKDB)


def python_with(module, program):
    """Return the beginning of a command for a program of rivals/ that needs a module of Python, or None."""
    # Debian's package is for Debian's Python
    for python in dict.fromkeys((sys.executable, "/usr/bin/python3")):
        if os.path.exists(python) and subprocess.run([python, "-c", "import " + module],
                                                     stderr=subprocess.DEVNULL).returncode == 0:
            return [python, "-W", "ignore", os.path.join(HERE, "rivals", program)]
    return None


def shapely():
    """Return the command that joins two files by Shapely, or None."""
    return python_with("shapely", "shapely_join.py")


def export(bench, sql, name):
    """Write the rows of a query to a file that the server makes; return its path."""
    path = os.path.join(bench.server.dir, name + ".csv")
    bench.db.run("COPY (%s) TO '%s' (FORMAT csv)" % (sql, path))
    return path
