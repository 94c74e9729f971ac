/*
 * watch_dwell.pml
 *	  A watch with a dwell time: who enters and leaves when.  src/watch.  README.md
 *	  explains it.
 *
 * One object, one fence, a clock.  Transactions move the object in and out, or touch its
 * row without a move; a timer calls spqtree_settle_watch.  Each may be rolled back.
 *
 *		mover	lock the object's row, change it		the statement
 *				lock the pair's row if it waits			settle, SPQ_WATCH_LOCK
 *				read the clock							take_stamp
 *				settle the pair							change_pairs_after_dwell
 *		timer	find a pair that is due					due_query
 *				lock it, or skip it; look again
 *				let it enter or leave
 *
 * Beside the pair's row stands what it has to be, the truth: computed from the times
 * of committed moves alone, without the timer.  Checked at each commit: the pair is
 * held if the object is inside; it has entered or not as the truth says, or the dwell
 * time is over since the last move; it waits since that move; times ascend; enter and
 * leave alternate.
 */
#ifndef MOVERS
#define MOVERS 2				/* transactions that move, at a time */
#endif
#ifndef TURNS
#define TURNS 1					/* of each process, one after the other */
#endif
#ifndef STATEMENTS
#define STATEMENTS 2			/* of a mover's transaction, at most */
#endif
#ifndef END
#define END 3					/* of the clock */
#endif
#define DWELL 2
#define TIMER MOVERS			/* the number of the timer */
#define TXS (MOVERS + 1)
#define NONE 15
#define MUST(cond, text) if :: (cond) :: else -> printf(text); assert(false) fi

byte clock;

/* committed */
bool inside;					/* the object is in the fence */
bool held, entered;				/* the pair's row; if neither, there is none */
byte waiting = NONE;
bool last_enter;				/* the last event was enter */
bool truth_entered;				/* at the last move */
byte truth_since;				/* time of the last move */

byte mover = NONE;				/* has locked the object's row */
byte locker = NONE;				/* has locked the pair's row */

/* of the transaction that has locked the row */
bool my_inside;
bool my_truth_entered;
byte my_truth_since;
bool my_held, my_entered;
byte my_waiting;
bool wrote;						/* the locker has changed the pair */
bool my_last;					/* as last_enter */

#define OWN(t) (locker == t && wrote)
#define HELD(t) (OWN(t) -> my_held : held)
#define ENTERED(t) (OWN(t) -> my_entered : entered)
#define WAITING(t) (OWN(t) -> my_waiting : waiting)
#define IS_DUE(w, time) (w != NONE && w + DWELL <= time)

/* Before the first change of the pair's row. */
inline begin_change(tx) {
	if
	:: !(locker == tx && wrote) ->
		MUST(locker == tx || locker == NONE, "FAULT: a locked row is changed\n");
		locker = tx;
		wrote = true;
		my_held = held;
		my_entered = entered;
		my_waiting = waiting;
		my_last = last_enter
	:: else
	fi
}

/* Log an event: the pair has entered or left. */
inline log_event(enters) {
	MUST(my_last != enters, "FAULT: an event is doubled\n");
	my_last = enters
}

inline undo(tx) {
	if :: locker == tx -> locker = NONE; wrote = false; my_held = false; my_entered = false; my_waiting = 0; my_last = false :: else fi;
	if :: mover == tx -> mover = NONE; my_inside = false; my_truth_entered = false; my_truth_since = 0 :: else fi
}

inline commit(tx) {
	if
	:: mover == tx -> inside = my_inside; truth_entered = my_truth_entered; truth_since = my_truth_since
	:: else
	fi;
	if
	:: locker == tx && wrote -> held = my_held; entered = my_entered; waiting = my_waiting; last_enter = my_last
	:: else
	fi;
	undo(tx);
	MUST(held == inside, "FAULT: a committed pair is wrong\n");
	MUST(entered == truth_entered || (entered == held && truth_since + DWELL <= clock), "FAULT: a pair has entered or left wrongly\n");
	MUST((waiting == NONE) == (entered == held), "FAULT: a pair waits for nothing\n");
	MUST(waiting == NONE || waiting == truth_since, "FAULT: a pair waits since another time\n");
	MUST(last_enter == entered, "FAULT: the events do not sum up to the pair\n")
}

