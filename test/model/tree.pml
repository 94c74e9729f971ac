/*
 * tree.pml
 *	  Pages, locks, insertions, VACUUM and scans of src/rtree.  README.md explains it.
 *
 * One atomic step takes one lock and does everything up to the next request for a
 * lock, or it is one WAL record.  Block 0 here is the root, block 1 of an index.  The
 * metapage is first[] and head.  Bounds are sets of rows, as bits: "encloses" means
 * "is a superset of".  "= f" in a comment names the function of src that a step
 * stands for.
 */

/* how large the world is */
#ifndef LC
#define LC	2					/* rows that a leaf has room for */
#endif
#ifndef IC
#define IC	3					/* downlinks that a page of level 1 has room for */
#endif
#ifndef RC
#define RC	8					/* downlinks that the root has room for */
#endif
#ifndef START
#define START 1					/* the index in the beginning: see init */
#endif
#ifndef ERRS
#define ERRS 0					/* errors of insertions, between their records */
#endif
#ifndef RUNS
#define RUNS 1					/* VACUUMs, one after the other */
#endif
#ifndef VERRS
#define VERRS 0					/* VACUUMs that are interrupted */
#endif

#define X		255				/* exclusively locked; else the number of share locks */
#define NONE	15
#define ANY		3				/* any level */
#define STANDBY_SCAN 128		/* a scan on the standby, in hor[]; never in actv */
#define B(i)	(1 << (i))
#define HAS(m,i)	(((m) >> (i)) & 1)
#define CNT(m)	(((m)&1)+(((m)>>1)&1)+(((m)>>2)&1)+(((m)>>3)&1)+(((m)>>4)&1)+(((m)>>5)&1)+(((m)>>6)&1)+(((m)>>7)&1))
#define LOW(m)	((m) & (-(m)))

/* pages */
byte lk[8], pin[8];				/* pin: kept by an index-only scan, without a lock */
byte level[8], nxt[8], count[8], inc[8], fre[8];
byte rows[8], down[8];			/* rows of a leaf; children of an inner page */
byte prom[8];					/* promise */
byte bnd[8], stop[8];			/* the downlink of a page: its bounds and its stop */
bool settled;					/* flag of the root */
byte hor[8], fnext[8];			/* of a free page: who was active when it became so; list */
byte nblocks, first[3], head = NONE;

/* the table */
byte present;					/* rows that are committed */
byte dead;						/* rows that are dead to all */
byte reused;					/* rows whose heap slot has another row, on an all-visible page */
byte actv;						/* transactions and snapshots */

byte errs = ERRS, verrs = VERRS;
byte runs;						/* VACUUMs that have ended */
byte bad;						/* the invariant that is broken */
#ifdef CRASH
byte crashed;					/* the process that must end next */
bool after;						/* the server has been started again */
byte left;						/* processes that run since and have not ended */
#ifndef LATER
#define LATER skip
#endif
#endif
#ifdef STANDBY
byte deleted, dhor;				/* a row that is deleted later; who was active then */
byte sreq;						/* rows that the snapshot of the scan on the standby sees */
bool sscan, cancel;				/* it runs; it is canceled */
#define DEAD (dead | ((dhor & actv) == 0 -> deleted : 0))
#else
#define DEAD dead
#endif

#define HB(p,i)	(HAS(down[p],i) * bnd[i])
/* the box of a row may enclose another row */
#ifdef WIDE
#define BOX(r)	((r) == WIDE -> B(r) | B(COVERED) : B(r))
#define BOXES(m)	(HAS(m, WIDE) -> (m) | B(COVERED) : (m))
#else
#define BOX(r)	B(r)
#define BOXES(m)	(m)
#endif
#define HULL(p)	(level[p] == 0 -> BOXES(rows[p]) : (HB(p,1)|HB(p,2)|HB(p,3)|HB(p,4)|HB(p,5)|HB(p,6)|HB(p,7)))

/*
 * Serializable transactions: the pages that the scan has predicate locks of, and the rows
 * whose insertion conflicts with it.
 */
#ifdef SERIALIZABLE
byte plocks, conflicts, inserted, wanted;
bool scanned;
#define CHECK_CONFLICT(p, r) conflicts = conflicts | (HAS(plocks, p) * B(r))
#define HAND_ON(p, to) plocks = plocks | (HAS(plocks, p) * B(to))
#define NO_CONFLICT_MISSED MUST(!scanned || (inserted & wanted & ~conflicts) == 0, "FAULT: a conflict is not seen\n")
#else
#define HAND_ON(p, to) skip
#endif

/* what must be true; the runner prints the text */
#define MUST(cond, text) if :: (cond) :: else -> printf(text); assert(false) fi

/*
 * A crash of all processes: the highest process ends first, then the next one, so that
 * there is one order only.  A process that has ended before waits for its turn.
 */
#ifdef CRASH
#define MORTAL provided (crashed == 0 || crashed == _pid)
#define LIFE {
#define LEAVE goto gone
#define DEATH(reset) } unless { atomic { crashed == _pid -> reset; crashed--; goto buried } }; \
gone: if :: atomic { crashed == _pid -> crashed-- } :: atomic { after -> left-- } fi; \
buried: skip
#else
#define MORTAL
#define LIFE
#define LEAVE skip
#define DEATH(reset) skip
#endif

