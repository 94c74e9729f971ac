/*
 * hints.pml
 *	  Dead rows that scans mark in a leaf, without WAL, beside VACUUM, insertions and a
 *	  crash.  src/rtree/scan/leaf.c.  README.md explains it.
 *
 * The leaf has two places, whose marks are two bits of one byte.  A row is its heap
 * slot.  There is a page in memory and one on disk; records have an LSN, which is the
 * number of the record.  A record of the index has the places and the byte of marks only
 * if the change makes them other ones; with FPW it is an image of the page.
 */
#ifndef SCANS
#define SCANS 2
#endif
#ifndef LOG
#define LOG 6					/* records */
#endif
#define NONE	3
#define B(i)	(1 << (i))
#define HAS(m,i)	(((m) >> (i)) & 1)
#define MUST(cond, text) if :: (cond) :: else -> printf(text); assert(false) fi

/* a heap slot: not used, a row that may be seen, a row that is dead to all */
#define UNUSED	0
#define LIVE	1
#define DEAD	2

byte tid[2], marks, lsn;		/* the page in memory */
byte dtid[2], dmarks, dlsn;		/* on disk */
bool xlock;						/* exclusively locked */
byte shared, pins;				/* share locks, pins that scans keep */
byte heap[3];
byte flushed, nlog;				/* WAL on disk, WAL written; all of the heap is in it */
bool crashed;

/* the WAL; a record is of the index (slot is NONE) or says what a heap slot is now */
byte wslot[LOG], wstate[LOG], wtid0[LOG], wtid1[LOG], wmarks[LOG];
bool wall[LOG], wm[LOG], w0[LOG], w1[LOG];

/* in the beginning */
#ifdef ALL_DEAD
#define START_HEAP heap[0] = DEAD; heap[1] = DEAD; heap[2] = UNUSED
#else
#define START_HEAP heap[0] = LIVE; heap[1] = LIVE; heap[2] = UNUSED
#endif

/* a mark must be of a row that is dead to all */
inline check() {
	MUST(!(marks & 1) || (tid[0] != NONE && heap[tid[0]] != LIVE), "FAULT: a row that is not dead is marked\n");
	MUST(!(marks & 2) || (tid[1] != NONE && heap[tid[1]] != LIVE), "FAULT: a row that is not dead is marked\n")
}

inline heap_record(s, state) {
	heap[s] = state;
	wslot[nlog] = s; wstate[nlog] = state; nlog++
}

/* = spq_rtree_delta_end: the new content is n0, n1, nm */
inline index_record(n0, n1, nm) {
	wslot[nlog] = NONE; wtid0[nlog] = n0; wtid1[nlog] = n1; wmarks[nlog] = nm;
	w0[nlog] = (n0 != tid[0]); w1[nlog] = (n1 != tid[1]); wm[nlog] = (nm != marks);
#ifdef FPW
	wall[nlog] = true;
#endif
	nlog++;
#ifndef M_UNLOGGED
	lsn = nlog;
#endif
	tid[0] = n0; tid[1] = n1; marks = nm;
	check()
}

/* = spq_rtree_get_tuple: a scan for the rows q; pinned: index-only, or not of an MVCC snapshot */
proctype Scan(byte q; bool pinned)
{
	byte seen[2], slsn, byte_;
	byte dead;

	/* = spq_rtree_enter_leaf: the rows are copied under the lock */
	atomic { !crashed && !xlock -> seen[0] = tid[0]; seen[1] = tid[1]; slsn = lsn;
		if :: pinned -> pins++ :: else fi };
	/* = spq_rtree_note_dead: the executor finds that rows are dead */
	atomic { !crashed ->
		if :: seen[0] != NONE && HAS(q, seen[0]) && heap[seen[0]] == DEAD -> dead = dead | 1 :: else fi;
		if :: seen[1] != NONE && HAS(q, seen[1]) && heap[seen[1]] == DEAD -> dead = dead | 2 :: else fi };
	/* = mark_dead, = spq_rtree_leave_leaf */
	if
	:: dead ->
		atomic { !crashed && !xlock -> shared++ };
		if
#ifdef M_LSN
		:: true ->
#else
		:: pinned || slsn == lsn ->
#endif
			/* each mark is a step of its own */
			if
#ifdef M_TID
			:: (dead & 1) ->
#else
			:: (dead & 1) && tid[0] == seen[0] ->
#endif
#ifdef M_OR
				byte_ = marks;
				atomic { !crashed -> marks = byte_ | 1; check() }
#else
				atomic { !crashed -> marks = marks | 1; check() }
#endif
			:: else
			fi;
			if
#ifdef M_TID
			:: (dead & 2) ->
#else
			:: (dead & 2) && tid[1] == seen[1] ->
#endif
#ifdef M_OR
				byte_ = marks;
				atomic { !crashed -> marks = byte_ | 2; check() }
#else
				atomic { !crashed -> marks = marks | 2; check() }
#endif
			:: else
			fi
		:: else
		fi;
		shared--
	:: else
	fi;
	atomic { if :: pinned && pins > 0 -> pins-- :: else fi; seen[0] = 0; seen[1] = 0; slsn = 0; dead = 0; byte_ = 0 };
end:
	skip
}

/*
 * A transaction deletes a row, and all transactions that see it have ended.  Its commit is on
 * disk, unless synchronous_commit is off.
 */
proctype Del(byte s)
{
	atomic { !crashed && heap[s] == LIVE && nlog < LOG -> heap_record(s, DEAD); printf("row %d is dead\n", s);
#ifndef ASYNCHRONOUS
		flushed = nlog
#endif
	}
}

