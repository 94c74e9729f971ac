"""The measurements of watches: tables of moving objects, whose pairs with fences triggers maintain."""
import watch_change
import watch_fences
import watch_moves
from report import short


def measurements(args):
    """Return (name, run) of each; run takes a WatchBench."""
    few, many = max(args.rows // 10, 1), args.rows
    found = [("moves, %s fences" % short(number), lambda b, n=number: watch_moves.moves(b, n))
             for number in (few, many)]
    found += [("small and large statements, %s fences" % short(few), lambda b: watch_moves.sizes(b, few)),
              ("moves near no fence", lambda b: watch_moves.beside(b, few))]
    found += [("moves, %s %s" % (short(few), kind), lambda b, k=kind: watch_moves.shapes(b, k, few))
              for kind in ("polygons", "circles")]
    found += [("writers, %s fences" % short(few), lambda b: watch_moves.writers(b, few)),
              ("statements that change no pair", lambda b: watch_change.idle(b, few)),
              ("moved viewers", watch_change.viewers)]
    found += [("self-watch, %s players" % short(number), lambda b, n=number: watch_change.players(b, n))
              for number in watch_change.players_of(args)]
    found += [("dwell, %s fences" % short(few), lambda b: watch_fences.dwell(b, few)),
              ("fences around shops", watch_fences.shops)]
    return [("watch: " + name, run) for name, run in found]