/* I1 to I7, after each record: stronger than the README, which asks it of unlocked pages */
c_code {
static int check_state(void)
{
	int seen[8], i, p, c, all = 0;
	for (i = 0; i < 8; i++) seen[i] = 0;
	for (p = 0; p < now.nblocks; p++)
	{
		if (now.level[p] == 0 && p != 0 && (now.rows[p] & ~now.prom[p])) return 11;
		if (now.level[p] > 0 && !now.down[p]) return 21;
		if (now.level[p] == 0)
		{
			if (all & now.rows[p]) return 41;
			all |= now.rows[p];
		}
		if (now.fre[p] && (now.rows[p] || now.level[p] || now.inc[p])) return 61;
		if (now.pin[p] && now.level[p] > 0 && (p != 0 || now.settled)) return 71;
		for (c = 1; c < 8; c++)
			if ((now.down[p] >> c) & 1)
			{
				if (now.level[p] != now.level[c] + 1) return 22;
				if (now.fre[c]) return 62;
				if (now.prom[c] & ~now.bnd[c]) return 12;
				if (p != 0 && (now.bnd[c] & ~now.prom[p])) return 13;
				seen[c]++;
				if (now.inc[c])
				{
					int r = now.nxt[c];
					if (r >= 8) return 31;
					seen[r]++;
					if (now.count[c] == now.stop[c] || now.count[r] != now.stop[c]) return 32;
					if (now.prom[r] & ~now.bnd[c]) return 14;
				}
				else if (now.count[c] != now.stop[c]) return 33;
			}
	}
	for (p = 1; p < now.nblocks; p++)
		if (seen[p] != (now.fre[p] ? 0 : 1)) return 34;
	for (i = 1; i < now.level[0]; i++)
	{
		int n = 0, steps = 0;
		for (p = 1; p < now.nblocks; p++) n += now.level[p] == i;
		for (p = now.first[i]; p < 8 && steps < 9; p = now.nxt[p], steps++)
			if (now.level[p] != i) return 23;
		if (steps != n) return 24;
	}
	if (now.present & ~all) return 42;
	for (p = now.head, i = 0; p < 8; p = now.fnext[p], i++)
		if (!now.fre[p] || i > 8) return 63;
	return 0;
}
};

/* the end of a WAL record */
inline record() {
#ifdef UNCHECKED
	skip
#else
	c_code { now.bad = check_state(); };
	if
	:: bad == 0
	:: else -> printf("FAULT: invariant I%d is broken (%d)\n", bad / 10, bad); assert(false)
	fi
#endif
}

inline lockx(p) { atomic { lk[p] == 0 -> lk[p] = X; held = held | B(p) } }
inline unlock(p) { lk[p] = 0; held = held & ~B(p) }

/* an error: locks are released, the transaction aborts, and pages stay as they are */
inline may_fail() {
#if ERRS > 0
	if
	:: errs > 0 -> errs--; goto failed
	:: true
	fi
#else
	skip
#endif
}

/* The metapage and the new page are one step: their holders wait for nobody. */
inline take_page(r) {
	if
#ifdef M_HORIZON
	:: head != NONE ->
#else
	:: head != NONE && (hor[head] & actv) == 0 ->	/* = spq_rtree_pop_free_page */
#endif
		r = head; head = fnext[r];
		MUST(fre[r], "FAULT: a page is listed as free and is not\n");
		printf("  takes the free page %d\n", r);
#if defined(STANDBY) && !defined(M_NO_CONFLICT_REUSE)
		if :: hor[r] & STANDBY_SCAN -> cancel = true :: else fi;
#endif
		fre[r] = 0; hor[r] = 0; fnext[r] = NONE
	:: else -> r = nblocks; MUST(r < 8, "FAULT: the model has too few pages\n"); nblocks++	/* = spq_rtree_new_buffer */
	fi
}

/* = spq_rtree_split */
inline split(p, r) {
	take_page(r);
#ifndef M_HAND_SPLIT
	HAND_ON(p, r);
#endif
	level[r] = level[p];
	/* two of the ways to choose halves: copy_entry moves any entries right */
	if
	:: level[p] == 0 ->
		if
		:: rows[r] = LOW(rows[p])
		:: rows[r] = rows[p] & ~LOW(rows[p])
		fi;
		rows[p] = rows[p] & ~rows[r]
	:: else ->
		if
		:: down[r] = LOW(down[p])
		:: down[r] = down[p] & ~LOW(down[p])
		fi;
		down[p] = down[p] & ~down[r]
	fi;
	prom[p] = HULL(p); prom[r] = HULL(r);
	nxt[r] = (nxt[p] == r -> NONE : nxt[p]);
#ifndef M_LINK
	nxt[p] = r;
#endif
#ifdef M_COUNT
	count[r] = count[p] + 1;
#else
	count[r] = count[p];
#endif
	count[p]++;
	inc[p] = 1;
	printf("  splits %d, right half in %d: rows %d and %d, children %d and %d\n", p, r, rows[p], rows[r], down[p], down[r]);
	record()
}

