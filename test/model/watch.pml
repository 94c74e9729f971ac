/*
 * watch.pml
 *	  Locks, snapshots and settling of a watch.  src/watch.  README.md explains it.
 *
 * Transactions of one or two statements change objects and fences.  A position is
 * one of some places, and a pair holds if the object and the fence are at the same
 * place.  Each statement is three steps, as the triggers make it:
 *
 *		BEFORE STATEMENT	lock the sequence			spq_watch_lock
 *		the statement		lock and change a row
 *		AFTER STATEMENT		settle the row's pairs		spq_watch_changed
 *
 * A row has the committed value and, while a transaction has changed it, that
 * transaction's value: the row lock.  The pairs of a transaction are its changes of
 * the table of pairs.
 *
 * Checked after each commit, by check(): the committed pairs are those that hold
 * between committed rows, and the events of a pair alternate.
 */
#ifndef TXS
#define TXS 2					/* transactions at a time */
#endif
#ifndef STATEMENTS
#define STATEMENTS 2			/* of a transaction, at most */
#endif
#ifndef TURNS
#define TURNS 1					/* transactions of a process, one after the other */
#endif
#ifndef PLACES
#define PLACES 2
#endif
#define NONE	15
#define MUST(cond, text) if :: (cond) :: else -> printf(text); assert(false) fi

#ifdef SELF
/* Objects are their own fences: row i has a position and, as a fence, an area. */
#define N 2						/* rows */
#define COLUMNS 2				/* columns: 0 is the position, 1 the area */
#define IS_PAIR(o, f) (o != f)
#define AREA 1
#else
/* Rows 0 .. N - 2 are objects, the last one is the fence. */
#define N 3
#define COLUMNS 1
#define IS_PAIR(o, f) (o < N - 1 && f == N - 1)
#define AREA 0
#endif

#define CELL(r, c) ((r) * COLUMNS + (c))
#define PAIR(o, f) ((o) * N + (f))
#define OWN(t, i) ((t) * N * N + (i))

byte place[N * COLUMNS];		/* committed values */
byte version[N];				/* grows with each committed change of a row */
byte writer[N];					/* the transaction that has changed a row; or NONE */
byte mine[N * COLUMNS];			/* its values */
byte pairs[N * N];				/* committed pairs */
byte change[TXS * N * N];		/* a transaction's change: 0 none, 1 begins, 2 ends */
byte last[N * N];				/* the last committed event: 0 none, 1 enter, 2 leave */

byte shared;					/* transactions that hold ROW EXCLUSIVE */
byte exclusive = NONE;			/* ... or SHARE ROW EXCLUSIVE */

/* what transaction t sees in the latest snapshot: its own value, or the committed one */
#define SEES(t, r, c) (writer[r] == t -> mine[CELL(r, c)] : place[CELL(r, c)])
#define HELD(t, i) (change[OWN(t, i)] == 1 || (change[OWN(t, i)] == 0 && pairs[i]))

/* = lock_mode */
#if defined(SELF) && !defined(M_SELF_MODE)
#define IS_EXCLUSIVE(r) true
#elif defined(SELF)
#define IS_EXCLUSIVE(r) false
#elif defined(M_MODE)
#define IS_EXCLUSIVE(r) false
#else
#define IS_EXCLUSIVE(r) (r == N - 1)
#endif

#define HAS_LOCK(t, r) (exclusive == t || (!IS_EXCLUSIVE(r) && (shared & (1 << t)) != 0))
#define CAN_LOCK(t, r) ((exclusive == NONE || exclusive == t) && \
						(!IS_EXCLUSIVE(r) || (shared & ~(1 << t)) == 0))

inline take_lock(tx, row) {
	if
	:: IS_EXCLUSIVE(row) -> exclusive = tx
	:: else -> shared = shared | (1 << tx)
	fi
}

inline release_lock(tx) {
	shared = shared & ~(1 << tx);
	if :: exclusive == tx -> exclusive = NONE :: else fi
}

/* Compare what is committed with the truth. */
inline check() {
	o = 0;
	do
	:: o < N ->
		f = 0;
		do
		:: f < N ->
			if
			:: IS_PAIR(o, f) ->
				MUST(pairs[PAIR(o, f)] == (place[CELL(o, 0)] == place[CELL(f, AREA)]),
					 "FAULT: a committed pair is wrong\n")
			:: else
			fi;
			f++
		:: else -> break
		od;
		o++
	:: else -> break
	od
}

