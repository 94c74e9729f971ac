"""The measurements in three dimensions, in an order that keeps each table only while it is needed."""
import space_join
import space_pairs
import space_scan
import space_shapes
import space_trips
from space_base import ORDERS, TITLES


def measurements(args):
    """Return (name, run) of each; run takes a SpaceBench."""
    found = []
    for kind, title in TITLES.items():
        found.append(("build %s" % title, lambda b, k=kind: space_scan.build(b, k)))
        found += [(s.name, s.run) for s in space_scan.scans() if s.kind == kind]
        if kind not in ORDERS:
            found += [("%s first hit" % title, lambda b, k=kind: space_shapes.first_hit(b, k)),
                      ("%s frustum" % title, lambda b, k=kind: space_shapes.frustum(b, k))]
        if kind != "u":
            found[-1] = (found[-1][0], then_drop(found[-1][1], kind))
    found += [("first hit, a tenth of U", space_shapes.first_hit_of_few),
              *space_join.measurements(args), *space_pairs.measurements(args), *space_trips.measurements()]
    return [("space: " + name, run) for name, run in found]


def then_drop(run, kind):
    """Drop the tables after the last measurement that uses them."""
    def both(bench):
        run(bench)
        bench.heaps.drop(kind)
    return both