/* = spq_rtree_grow_root */
inline grow(r) {
	r = nblocks; MUST(r < 8, "FAULT: the model has too few pages\n"); nblocks++;
#ifndef M_HAND_GROW
	HAND_ON(0, r);
#endif
	level[r] = level[0]; rows[r] = rows[0]; down[r] = down[0];
	count[r] = count[0]; nxt[r] = NONE;
	prom[r] = HULL(0); bnd[r] = prom[r]; stop[r] = count[0];
	assert(first[level[0]] == NONE);
	first[level[0]] = r;
#ifdef M_SETTLED
	settled = true;
#else
	settled = (level[0] > 0 -> settled : false);
#endif
	rows[0] = 0; down[0] = B(r); level[0]++;
	printf("  the root becomes a page of level %d, its content is in %d\n", level[0], r);
	record()
}

/* the record that ends a split */
inline post(p, r, rb, q) {
	assert(lk[p] == X && lk[q] == X);
	bnd[p] = prom[p];
#ifdef M_STOP
	stop[r] = count[p];
#else
	stop[r] = stop[p];
#endif
	stop[p] = count[p];
	bnd[r] = rb;
	down[q] = down[q] | B(r);
	inc[p] = 0;
	printf("  finishes the split of %d in %d\n", p, q);
	record()
}

/* the parent of a page of level 1: level 2 is the root alone here */
inline find_parent2(c) {
	atomic { lk[0] == 0 -> lk[0] = X; held = held | 1;
		MUST(level[0] == 2 && HAS(down[0], c), "FAULT: a page has no downlink\n") }
}

/* = spq_rtree_finish_split of a page of level 1 */
inline finish1(p) {
	atomic { lk[nxt[p]] != X -> rg1 = nxt[p]; rb1 = prom[rg1] };
	find_parent2(p);
	may_fail();
	atomic { post(p, rg1, rb1, 0); unlock(0); rg1 = 0; rb1 = 0 }
}

/* = spq_rtree_find_parent of a leaf */
inline find_parent1(c) {
	par = p1;
	if
	:: par == NONE || par == 0 ->					/* = lock_passed */
		atomic { lk[0] == 0 ->
			if
#ifndef M_PASSED
			:: level[0] != 1 -> par = first[1]		/* = spq_rtree_first_of_level */
#endif
			:: else -> lk[0] = X; held = held | 1; par = 0
			fi };
		if
		:: par != 0 -> lockx(par)
		:: else
		fi
	:: else -> lockx(par)
	fi;
	do
	:: true ->
		MUST(level[par] == 1, "FAULT: a page has the wrong level\n");
#ifndef M_SKIP_INCOMPLETE
		if
		:: inc[par] -> finish1(par)
		:: else
		fi;
#endif
		if
		:: HAS(down[par], c) -> break
		:: else
		fi;
		atomic { p1 = nxt[par]; unlock(par); par = p1; MUST(p1 != NONE, "FAULT: a page has no downlink\n") };
		lockx(par)
	od;
	p1 = par
}

/* = spq_rtree_finish_split of a leaf */
inline finish0(p) {
#ifdef M_LINK
	atomic { MUST(right != NONE, "FAULT: a link leads nowhere\n"); rg = right; rb = prom[right] };
#else
	MUST(nxt[p] != NONE, "FAULT: a link leads nowhere\n");
	atomic { lk[nxt[p]] != X -> rg = nxt[p]; rb = prom[rg] };
#endif
	do
	:: true ->
		find_parent1(p);
		if
		:: CNT(down[par]) < (par == 0 -> RC : IC) -> break
		:: else
		fi;
		if											/* = spq_rtree_make_room */
		:: par == 0 -> atomic { grow(par2); unlock(0) }
		:: else -> atomic { split(par, par2) }; may_fail(); finish1(par); unlock(par)
		fi
	od;
	may_fail();
	atomic { post(p, rg, rb, par); unlock(par); rg = 0; rb = 0; par = 0; par2 = 0 }
}

#ifdef RUN_Ins
#define INS_RESET cur = 0; p1 = 0; ex = 0; par = 0; par2 = 0; rg = 0; rb = 0; rg1 = 0; rb1 = 0; right = 0; held = 0; was_free = NONE; again = false

