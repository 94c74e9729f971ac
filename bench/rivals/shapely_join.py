"""The join of two tables of boxes by Shapely's STRtree, as a program in Python would write it.

    python3 shapely_join.py LEFT RIGHT

LEFT and RIGHT are files with lines lx,ly,hx,hy.  The tree is built of LEFT, and the boxes
of RIGHT are its windows: all at once with Shapely 2, in a loop with Shapely 1.  Prints
milliseconds of elapsed time, pairs, and Shapely's version.  Making the geometries is not
measured.
"""
import csv
import sys
import time

import shapely
from shapely.geometry import box
from shapely.strtree import STRtree


def read(path):
    with open(path) as lines:
        return [box(*map(float, line)) for line in csv.reader(lines)]


def main():
    left, right = map(read, sys.argv[1:])
    started = time.perf_counter()
    tree = STRtree(left)
    if int(shapely.__version__.split(".")[0]) >= 2:
        pairs = tree.query(right).shape[1]
    else:
        pairs = sum(len(tree.query(window)) for window in right)
    print("%.3f %d %s" % ((time.perf_counter() - started) * 1000, pairs, shapely.__version__))


if __name__ == "__main__":
    main()