proctype Mover(byte t)
{
	byte turn, n, time;
	bool was_inside, flips, saw_held, saw_entered;
	byte saw_waiting;

next:
	atomic { turn++; n = 0 };
	do
	:: n < STATEMENTS ->
#ifdef M_CLOCK
		atomic { n++; time = clock };
#else
		n++;
#endif
		/* the statement: lock the row, move the object or not */
		atomic { mover == NONE || mover == t ->
			if
			:: mover == NONE ->
				mover = t; my_inside = inside; my_truth_entered = truth_entered; my_truth_since = truth_since
			:: else
			fi;
			was_inside = my_inside;
			if :: my_inside = !my_inside :: true fi;
			flips = (was_inside != my_inside)
		};
		if
		:: flips ->
			/* = settle: lock the pair if it waits */
#ifdef M_LOCK
			atomic { saw_held = HELD(t); saw_entered = ENTERED(t); saw_waiting = WAITING(t) };
			atomic { locker == NONE || locker == t -> locker = t };
#else
			if
			:: atomic { WAITING(t) == NONE -> skip }
			:: atomic { WAITING(t) != NONE && (locker == NONE || locker == t) -> locker = t }
			fi;
#endif
			/* = take_stamp = change_pairs_after_dwell.  A timer may have locked a row and
			 * then seen that it is not due; it does not change it. */
			MUST(locker == NONE || locker == t || !wrote, "FAULT: a settled row is changed by another one\n");
			atomic { locker == NONE || locker == t ->
#ifndef M_CLOCK
				time = clock;
#endif
				begin_change(t);
#ifdef M_LOCK
				my_held = saw_held; my_entered = saw_entered; my_waiting = saw_waiting;
#endif
#ifndef M_DUE
				if
				:: IS_DUE(my_waiting, time) -> log_event(my_held); my_entered = my_held
				:: else
				fi;
#endif
				my_held = my_inside;
				my_waiting = (my_held == my_entered -> NONE : time);
				/* the truth */
				MUST(time >= my_truth_since, "FAULT: the times of a pair do not ascend\n");
				if :: time >= my_truth_since + DWELL -> my_truth_entered = was_inside :: else fi;
				my_truth_since = time
			}
		:: else ->
			/* = touch = due_query: what is due and not locked */
			atomic {
				if
				:: (locker == NONE || locker == t) && IS_DUE(WAITING(t), clock) ->
					begin_change(t);
					log_event(my_held);
					my_entered = my_held;
					my_waiting = NONE
				:: else
				fi
			}
		fi
	:: break
	od;
	if
	:: atomic { true -> commit(t) }
	:: atomic { true -> undo(t) }
	fi;
	atomic {
		n = 0; time = 0; was_inside = false; flips = false; saw_held = false; saw_entered = false; saw_waiting = 0;
		if :: turn < TURNS -> goto next :: else fi
	}
}

/* = spq_watch_settle_due */
proctype Timer()
{
	byte turn, time;
	bool saw_held;

again:
	/* the snapshot: a pair that is due */
	atomic { turn++; time = clock };
	if
	:: atomic { IS_DUE(waiting, time) -> saw_held = held };
		/* lock it, or skip it, and look again */
		atomic {
			if
			:: locker == NONE ->
				locker = TIMER;
#ifdef M_AGAIN
				begin_change(TIMER);
				log_event(saw_held);
				my_entered = saw_held;
				my_waiting = NONE
#else
				if
				:: IS_DUE(waiting, time) ->
					begin_change(TIMER);
					log_event(my_held);
					my_entered = my_held;
					my_waiting = NONE
				:: else
				fi
#endif
			:: else
			fi
		}
	:: atomic { !IS_DUE(waiting, time) -> skip }
	fi;
	if
	:: atomic { true -> commit(TIMER) }
	:: atomic { true -> undo(TIMER) }
	fi;
	atomic {
		time = 0; saw_held = false;
		if :: turn < TURNS -> goto again :: else fi
	}
}

proctype Clock()
{
	do
	:: atomic { clock < END -> clock++ }
	:: atomic { clock == END -> break }
	od
}

init {
	atomic {
		byte i;
		i = 0;
		do
		:: i < MOVERS -> run Mover(i); i++
		:: else -> break
		od;
		run Timer();
		run Clock()
	}
}