/* = spq_rtree_insert */
proctype Ins(byte me; byte r) MORTAL
{
	byte cur, ex, p1, par, par2, rg, rb, rg1, rb1, right, held, was_free;
	bool again;

LIFE
	atomic { actv = actv | B(me); was_free = NONE };
restart:
	/* = descend: any child will do */
	atomic { cur = 0; p1 = NONE; ex = ANY; again = false; right = NONE };
	do
	:: atomic { lk[cur] != X ->
		MUST(ex == ANY || level[cur] == ex, "FAULT: a page has the wrong level\n");
		if
		:: level[cur] == 0 -> break
		:: else ->
			if :: level[cur] == 1 -> p1 = cur :: else fi;
			ex = level[cur] - 1;
			if											/* = spq_rtree_choose_child */
			:: HAS(down[cur],1) -> cur = 1
			:: HAS(down[cur],2) -> cur = 2
			:: HAS(down[cur],3) -> cur = 3
			:: HAS(down[cur],4) -> cur = 4
			:: HAS(down[cur],5) -> cur = 5
			:: HAS(down[cur],6) -> cur = 6
			:: HAS(down[cur],7) -> cur = 7
			fi;
			if :: ex == 0 -> break :: else fi
		fi }
	od;
	/* = insert_row */
	atomic { lk[cur] == 0 ->
		ex = 0;
		MUST(cur == 0 || level[cur] == 0, "FAULT: a page has the wrong level\n");
		if
#ifndef M_FREE_CHECK
		:: fre[cur] ->
			MUST(was_free != cur, "FAULT: a page is free but has a downlink\n");
			was_free = cur; goto restart
#endif
		:: level[cur] != 0 -> goto restart
		:: else -> lk[cur] = X; held = B(cur)
		fi };
	/* = insert_into */
	do
	:: inc[cur] -> finish0(cur)
	:: else ->
		if
		:: again || CNT(rows[cur]) < LC -> break		/* = has_room */
		:: else ->
			if
#ifdef PRUNE
			:: atomic { (rows[cur] & DEAD) != 0 ->		/* = spq_rtree_prune: the promise stays */
				printf("insertion %d: removes the dead rows %d of page %d\n", r, rows[cur] & DEAD, cur);
#if defined(STANDBY) && !defined(M_NO_CONFLICT_PRUNE)
				if :: sreq & rows[cur] & DEAD -> cancel = true :: else fi;
#endif
				rows[cur] = rows[cur] & ~DEAD; record() }; may_fail()
#endif
			:: atomic { cur == 0 -> printf("insertion %d:\n", r); grow(right); unlock(0); goto restart }
			:: cur != 0 && CNT(rows[cur]) > 1 -> atomic {
				printf("insertion %d:\n", r); split(cur, right); again = true }; may_fail()
			:: cur != 0 && CNT(rows[cur]) == 1 -> goto failed	/* "cannot be split" */
			fi
		fi
	od;
	if
	:: again -> atomic {
#ifdef M_LINK
		nxt[cur] = right;
#endif
		unlock(cur); goto restart }
	:: else
	fi;
#ifdef SERIALIZABLE
	CHECK_CONFLICT(cur, r);
#endif
	may_fail();						/* such as a serialization failure */
	/* = widen */
	if
	:: cur != 0 && (BOX(r) & ~prom[cur]) ->
		find_parent1(cur);
#if defined(SERIALIZABLE) && !defined(M_CHECK_LEAF)
		CHECK_CONFLICT(par, r);
#endif
		if
		:: par != 0 && (BOX(r) & ~prom[par]) ->
			find_parent2(par);
#if defined(SERIALIZABLE) && !defined(M_CHECK_LEAF)
			CHECK_CONFLICT(0, r);
#endif
#ifdef M_BELOW
			atomic { prom[par] = prom[par] | BOX(r); bnd[cur] = bnd[cur] | BOX(r); record() };
			may_fail();
#endif
			atomic { assert(lk[0] == X && lk[par] == X);
#ifndef M_HAND_WIDEN
				HAND_ON(0, par);
#endif
				bnd[par] = bnd[par] | BOX(r); unlock(0); record() };
			may_fail()
		:: else
		fi;
#ifdef M_BELOW
		atomic { prom[cur] = prom[cur] | BOX(r); record() };
#endif
		atomic { assert(lk[par] == X && lk[cur] == X);
#ifndef M_HAND_WIDEN
			HAND_ON(par, cur);
#endif
			if :: par != 0 -> prom[par] = prom[par] | BOX(r) :: else fi;
			bnd[cur] = bnd[cur] | BOX(r); unlock(par); par = 0; record() };
		may_fail()
	:: else
	fi;
	/* the row */
	atomic { rows[cur] = rows[cur] | B(r); if :: cur != 0 -> prom[cur] = prom[cur] | BOX(r) :: else fi;
		printf("insertion %d: the row is in %d\n", r, cur);
#ifdef SERIALIZABLE
		inserted = inserted | B(r); NO_CONFLICT_MISSED;
#endif
		record(); unlock(cur) };
	atomic {
		if
		:: present = present | B(r)
#ifdef ABORT
		:: dead = dead | B(r); printf("insertion %d: its transaction aborts\n", r)
#endif
		fi;
		actv = actv & ~B(me); INS_RESET; goto done };
failed:
	atomic { printf("insertion %d: ERROR\n", r);
		cur = 0;
		do
		:: cur < 8 -> if :: HAS(held, cur) -> lk[cur] = 0 :: else fi; cur++
		:: else -> break
		od;
		actv = actv & ~B(me); INS_RESET };
#ifdef RETRY
	atomic { actv = actv | B(me); goto restart };
#endif
done:
	LEAVE
DEATH(INS_RESET)
}
#endif

