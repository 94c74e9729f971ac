/*
 * parallel.pml
 *	  A scan by several processes: the shared stack, and when a process ends or waits.
 *	  src/rtree/scan/parallel_scan.c.  README.md explains it.
 *
 * Parts have numbers.  Part 0 is the root, whose page leads to 1, 2 and 3; 1 is an inner
 * page that leads to 4 and 5; 6 is the chain of NULLs, which leads to 7.  The others are
 * leaves, and leaf 2 has been split: it leads to part 8, its right neighbor.
 */
#ifndef N
#define N 2						/* processes */
#endif
#ifndef ROOM
#define ROOM 2					/* parts that there is room for in shared memory */
#endif
#ifndef FIRST
#define FIRST 65				/* parts of the beginning: the root and the chain of NULLs */
#endif
#define B(i)	(1 << (i))
#define HAS(m,i)	(((m) >> (i)) & 1)
#define CNT(m)	(((m)&1)+(((m)>>1)&1)+(((m)>>2)&1)+(((m)>>3)&1)+(((m)>>4)&1)+(((m)>>5)&1)+(((m)>>6)&1)+(((m)>>7)&1)+(((m)>>8)&1))
#define MUST(cond, text) if :: (cond) :: else -> printf(text); assert(false) fi
#define LEADS(p) ((p) == 0 -> 14 : ((p) == 1 -> 48 : ((p) == 2 -> 256 : ((p) == 6 -> 128 : 0))))
#define IS_LEAF(p) ((p) == 2 || (p) == 3 || (p) == 4 || (p) == 5 || (p) == 8)
#define ALL_PARTS (FIRST == 0 -> 0 : 511)

/* shared memory */
bool locked, begun;
byte nreading;
short parts;					/* the stack: a set, since any order is right */
byte waiting;					/* the condition variable's list of processes */

short done;						/* parts that have been read */
byte inner;						/* processes that read a page that leads to more: of those
								 * that were taken from the shared stack */
byte pinned;					/* processes that keep the pin of a leaf */
bool enough;					/* the executor wants no more rows */

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

/* = spq_rtree_give_shared, and the broadcast of the condition variable */
inline give() {
#ifdef M_GIVE_TWICE
	/* nreading falls before the parts are there */
	lock(); nreading = nreading - reading; unlock();
#endif
	lock();
	atomic {
		do												/* as many as there is room for */
		:: own != 0 && CNT(parts) < ROOM -> p = 0;
			do
			:: HAS(own, p) -> break
			:: else -> p++
			od;
			own = own & ~B(p); parts = parts | B(p)
		:: else -> break
		od;
#ifdef M_DROP
		own = 0;
#endif
		p = 0;
#ifndef M_GIVE_TWICE
		nreading = nreading - reading;
#endif
		inner = inner & ~B(me)
	};
	unlock();
	reading = false;
#ifndef M_NO_BROADCAST
	waiting = 0
#endif
}

proctype Process(byte me)
{
	short own;
	byte p;
	bool reading, prepared, taken, waits, ended;

	/* = spq_rtree_enter_shared */
	lock();
	atomic {
		if
		:: !begun -> begun = true; reading = true; nreading++; own = FIRST; inner = inner | B(me)
		:: else
		fi };
	unlock();

	do
	:: ended -> break
	:: else ->
		/* = spq_rtree_next_leaf leaves its leaf first */
#ifndef M_KEEP_LEAF
		pinned = pinned & ~B(me);
#endif
		/* = take_span */
		if
		:: own != 0 -> atomic { taken = true; p = 0;
				do
				:: HAS(own, p) -> break
				:: else -> p++
				od;
				own = own & ~B(p) }
		:: else ->
			if
#ifndef M_NOTHING
			:: reading -> give()
#endif
			:: else
			fi;
			/* = spq_rtree_take_shared */
			do
			:: true ->
#ifndef M_UNLOCKED
				lock();
#endif
				atomic { taken = (parts != 0); waits = !taken && nreading > 0;
					MUST(taken || waits || enough || inner == 0, "FAULT: a process ends although another one reads an inner page\n") };
				if
				:: taken -> atomic { p = 0;
						do
						:: HAS(parts, p) -> break
						:: p < 9 && !HAS(parts, p) -> p++
						:: p == 9 -> break
						od };
#ifdef M_UNLOCKED
					skip;
#endif
					atomic { parts = parts & ~B(p);
						reading = !IS_LEAF(p);
						if :: reading -> inner = inner | B(me) :: else fi };
#ifdef M_READING_LATE
					unlock(); lock();
#endif
					nreading = nreading + reading
				:: else
				fi;
#ifndef M_UNLOCKED
				unlock();
#endif
				if
				:: waits ->
					MUST(!HAS(pinned, me), "FAULT: a process that waits has a pin\n");
#ifdef M_SLEEP
					/* into the list only now: what happened since the lock was released is lost */
					waiting = waiting | B(me); !HAS(waiting, me)
#else
					/* = ConditionVariableSleep: the first call only enters the list */
					if
					:: !prepared -> atomic { prepared = true; waiting = waiting | B(me) }
					:: else -> atomic { !HAS(waiting, me) -> waiting = waiting | B(me) }
					fi
#endif
				:: else -> break
				fi
			od;
			/* = ConditionVariableCancelSleep */
			atomic { prepared = false; waiting = waiting & ~B(me); waits = false }
		fi;
		if
		:: !taken -> ended = true
		:: else ->
			/* read the page: what it leads to goes onto the own stack */
			atomic { taken = false;
				MUST(!HAS(done, p), "FAULT: a part is read twice\n");
				done = done | B(p);
				own = own | LEADS(p);
				if :: IS_LEAF(p) -> pinned = pinned | B(me) :: else fi;
				printf("process %d reads part %d\n", me, p) };
			/* = leave_page */
			if
			:: reading || own != 0 -> give()
			:: else
			fi;
			/* a leaf returns its rows, and the executor may ask for no more */
			if
#ifdef STOPS
			:: IS_LEAF(p) -> atomic { enough = true; ended = true; printf("process %d: no more rows are wanted\n", me) }
#endif
			:: true
			fi;
			p = 0
		fi
	od;
	pinned = pinned & ~B(me)
}

init { atomic {
	byte k;
	for (k : 1 .. N) { run Process(k - 1) };
	k = 0 };
	_nr_pr == 1 -> MUST(enough || done == ALL_PARTS, "FAULT: a span is not read\n")
}