#if defined(M_SNAPSHOT) || defined(M_STATEMENT)
/* as an older snapshot shows a row */
#define READS(t, r, c) (writer[r] == t -> mine[CELL(r, c)] : snapshot[CELL(r, c)])
#else
#define READS(t, r, c) SEES(t, r, c)
#endif

inline settle_pair(tx, ob, fe) {
	if
	:: IS_PAIR(ob, fe) ->
		if
		:: (READS(tx, ob, 0) == READS(tx, fe, AREA)) != HELD(tx, PAIR(ob, fe)) ->
			change[OWN(tx, PAIR(ob, fe))] = (HELD(tx, PAIR(ob, fe)) -> (pairs[PAIR(ob, fe)] -> 2 : 0) :
										  (pairs[PAIR(ob, fe)] -> 0 : 1))
		:: else
		fi
	:: else
	fi
}

#if defined(M_VIEW)
#define FENCE snapshot[CELL(N - 1, AREA)]
#else
#define FENCE SEES(t, N - 1, AREA)
#endif

/* = found_fence: the fence sees the old and the new place of an object alike */
#ifdef SELF
#define SEEN_ALIKE(row) false
#else
#define SEEN_ALIKE(row) (row < N - 1 && \
						 (before[CELL(row, 0)] == FENCE) == (mine[CELL(row, 0)] == FENCE))
#endif

/* = settle = both_states: settle the pairs of a row, from both ends */
inline settle(tx, row) {
	o = 0;
	do
	:: SEEN_ALIKE(row) -> break
	:: !SEEN_ALIKE(row) && o < N ->
#ifdef M_SIGHT
		/* = same_row: a row counts as changed only if its position has */
		if :: col == 0 -> settle_pair(tx, row, o); settle_pair(tx, o, row) :: else fi;
#else
		settle_pair(tx, row, o);
		settle_pair(tx, o, row);
#endif
		o++
	:: else -> break
	od
}

inline take_snapshot() {
	o = 0;
	do
	:: o < N * COLUMNS -> snapshot[o] = place[o]; o++
	:: else -> break
	od
}