#define PART(c,s,l)	((c) + 16 * (s) + 256 * (l))
inline push(part) { assert(n < 7); st[n] = part; n++ }
#define PUSHCHILD(i) if :: HAS(down[c],i) && (bnd[i] & q) != 0 -> push(PART(i, stop[i], level[c]-1)) :: else fi
#ifdef RUN_Scan
#define SCAN_RESET c = 0; s = 0; l = 0; req = 0; got = 0; taken = 0; steps = 0; ret = 0; sp = 0; again = 0; st[0] = 0; st[1] = 0; st[2] = 0; st[3] = 0; st[4] = 0; st[5] = 0; st[6] = 0; n = 0

/* = spq_rtree_get_tuple: a scan for the rows q; ios: index-only */
proctype Scan(byte me; byte q; bool ios) MORTAL
{
	short st[7];
	byte n, c, s, l, req, got, taken, steps, ret, sp, again;

LIFE
#ifdef SERIALIZABLE
	wanted = q;
#endif
	atomic { actv = actv | B(me); req = present & q; printf("scan %d: has a snapshot and must find %d\n", me, req);
		st[0] = PART(0, 0, ANY); n = 1 };
	do												/* = spq_rtree_next_leaf */
	:: n == 0 -> break
	:: n > 0 ->
		/* = spq_rtree_read_part */
		atomic { lk[st[n-1] & 15] != X ->
			n--;
			c = st[n] & 15; s = (st[n] >> 4) & 15; l = (st[n] >> 8) & 3; again = st[n] >> 10; st[n] = 0;
			MUST(l == ANY || level[c] == l, "FAULT: a page has the wrong level\n");
			steps++; MUST(steps < 20, "FAULT: a scan does not end\n");
#ifdef SERIALIZABLE
			plocks = plocks | B(c); conflicts = conflicts | rows[c];
#endif
#ifdef M_BEYOND
			if
			:: level[c] == 0 && nxt[c] != NONE -> push(PART(nxt[c], s, level[c]))
			:: else
			fi;
#else
			if
			:: count[c] != s ->
				MUST(nxt[c] != NONE, "FAULT: a level ends too early\n");
				push(PART(nxt[c], s, level[c]) + 1024 * again)
			:: else
			fi;
#endif
			if
			:: level[c] == 0 ->
				taken = rows[c] & q & ~(again * ret);	/* = spq_rtree_was_returned */
				sp = count[c];
				printf("scan %d: reads leaf %d, rows %d\n", me, c, taken);
				MUST((got & taken) == 0, "FAULT: a scan returns a row twice\n");
				got = got | taken;
				if
				:: ios && taken != 0 -> pin[c]++		/* = spq_rtree_enter_leaf */
				:: else -> taken = 0
				fi
			:: else ->
				printf("scan %d: reads page %d of level %d\n", me, c, level[c]);
				PUSHCHILD(7); PUSHCHILD(6); PUSHCHILD(5); PUSHCHILD(4); PUSHCHILD(3); PUSHCHILD(2); PUSHCHILD(1)
			fi;
#ifdef M_PIN
			if :: taken != 0 -> pin[c]-- :: else fi;
#endif
			s = 0; l = 0; again = 0; if :: taken == 0 -> c = 0; sp = 0 :: else fi
		};
		if
		:: taken != 0 -> atomic {					/* = spq_rtree_leave_leaf */
			printf("scan %d: returns rows %d of page %d\n", me, taken, c);
			MUST((taken & reused) == 0, "FAULT: a removed row is returned\n");
#ifndef M_PIN
			pin[c]--;
#endif
			taken = 0; c = 0; sp = 0 }
#ifdef PUTBACK
		/*
		 * = spq_rtree_put_back: one row has been returned, the leaf waits without its pin,
		 * since another leaf must be read
		 */
		:: ios && taken != 0 && ret == 0 && n > 0 -> atomic {
			ret = LOW(taken); MUST((ret & reused) == 0, "FAULT: a removed row is returned\n");
			printf("scan %d: returns row %d of page %d and puts the page back\n", me, ret, c);
			got = got & ~(taken & ~ret); pin[c]--;
#ifdef M_RETURNED
			push(PART(c, sp, 0));
#else
#ifdef M_PUT_STOP
			push(PART(c, stop[c], 0) + 1024);
#else
			push(PART(c, sp, 0) + 1024);
#endif
#endif
			taken = 0; c = 0; sp = 0 }
#endif
		:: taken == 0 -> skip
		fi
	od;
#ifdef SERIALIZABLE
	atomic { scanned = true; NO_CONFLICT_MISSED };
#endif
	atomic { MUST((req & ~got) == 0, "FAULT: a scan misses a row\n");
		actv = actv & ~B(me); SCAN_RESET };
	LEAVE
DEATH(SCAN_RESET)
}
#endif

#ifdef STANDBY
/* A deletion: the row is dead to all when the present transactions have ended. */
proctype Del(byte r)
{
	atomic { printf("row %d is deleted\n", r); present = present & ~B(r); deleted = B(r); dhor = actv }
}

