"""The measurements of ranges: indexes first, which the joins then use."""
import ranges_index
import ranges_join
import ranges_others


def measurements(args):
    """Return (name, run) of each; run takes a RangesBench."""
    found = [*ranges_index.of_ranges(args), *ranges_index.of_bookings(args),
             *ranges_index.of_versions(args)]
    found += [(join.what, join) for join in ranges_join.joins(args)]
    found += ranges_others.measurements(args)
    return [("ranges: " + name, run) for name, run in found]
