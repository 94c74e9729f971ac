"""The measurements of joins."""
import join_changes
import join_chip
import join_counts
import join_dense
import join_engine
import join_game
import join_indexes
import join_kinds
import join_nearest
import join_nearest_engine
import join_neighbors
import join_others
import join_planning
import join_resting
import join_scans
import join_within


def measurements(args):
    """Return (name, run) of each; run takes a JoinBench."""
    found = [(j.what, j) for j in join_kinds.sizes(args)]
    found += [(j.what, j) for j in (*join_dense.joins(args), *join_within.joins(args))]
    found += [("engine " + s, lambda b, s=s: join_engine.engine(b, s)) for s in join_engine.SHAPES]
    found += [("engine in space " + s, lambda b, s=s: join_engine.engine3(b, s))
              for s in join_engine.SOLID]
    found += [(name, lambda b, w=what: join_scans.beside(b, w))
              for name, what in zip(join_scans.names(), join_scans.BESIDE)]
    found += [(name, lambda b, n=name: join_indexes.measure(b, n)) for name in join_indexes.names()]
    found += [(name, lambda b, n=name: join_counts.measure(b, n)) for name in join_counts.names()]
    found += [("memory", join_planning.memory), ("growth", join_planning.growth),
              ("planning", join_planning.planning),
              ("estimates of scans", join_planning.scan_estimates)]
    found += [("resting %s" % title, lambda b, t=title: join_resting.resting(b, t))
              for title in join_resting.SCENES]
    found += [("game %d" % n, lambda b, n=n: join_game.game(b, n)) for n in join_game.GAMES]
    found += [(name, lambda b, s=s: join_changes.changes(b, s))
              for s, name in enumerate(join_changes.names())]
    found += [("neighbors through nodes, %s" % title, lambda b, k=kind: join_neighbors.neighbors(b, k))
              for kind, title in join_neighbors.KINDS.items()]
    found += [("nearest %d" % k, lambda b, k=k: join_nearest.nearest(b, k)) for k in join_nearest.NEIGHBORS]
    found += [("nearest engine " + s, lambda b, s=s: join_nearest_engine.engine(b, s))
              for s in join_nearest_engine.SHAPES]
    found += [("other systems", join_others.others), ("touching shapes of a chip", join_chip.chip)]
    return [("join: " + name, run) for name, run in found]