/*
 * A scan on a standby: the pages are those of the primary after some record, and nobody
 * has locks in between.  The primary does not know its snapshot.
 */
proctype StandbyScan(byte q; bool ios)
{
	short st[7];
	byte n, c, s, l, req, got, taken, steps;

	atomic { req = present & q; sreq = req; sscan = true; printf("standby: a snapshot, must find %d\n", req);
		st[0] = PART(0, 0, ANY); n = 1 };
	do
	:: atomic { cancel -> printf("standby: the scan is canceled\n"); goto done }
	:: atomic { !cancel && n == 0 -> MUST((req & ~got) == 0, "FAULT: a scan misses a row\n"); break }
	:: atomic { !cancel && n > 0 && taken == 0 ->
			n--;
			c = st[n] & 15; s = (st[n] >> 4) & 15; l = (st[n] >> 8) & 3; st[n] = 0;
			MUST(l == ANY || level[c] == l, "FAULT: a page has the wrong level\n");
			steps++; MUST(steps < 20, "FAULT: a scan does not end\n");
			if
			:: count[c] != s ->
				MUST(nxt[c] != NONE, "FAULT: a level ends too early\n");
				push(PART(nxt[c], s, level[c]))
			:: else
			fi;
			if
			:: level[c] == 0 ->
				taken = rows[c] & q;
				printf("standby: reads leaf %d, rows %d\n", c, taken);
				MUST((got & taken) == 0, "FAULT: a scan returns a row twice\n");
				got = got | taken;
				/* = spq_rtree_can_return: no index-only scan here, since redo waits for no pins */
#ifndef M_STANDBY_INDEX_ONLY
				taken = 0
#else
				if :: ios :: else -> taken = 0 fi
#endif
			:: else ->
				printf("standby: reads page %d of level %d\n", c, level[c]);
				PUSHCHILD(7); PUSHCHILD(6); PUSHCHILD(5); PUSHCHILD(4); PUSHCHILD(3); PUSHCHILD(2); PUSHCHILD(1)
			fi;
			s = 0; l = 0; c = 0 }
	:: atomic { !cancel && taken != 0 -> MUST((taken & reused) == 0, "FAULT: a removed row is returned\n"); taken = 0 }
	od;
done:
	atomic { sreq = 0; sscan = false; req = 0; got = 0; steps = 0; taken = 0;
		st[0] = 0; st[1] = 0; st[2] = 0; st[3] = 0; st[4] = 0; st[5] = 0; st[6] = 0; n = 0 }
}
#endif

#ifdef RUN_Vac
/* an error or a cancel in VACUUM, while it has no lock */
inline may_stop() {
#if VERRS > 0
	if
	:: verrs > 0 -> verrs--; goto stopped
	:: true
	fi
#else
	skip
#endif
}

/* = vacuum_leaf */
inline vacuum_leaf(b) {
	if
	:: (rows[b] & list) != 0 || b != 0 ->
		printf("vacuum: removes rows %d of leaf %d\n", rows[b] & list, b);
		rows[b] = rows[b] & ~list;
		if :: prom[b] != HULL(b) && b != 0 -> shrunk = shrunk | B(b) :: else fi;
		prom[b] = HULL(b);							/* = spq_rtree_shrink_promise */
		if :: rows[b] == 0 && b != 0 -> empty_ = empty_ | B(b) :: else fi;
		record()
	:: else
	fi
}

/* = tighten_downlink */
inline tighten_downlink(b, lv, c) {
#ifdef M_ORDER
	atomic { lk[b] == 0 -> lk[b] = X };
	atomic { lk[c] != X -> MUST(level[c] == lv - 1, "FAULT: a page has the wrong level\n"); lk[c]++ };
#else
	atomic { lk[c] != X -> MUST(level[c] == lv - 1, "FAULT: a page has the wrong level\n"); lk[c]++ };
	atomic { lk[b] == 0 ->
#endif
		if
#ifdef M_TIGHTEN_INCOMPLETE
		:: level[b] == lv && HAS(down[b], c) ->
#else
		:: level[b] == lv && !inc[c] && HAS(down[b], c) ->
#endif
			printf("vacuum: tightens the downlink of %d to %d\n", c, prom[c]);
			bnd[c] = prom[c]; shrunk = shrunk & ~B(c); record()
		:: else
		fi;
		lk[b] = 0; lk[c]--
#ifndef M_ORDER
	}
#endif
}