proctype Transaction(byte t)
{
	byte turn, n, r, col, o, f, seen[N], had_lock, before[N * COLUMNS], was_writer;
	byte saved[N * N];
	bool repeatable;
#if defined(M_SNAPSHOT) || defined(M_STATEMENT) || defined(M_VIEW)
	byte snapshot[N * COLUMNS];
#endif

next:
	/* BEGIN, and the snapshot of REPEATABLE READ at the first statement */
	atomic {
		turn++;
		n = 0;
		if :: repeatable = true :: repeatable = false fi;
		o = 0;
		do
		:: o < N -> seen[o] = version[o]; o++
		:: else -> break
		od;
#ifdef M_SNAPSHOT
		take_snapshot()
#endif
	};
	do
	:: n < STATEMENTS ->
		/* choose a row and a column to change */
		atomic {
			n++;
			if :: r = 0 :: r = 1
#if N > 2
			:: r = 2
#endif
			fi;
			if :: col = 0
#if COLUMNS > 1
			:: col = 1
#endif
			fi;
			had_lock = HAS_LOCK(t, r);
#if defined(M_STATEMENT) || defined(M_VIEW)
			take_snapshot()
#endif
		};
		/* = spq_watch_lock */
		if
		:: atomic { CAN_LOCK(t, r) -> take_lock(t, r) }
#if STATEMENTS > 1
		:: !CAN_LOCK(t, r) -> goto abort			/* a deadlock's victim */
#endif
		fi;
		/* the statement: lock the row, change the column */
		if
		:: atomic { writer[r] == NONE || writer[r] == t ->
			if
			:: repeatable && version[r] != seen[r] && writer[r] != t -> goto abort
			:: else
			fi;
			was_writer = (writer[r] == t);
			o = 0;
			do
			:: o < COLUMNS ->
				if :: !was_writer -> mine[CELL(r, o)] = place[CELL(r, o)] :: else fi;
				before[CELL(r, o)] = mine[CELL(r, o)];
				o++
			:: else -> break
			od;
			writer[r] = t;
			if
			:: mine[CELL(r, col)] = (mine[CELL(r, col)] + 1) % PLACES
#if PLACES > 2
			:: mine[CELL(r, col)] = (mine[CELL(r, col)] + 2) % PLACES
#endif
			fi;
			o = 0;
			do
			:: o < N * N -> saved[o] = change[OWN(t, o)]; o++
			:: else -> break
			od }
#if STATEMENTS > 1
		:: writer[r] != NONE && writer[r] != t -> goto abort
#endif
		fi;
		/* = spq_watch_changed = spq_watch_settle */
		atomic { settle(t, r) };
#ifdef M_RELEASE
		atomic { release_lock(t) };
#endif
		/* a savepoint before the statement may be rolled back */
		if
		:: true
		:: atomic { true ->
			o = 0;
			do
			:: o < COLUMNS -> mine[CELL(r, o)] = before[CELL(r, o)]; before[CELL(r, o)] = 0; o++
			:: else -> break
			od;
			if :: !was_writer -> writer[r] = NONE :: else fi;
#ifndef M_UNDO
			o = 0;
			do
			:: o < N * N -> change[OWN(t, o)] = saved[o]; o++
			:: else -> break
			od;
#endif
#ifdef M_SAVEPOINT
			release_lock(t)
#else
			/* a lock that the statement took goes with it */
			if
			:: !had_lock && IS_EXCLUSIVE(r) -> exclusive = NONE
			:: !had_lock && !IS_EXCLUSIVE(r) -> shared = shared & ~(1 << t)
			:: else
			fi
#endif
			}
		fi
	:: break
	od;
	/* COMMIT */
	atomic {
		o = 0;
		do
		:: o < N ->
			if
			:: writer[o] == t ->
				f = 0;
				do
				:: f < COLUMNS -> place[CELL(o, f)] = mine[CELL(o, f)]; mine[CELL(o, f)] = 0; f++
				:: else -> break
				od;
				writer[o] = NONE;
				version[o] = (version[o] + 1) % 4
			:: else
			fi;
			o++
		:: else -> break
		od;
		o = 0;
		do
		:: o < N * N ->
			if
			:: change[OWN(t, o)] == 1 ->
				MUST(last[o] != 1 && !pairs[o], "FAULT: a pair begins twice\n");
				last[o] = 1; pairs[o] = 1
			:: change[OWN(t, o)] == 2 ->
				MUST(last[o] == 1 && pairs[o], "FAULT: a pair ends twice\n");
				last[o] = 2; pairs[o] = 0
			:: else
			fi;
			change[OWN(t, o)] = 0;
			o++
		:: else -> break
		od;
		release_lock(t);
		check();
		goto finished
	};
abort:
	atomic {
		o = 0;
		do
		:: o < N ->
			if
			:: writer[o] == t ->
				writer[o] = NONE;
				f = 0;
				do
				:: f < COLUMNS -> mine[CELL(o, f)] = 0; f++
				:: else -> break
				od
			:: else
			fi;
			o++
		:: else -> break
		od;
		o = 0;
		do
		:: o < N * N -> change[OWN(t, o)] = 0; o++
		:: else -> break
		od;
		release_lock(t)
	};
finished:
	atomic {
		o = 0; f = 0; r = 0; col = 0; had_lock = 0; was_writer = 0;
		n = 0;
		do
		:: n < N * N -> saved[n] = 0; n++
		:: else -> break
		od;
		n = 0;
		do
		:: n < N * COLUMNS -> before[n] = 0; n++
		:: else -> break
		od;
		n = 0;
		if :: turn < TURNS -> goto next :: else fi
	}
}

init {
	atomic {
		byte i, o, f;
		/* one object is at the fence's place, the other is not */
		place[CELL(1, 0)] = 1;
		i = 0;
		do
		:: i < N -> writer[i] = NONE; i++
		:: else -> break
		od;
		o = 0;
		do
		:: o < N ->
			f = 0;
			do
			:: f < N ->
				if
				:: IS_PAIR(o, f) && place[CELL(o, 0)] == place[CELL(f, AREA)] ->
					pairs[PAIR(o, f)] = 1; last[PAIR(o, f)] = 1
				:: else
				fi;
				f++
			:: else -> break
			od;
			o++
		:: else -> break
		od;
		i = 0;
		do
		:: i < TXS -> run Transaction(i); i++
		:: else -> break
		od
	}
}
