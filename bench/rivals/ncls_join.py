"""The join of two tables of half-open intervals by NCLS, nested containment lists, in Python.

    python3 ncls_join.py pairs LEFT RIGHT
    python3 ncls_join.py counts LEFT RIGHT

LEFT and RIGHT are files with lines "1 start end id", between them tabs, where start and end are
integers.  The lists are made of RIGHT and asked for all rows of LEFT at once: for the ids of all
pairs, or for the number of partners of each row.  Prints milliseconds of elapsed time to make them
and to search, the answer as bench/ranges_others.py writes it, and the version.  Reading the files
is not measured.
"""
import importlib.metadata
import sys
import time

import numpy
from ncls import NCLS


def read(path):
    table = numpy.loadtxt(path, dtype=numpy.int64, delimiter="\t", ndmin=2)
    # NCLS takes arrays whose numbers follow each other in memory
    return [numpy.ascontiguousarray(table[:, column]) for column in (1, 2, 3)]


def main():
    task, *files = sys.argv[1:]
    (starts, ends, ids), right = map(read, files)
    started = time.perf_counter()
    lists = NCLS(*right)
    built = time.perf_counter()
    if task == "pairs":
        left, partners = lists.all_overlaps_both(starts, ends, ids)
    else:
        rows, _ = lists.all_overlaps_both(starts, ends, numpy.arange(len(ids)))
        counts = numpy.bincount(rows, minlength=len(ids))
    done = time.perf_counter()
    if task == "pairs":
        answer = "%d pairs, %d" % (len(left), numpy.bitwise_xor(left, partners).sum())
    else:
        answer = "%d pairs of %d rows, %d" % (counts.sum(), numpy.count_nonzero(counts), (counts * counts).sum())
    print("\t".join(["%.3f" % ((built - started) * 1000), "%.3f" % ((done - built) * 1000), answer,
                     importlib.metadata.version("ncls")]))


if __name__ == "__main__":
    main()