/* = free_leaf */
inline free_leaf(b, c) {
	atomic { lk[c] == 0 -> MUST(level[c] == 0, "FAULT: a page has the wrong level\n"); lk[c] = X };
	atomic { lk[b] == 0 ->
		if
#ifdef M_FREE_FULL
		:: level[b] == 1 && CNT(down[b]) > 1 && !inc[c] && !fre[c] && HAS(down[b], c) ->
			rows[c] = 0;
#else
#ifdef M_FREE_INCOMPLETE
		:: level[b] == 1 && CNT(down[b]) > 1 && rows[c] == 0 && !fre[c] && HAS(down[b], c) ->
#else
#ifdef M_FREE_LAST
		:: level[b] == 1 && rows[c] == 0 && !inc[c] && !fre[c] && HAS(down[b], c) ->
#else
		:: level[b] == 1 && CNT(down[b]) > 1 && rows[c] == 0 && !inc[c] && !fre[c] && HAS(down[b], c) ->
#endif
#endif
#endif
			printf("vacuum: leaf %d becomes free\n", c);
			down[b] = down[b] & ~B(c); fre[c] = 1; hor[c] = actv;	/* = spq_rtree_page_set_free */
#ifdef STANDBY
			if :: sscan -> hor[c] = hor[c] | STANDBY_SCAN :: else fi;
#endif
			fnext[c] = freed; freed = c; empty_ = empty_ & ~B(c);
			record()
		:: else
		fi;
		lk[c] = 0 }
}

/* = tighten_page: bb becomes its right neighbor */
inline tighten_page(bb, lv) {
	atomic { lk[bb] != X ->
		if
		:: level[bb] == lv -> ts = shrunk & down[bb]; te = (lv == 1 -> empty_ & down[bb] : 0); n = (ts != 0)
		:: else -> assert(bb == 0); ts = 0; te = 0; n = 2
		fi };
	if
	:: n == 2 -> bb = NONE
	:: else ->
		c = 1;
		do
		:: c < 8 && HAS(ts, c) -> may_stop(); tighten_downlink(bb, lv, c); c++
		:: c < 8 && !HAS(ts, c) -> c++
		:: c == 8 -> break
		od;
		c = 1;
		do
		:: c < 8 && HAS(te, c) -> may_stop(); free_leaf(bb, c); c++
		:: c < 8 && !HAS(te, c) -> c++
		:: c == 8 -> break
		od;
		atomic { lk[bb] == 0 ->
			if
			:: n == 1 && bb != 0 && prom[bb] != HULL(bb) -> prom[bb] = HULL(bb); shrunk = shrunk | B(bb); record()
			:: else
			fi;
			c = 0; ts = 0; te = 0; n = 0;
			bb = nxt[bb] }
	fi
}

#define VAC_RESET b = 0; list = 0; shrunk = 0; empty_ = 0; found = NONE; lastf = NONE; freed = NONE; lv = 0; c = 0; ts = 0; te = 0; n = 0; need = false; isfree = false

#ifdef M_LENGTH
#define LENGTH length
#else
#define LENGTH nblocks
#endif

#define NOT_MISSED MUST(((rows[0] | rows[1] | rows[2] | rows[3] | rows[4] | rows[5] | rows[6] | rows[7]) & list) == 0, "FAULT: VACUUM misses a dead row\n")