/* what is left when the rows of the set are removed: the last one fills the gap, its mark moves along */
#define OUT(s,set)	((s) != NONE && HAS(set, s))
inline remove_rows(set) {						/* = spq_rtree_page_remove_rows */
	atomic {
		if
		:: OUT(tid[0], set) && OUT(tid[1], set) -> a = NONE; b = NONE; m = 0
		:: OUT(tid[0], set) && !OUT(tid[1], set) -> a = tid[1]; b = NONE;
#ifdef M_MOVE
			m = marks & 1				/* the mark stays at its place */
#else
			m = marks >> 1
#endif
		:: !OUT(tid[0], set) && OUT(tid[1], set) -> a = tid[0]; b = NONE;
#ifdef M_CLEAR
			m = marks					/* the mark of the place that becomes empty stays */
#else
			m = marks & 1
#endif
		:: else -> a = tid[0]; b = tid[1]; m = marks
		fi;
		if
		:: a != tid[0] || b != tid[1] -> index_record(a, b, m)
		:: else
		fi }
}

/*
 * = spq_rtree_bulk_delete, then the heap's slots are free.  Some rows may have died after
 * VACUUM has made its list: it removes those of a set only.
 */
proctype Vac(byte some)
{
	byte list, a, b, m;

	atomic { !crashed ->
		if :: heap[0] == DEAD -> list = list | 1 :: else fi;
		if :: heap[1] == DEAD -> list = list | 2 :: else fi;
		if :: heap[2] == DEAD -> list = list | 4 :: else fi;
		list = list & some };
#ifdef M_CLEANUP
	atomic { !crashed && !xlock && shared == 0 && nlog < LOG -> xlock = true };
#else
	atomic { !crashed && !xlock && shared == 0 && pins == 0 && nlog < LOG -> xlock = true };
#endif
	atomic { !crashed -> remove_rows(list); xlock = false; printf("vacuum: removes rows %d\n", list) };
	do
	:: atomic { !crashed && nlog < LOG && HAS(list,0) -> heap_record(0, UNUSED); list = list & ~1 }
	:: atomic { !crashed && nlog < LOG && HAS(list,1) -> heap_record(1, UNUSED); list = list & ~2 }
	:: atomic { !crashed && nlog < LOG && HAS(list,2) -> heap_record(2, UNUSED); list = list & ~4 }
	:: list == 0 -> break
	od;
	atomic { a = 0; b = 0; m = 0 }
}

/* = spq_rtree_insert: a new row in a slot of the heap, = spq_rtree_prune before */
proctype Ins()
{
	byte s, a, b, m, list;

	atomic { !crashed && nlog < LOG ->
		if
		:: heap[0] == UNUSED -> s = 0
		:: heap[1] == UNUSED -> s = 1
		:: heap[2] == UNUSED -> s = 2
		fi;
		heap_record(s, LIVE); printf("a new row in slot %d\n", s) };
	atomic { !crashed && !xlock && shared == 0 && nlog < LOG -> xlock = true };
#ifdef PRUNE
	atomic { !crashed && nlog < LOG ->
		if :: heap[0] == DEAD -> list = list | 1 :: else fi;
		if :: heap[1] == DEAD -> list = list | 2 :: else fi;
		if :: heap[2] == DEAD -> list = list | 4 :: else fi;
		remove_rows(list); list = 0 };
#endif
	atomic { !crashed && nlog < LOG ->
		if
		:: tid[0] == NONE -> index_record(s, tid[1], marks)
		:: tid[0] != NONE && tid[1] == NONE -> index_record(tid[0], s, marks)
		:: else					/* no room: a split, not modeled */
		fi;
		xlock = false };
	atomic { s = 0; a = 0; b = 0; m = 0 }
}

/* A page is written to disk with the marks that it has at that moment, after its WAL. */
proctype Writer()
{
	atomic { !crashed && !xlock -> if :: flushed < lsn -> flushed = lsn :: else fi;
		dtid[0] = tid[0]; dtid[1] = tid[1]; dmarks = marks; dlsn = lsn; printf("the page is written, marks %d\n", marks) }
}

/* A crash at any moment: some WAL is lost, the rest is replayed on the page of the disk. */
proctype Crash()
{
	byte i;

	atomic { crashed = true;
		do
		:: flushed < nlog -> flushed++
		:: break
		od;
		printf("CRASH: %d of %d records are on disk\n", flushed, nlog);
		START_HEAP;
		tid[0] = dtid[0]; tid[1] = dtid[1]; marks = dmarks;
		i = 0;
		do
		:: i < flushed ->
			if
			:: wslot[i] != NONE -> heap[wslot[i]] = wstate[i]
			:: wslot[i] == NONE && i + 1 > dlsn ->
				if
				:: wall[i] -> tid[0] = wtid0[i]; tid[1] = wtid1[i]; marks = wmarks[i]
				:: else ->
					if :: w0[i] -> tid[0] = wtid0[i] :: else fi;
					if :: w1[i] -> tid[1] = wtid1[i] :: else fi;
					if :: wm[i] -> marks = wmarks[i] :: else fi
				fi
			:: else
			fi; i++
		:: i == flushed -> break
		od;
		i = 0;
		check() }
}

init { atomic {
	START_HEAP;
	tid[0] = 0; tid[1] = 1; dtid[0] = 0; dtid[1] = 1;
	PROCS
} }