/* = spq_rtree_bulk_delete */
proctype Vac() MORTAL
{
	byte b, list, shrunk, empty_, found, lastf, freed, lv, c, ts, te, n;
	bool need, isfree;
#ifdef M_LENGTH
	byte length;
#endif

LIFE
	atomic { VAC_RESET };
again:
	atomic { list = DEAD & ~reused; printf("vacuum: begins, dead rows %d\n", list);
#ifdef STANDBY
		/* the table's own records, before those of the index */
		if :: sreq & list -> cancel = true :: else fi;
		if :: deleted & list -> dead = dead | deleted; deleted = 0 :: else fi;
#endif
#ifndef M_LIST
		head = NONE									/* = spq_rtree_drop_free_list */
#endif
	};
	/* = first_pass */
	b = 0;
#ifdef M_LENGTH
	length = nblocks;
#endif
	do
	:: atomic { b < LENGTH && lk[b] != X ->			/* = vacuum_page */
		isfree = fre[b];
#ifdef M_FREE_PIN
		need = level[b] == 0 && !fre[b] || b == 0 && !settled;
#else
#ifdef M_ROOT_PIN
		need = level[b] == 0;
#else
		need = level[b] == 0 || b == 0 && !settled;	/* = spq_rtree_may_be_pinned_as_leaf */
#endif
#endif
		};
		may_stop();
		if
#ifdef M_CLEANUP
		:: need -> atomic { lk[b] == 0 ->
#else
		:: need -> atomic { lk[b] == 0 && pin[b] == 0 ->
#endif
			if
			:: level[b] != 0 -> assert(b == 0); settled = true; record()	/* = settle_root */
			:: level[b] == 0 && !isfree -> vacuum_leaf(b)
			:: else
			fi; need = false }
		:: else
		fi;
		if
		:: isfree -> atomic { lk[b] == 0 ->			/* = add_free */
			MUST(fre[b], "FAULT: a page is listed as free and is not\n");
			fnext[b] = found; found = b;			/* = spq_rtree_chain_free_page */
			if :: lastf == NONE -> lastf = b :: else fi; isfree = false }
		:: else
		fi;
		b++
	:: b >= LENGTH -> break							/* = index_length */
	od;
	may_stop();
#ifdef TIGHTEN
	/* = spq_rtree_tighten */
	lv = 1;
	do
	:: atomic { lk[0] != X -> if :: lv > level[0] -> break :: else fi };	/* = root_level */
		b = 0; tighten_page(b, lv);
		atomic { lk[0] != X -> b = (lv < level[0] -> first[lv] : NONE) };
		do											/* = tighten_level */
		:: b != NONE -> tighten_page(b, lv)
		:: else -> break
		od;
		lv++
	od;
#endif
	may_stop();
	/* = give_free */
	if
	:: found != NONE && freed != NONE -> atomic { lk[lastf] == 0 -> fnext[lastf] = freed }; may_stop()
	:: else
	fi;
	atomic {
#ifndef M_LIST
		head = (found != NONE -> found : freed);	/* = spq_rtree_set_free_list */
#endif
		record();
		reused = reused | list;		/* the heap slots are given away, their pages are all-visible */
		NOT_MISSED;
		printf("vacuum: ends, the slots of %d have other rows\n", list);
		goto ended };
stopped:
	atomic { printf("vacuum: interrupted\n");
#ifdef M_INTERRUPTED
		/* the heap gives the slots away all the same */
		reused = reused | list;
		NOT_MISSED
#endif
	};
ended:
	atomic { VAC_RESET; runs++; if :: runs < RUNS -> goto again :: else -> runs = 0 fi };
	LEAVE
DEATH(VAC_RESET)
}
#endif

#ifdef CRASH
/*
 * All processes end at once, and pages are as the last record left them.  Then the
 * server runs AFTER, one process, and when that has ended LATER.
 */
proctype Crash()
{
	byte i;

	atomic { printf("CRASH\n");
		crashed = _pid - 1;
		for (i : 0 .. 7) { lk[i] = 0; pin[i] = 0; dead = dead | (rows[i] & ~present) }
		actv = 0; errs = 0; verrs = 0; runs = 0; i = 0;
		record() };
	atomic { crashed == 0 -> after = true; left = 1; AFTER };
	atomic { left == 0 -> LATER }
}
#endif

init {
	atomic {
		byte i;
		for (i : 0 .. 7) { nxt[i] = NONE; fnext[i] = NONE }
		first[0] = NONE; first[1] = NONE; first[2] = NONE;
#if START == 1					/* the root is a full leaf; row 1 is dead */
		nblocks = 1; rows[0] = 3; prom[0] = 3; present = 1; dead = 2;
#endif
#if START == 2					/* root of level 1; leaf 1 has row 0, leaf 2 the dead row 1 */
		nblocks = 3; level[0] = 1; settled = true; down[0] = 6; first[0] = 1; nxt[1] = 2;
		rows[1] = 1; prom[1] = 1; bnd[1] = 1;
		rows[2] = 2; prom[2] = 2; bnd[2] = 2; present = 1; dead = 2;
#endif
#if START == 3					/* root of level 2; page 1 of level 1; leaves 2 (full) and 3 */
		nblocks = 4; level[0] = 2; settled = true; down[0] = 2; first[1] = 1; first[0] = 2;
		level[1] = 1; down[1] = 12; prom[1] = 7; bnd[1] = 7; nxt[2] = 3;
		rows[2] = 3; prom[2] = 3; bnd[2] = 3;
		rows[3] = 4; prom[3] = 4; bnd[3] = 4; present = 5; dead = 2;
#endif
#if START == 4					/* as 2, but leaf 1 is full */
		nblocks = 3; level[0] = 1; settled = true; down[0] = 6; first[0] = 1; nxt[1] = 2;
		rows[1] = 5; prom[1] = 5; bnd[1] = 5;
		rows[2] = 2; prom[2] = 2; bnd[2] = 2; present = 5; dead = 2;
#endif
#if START == 5					/* as 2, but the dead row is in leaf 1, which is full */
		nblocks = 3; level[0] = 1; settled = true; down[0] = 6; first[0] = 1; nxt[1] = 2;
		rows[1] = 3; prom[1] = 3; bnd[1] = 3;
		rows[2] = 4; prom[2] = 4; bnd[2] = 4; present = 5; dead = 2;
#endif
#if START == 6					/* leaf 1 is free and listed; leaf 2 is full, row 1 dead */
		nblocks = 4; level[0] = 1; settled = true; down[0] = 12; first[0] = 1; nxt[1] = 2;
		fre[1] = 1; head = 1; nxt[2] = 3;
		rows[2] = 3; prom[2] = 3; bnd[2] = 3;
		rows[3] = 4; prom[3] = 4; bnd[3] = 4; present = 5; dead = 2;
#endif
#if START == 7					/* as 2, but nobody has deleted row 1 yet */
		nblocks = 3; level[0] = 1; settled = true; down[0] = 6; first[0] = 1; nxt[1] = 2;
		rows[1] = 5; prom[1] = 5; bnd[1] = 5;
		rows[2] = 2; prom[2] = 2; bnd[2] = 2; present = 7;
#endif
#if START == 8					/* all rows are dead, leaf 2 is empty */
		nblocks = 3; level[0] = 1; settled = true; down[0] = 6; first[0] = 1; nxt[1] = 2;
		rows[1] = 2; prom[1] = 2; bnd[1] = 2; dead = 2;
#endif
		record();
		PROCS
	}
}
