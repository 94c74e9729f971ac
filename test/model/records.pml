/*
 * records.pml
 *	  WAL records of src/rtree in any order, up to three levels, beside a scan.  README.md
 *	  explains it.
 *
 * There are no locks and no insertions here: any record that some process may write in
 * a state is written in it.  Locks only forbid some of these orders, so what holds here
 * holds with them, on a standby, and after crashes.  The scan reads what it still has
 * to read in any order: that of the stack, that of distances, that of several processes.
 * Words and constants are those of tree.pml.
 */
#ifndef OPS
#define OPS 8					/* records */
#endif
#ifndef PAGES
#define PAGES 8
#endif
#ifndef START
#define START 1
#endif
#ifndef QUERY
#define QUERY req				/* what a downlink must hold for the scan to follow it */
#endif
#ifndef LEVELS
#define LEVELS 3				/* the highest level of the root */
#endif

#define NONE	15
#define ANY		7
#define B(i)	(1 << (i))
#define HAS(m,i)	(((m) >> (i)) & 1)
#define CNT(m)	(((m)&1)+(((m)>>1)&1)+(((m)>>2)&1)+(((m)>>3)&1)+(((m)>>4)&1)+(((m)>>5)&1)+(((m)>>6)&1)+(((m)>>7)&1))
#define LOW(m)	((m) & (-(m)))
#define MUST(cond, text) if :: (cond) :: else -> printf(text); assert(false) fi

byte level[8], nxt[8], count[8], inc[8], fre[8];
byte rows[8], down[8], prom[8], bnd[8], stop[8];
byte nblocks, first[4];
byte present;					/* rows that the scan may have to find */
byte extra;						/* rows that are yet to be inserted */
byte ops = OPS;
byte bad;
bool scans;						/* the scan has its snapshot */
byte known;						/* pages that became free since then */

#define HB(p,i)	(HAS(down[p],i) * bnd[i])
#define HULL(p)	(level[p] == 0 -> rows[p] : (HB(p,1)|HB(p,2)|HB(p,3)|HB(p,4)|HB(p,5)|HB(p,6)|HB(p,7)))
#define ENTRIES(p) (level[p] == 0 -> CNT(rows[p]) : CNT(down[p]))
/* the page that has the downlink of a page */
#define PARENT(c) (HAS(down[0],c) -> 0 : (HAS(down[1],c) -> 1 : (HAS(down[2],c) -> 2 : (HAS(down[3],c) -> 3 : (HAS(down[4],c) -> 4 : (HAS(down[5],c) -> 5 : (HAS(down[6],c) -> 6 : (HAS(down[7],c) -> 7 : NONE))))))))

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
	return 0;
}
};
inline record() {
	ops--;
#ifndef UNCHECKED
	c_code { now.bad = check_state(); };
	if
	:: bad == 0
	:: else -> printf("FAULT: invariant I%d is broken (%d)\n", bad / 10, bad); assert(false)
	fi
#endif
}

/* = spq_rtree_split */
inline split(p, r) {
	level[r] = level[p]; fre[r] = 0;
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
#ifdef M_LINK_LEFT
	/* the new page becomes the left one */
	skip;
#else
	nxt[p] = r;
#endif
#ifdef M_COUNT
	count[r] = count[p] + 1;
#else
#ifdef M_COUNT_ZERO
	count[r] = 0;
#else
	count[r] = count[p];
#endif
#endif
	count[p]++; inc[p] = 1;
	printf("splits %d of level %d, right half in %d: rows %d and %d, children %d and %d\n", p, level[p], r, rows[p], rows[r], down[p], down[r]);
	record()
}

#ifdef M_HORIZON
#define MAY_TAKE(i) true
#else
#define MAY_TAKE(i) (!HAS(known, i))
#endif
/* nobody splits a page before it has a downlink */
#ifdef M_SPLIT_RIGHT
#define HAS_DOWNLINK(p) true
#else
#define HAS_DOWNLINK(p) (PARENT(p) != NONE)
#endif
#define CAN_SPLIT(p) (ops > 0 && p < nblocks && !inc[p] && !fre[p] && ENTRIES(p) > 1 && HAS_DOWNLINK(p))
inline try_split(p) {
	if
	:: CAN_SPLIT(p) && nblocks < PAGES -> r = nblocks; nblocks++; split(p, r)
#ifdef FREE
	/* = spq_rtree_pop_free_page */
	:: CAN_SPLIT(p) && fre[1] && MAY_TAKE(1) -> split(p, 1)
	:: CAN_SPLIT(p) && fre[2] && MAY_TAKE(2) -> split(p, 2)
	:: CAN_SPLIT(p) && fre[3] && MAY_TAKE(3) -> split(p, 3)
#endif
	fi
}

/* = spq_rtree_finish_split */
inline try_post(p) {
	ops > 0 && p < nblocks && inc[p] && PARENT(p) != NONE;
	q = PARENT(p); r = nxt[p];
	bnd[p] = prom[p]; bnd[r] = prom[r];
#ifdef M_STOP
	stop[r] = count[p];
#else
	stop[r] = stop[p];
#endif
	stop[p] = count[p];
	down[q] = down[q] | B(r);
	inc[p] = 0;
	printf("finishes the split of %d in %d\n", p, q);
	record()
}

/* = spq_rtree_grow_root */
inline try_grow() {
	ops > 0 && nblocks < PAGES && level[0] < LEVELS && ENTRIES(0) > 1;
	r = nblocks; nblocks++;
	level[r] = level[0]; rows[r] = rows[0]; down[r] = down[0]; count[r] = count[0];
	prom[r] = HULL(0); bnd[r] = prom[r]; stop[r] = count[0]; first[level[0]] = r;
	rows[0] = 0; down[0] = B(r); level[0]++;
#ifdef M_GROW_COUNT
	count[0]++;
#endif
	printf("the root becomes a page of level %d, its content is in %d\n", level[0], r);
	record()
}

/* = widen: the downlink of a page and the promise of the page that has it, one record */
inline try_widen(p) {
#ifdef M_BELOW
	ops > 0 && p < nblocks && p > 0 && extra && !(bnd[p] & extra) && PARENT(p) != NONE && !inc[p];
#else
	ops > 0 && p < nblocks && p > 0 && extra && !(bnd[p] & extra) && PARENT(p) != NONE && !inc[p] &&
		(PARENT(p) == 0 || (bnd[PARENT(p)] & extra) && !inc[PARENT(p)]);
#endif
	q = PARENT(p);
	bnd[p] = bnd[p] | extra;
	if :: q != 0 -> prom[q] = prom[q] | extra :: else fi;
	printf("widens the downlink of %d in %d\n", p, q);
	record()
}

/* = insert_into: the row and the promise of its leaf, one record */
inline try_append(p) {
	ops > 0 && p < nblocks && extra && level[p] == 0 && !inc[p] && !fre[p] && (p == 0 || (bnd[p] & extra) && PARENT(p) != NONE);
	rows[p] = rows[p] | extra; prom[p] = prom[p] | extra;
	printf("appends row %d to %d\n", extra, p);
	extra = 0;
	record()
}

#ifdef FREE
/* = vacuum_leaf: rows that are dead to all, here those that the scan need not find */
inline try_remove(p) {
	ops > 0 && p < nblocks && level[p] == 0 && (rows[p] & ~present);
	rows[p] = rows[p] & present;
	if
	:: prom[p] = rows[p]
	:: true						/* = spq_rtree_prune keeps the promise */
	fi;
	printf("removes the dead rows of %d\n", p);
	record()
}
/* = tighten_downlink */
inline try_tighten(p) {
	ops > 0 && p < nblocks && p > 0 && PARENT(p) != NONE && !inc[p] && bnd[p] != prom[p];
	bnd[p] = prom[p];
	printf("tightens the downlink of %d\n", p);
	record()
}
/* = tighten_page */
inline try_shrink(p) {
	ops > 0 && p < nblocks && p > 0 && level[p] > 0 && prom[p] != HULL(p);
	prom[p] = HULL(p);
	printf("%d promises less\n", p);
	record()
}
/* = free_leaf */
inline try_free(p) {
	ops > 0 && p < nblocks && p > 0 && level[p] == 0 && rows[p] == 0 && !inc[p] && !fre[p] && PARENT(p) != NONE && CNT(down[PARENT(p)]) > 1;
	q = PARENT(p);
	down[q] = down[q] & ~B(p); fre[p] = 1;
	if :: scans -> known = known | B(p) :: else fi;
#ifdef M_FREE_UNLINK
	nxt[p] = NONE; count[p] = 0;	/* does not keep its link and its count */
#endif
	printf("%d becomes free\n", p);
	record()
}
#endif

#define ONE(what,p) :: atomic { what(p); q = 0; r = 0 }
#define EACH(what) ONE(what,1) ONE(what,2) ONE(what,3) ONE(what,4) ONE(what,5) ONE(what,6) ONE(what,7)

proctype Records()
{
	byte q, r;

end:
	do
	EACH(try_split)
	EACH(try_post)
	EACH(try_widen)
	EACH(try_append)
	ONE(try_append,0)
	:: atomic { try_grow(); q = 0; r = 0 }
#ifdef FREE
	EACH(try_remove)
	EACH(try_tighten)
	EACH(try_shrink)
	EACH(try_free)
#endif
	od
}

#ifdef M_PUT_ROOT
#define PUT_BACK_NEEDS true
#else
#define PUT_BACK_NEEDS (todo != 0)
#endif

#ifdef COPIES
/*
 * Two searches by one scan, for a join of two indexes.  An inner page that the first one reads
 * is copied, and the second one reads the copy.  = spq_rtree_inner_cache_add
 */
byte copied;					/* pages with a copy */
byte listed;					/* children in some copy */
byte xlevel[8], xnext[8], xcount[8], xdown[8];	/* of a page */
byte xbnd[8], xstop[8];			/* of a child */

#ifdef M_COPY_ROOT
#define COPY_NEEDS(c) (HAS(copied, c) && (c) != 0)
#define LIST_ONCE(i) skip
#else
#define COPY_NEEDS(c) HAS(copied, c)
#define LIST_ONCE(i) MUST(!HAS(listed, i), "FAULT: a page is in two copies\n")
#endif
#define LEVEL(c)	(HAS(copied, c) -> xlevel[c] : level[c])
#define NEXT(c)		(HAS(copied, c) -> xnext[c] : nxt[c])
#define COUNT(c)	(HAS(copied, c) -> xcount[c] : count[c])
#define DOWN(c)		(HAS(copied, c) -> xdown[c] : down[c])
#define BND(c,i)	(HAS(copied, c) -> xbnd[i] : bnd[i])
#define STOP(c,i)	(HAS(copied, c) -> xstop[i] : stop[i])
#define SEARCHES 2

inline copy(c)
{
	if
	:: level[c] > 0 && !COPY_NEEDS(c) ->
		copied = copied | B(c);
		xlevel[c] = level[c]; xnext[c] = nxt[c]; xcount[c] = count[c]; xdown[c] = down[c];
		for (i : 1 .. 7) {
			if
			:: HAS(down[c], i) -> LIST_ONCE(i); listed = listed | B(i); xbnd[i] = bnd[i]; xstop[i] = stop[i]
			:: else
			fi }
	:: else
	fi
}
#else
#define LEVEL(c)	level[c]
#define NEXT(c)		nxt[c]
#define COUNT(c)	count[c]
#define DOWN(c)		down[c]
#define BND(c,i)	bnd[i]
#define STOP(c,i)	stop[i]
#define SEARCHES 1
inline copy(c) { skip }
#endif

/* = spq_rtree_next_leaf */
proctype Scan()
{
	byte todo, pstop[8], plev[8], ret[8];	/* parts that are to be read: first page, stop, level; rows returned before */
	byte c, got, req, taken, steps, i, before, searches;

	/* the root; the scan has a snapshot: a row that is inserted later is not to be found */
	atomic { req = present; scans = true; todo = 1; plev[0] = ANY };
	do
	:: todo == 0 && searches + 1 < SEARCHES ->
		/* = spq_rtree_search_window */
		atomic { MUST((req & ~got) == 0, "FAULT: a scan misses a row\n"); searches++; got = 0; steps = 0; todo = 1; plev[0] = ANY }
	:: todo == 0 && searches + 1 == SEARCHES -> break
	:: atomic { todo != 0 ->
			/* = spq_rtree_read_span: any part that is left */
			if
			:: HAS(todo,0) -> c = 0
			:: HAS(todo,1) -> c = 1
			:: HAS(todo,2) -> c = 2
			:: HAS(todo,3) -> c = 3
			:: HAS(todo,4) -> c = 4
			:: HAS(todo,5) -> c = 5
			:: HAS(todo,6) -> c = 6
			:: HAS(todo,7) -> c = 7
			fi;
			todo = todo & ~B(c);
			before = ret[c]; ret[c] = 0;
			copy(c);
			MUST(plev[c] == ANY || LEVEL(c) == plev[c], "FAULT: a page has the wrong level\n");
			steps++; MUST(steps < 24, "FAULT: a scan does not end\n");
			if
#ifdef M_BEYOND
			:: NEXT(c) != NONE ->
#else
			:: COUNT(c) != pstop[c] ->
#endif
				MUST(NEXT(c) != NONE, "FAULT: a level ends too early\n");
				i = NEXT(c);
				MUST(!HAS(todo, i), "FAULT: a page is in two parts\n");
				todo = todo | B(i); pstop[i] = pstop[c]; plev[i] = plev[c]; ret[i] = before
			:: else
			fi;
			pstop[c] = 0; plev[c] = 0;
			if
			:: LEVEL(c) == 0 ->
				taken = rows[c] & ~before;				/* = spq_rtree_was_returned */
				printf("reads leaf %d, rows %d\n", c, taken);
				if
				:: true
#ifdef PUTBACK
				/*
				 * = spq_rtree_put_back: one row is returned, the others wait with the leaf.  That
				 * makes room for the pin of another leaf, so there is another part.  A root that is
				 * a leaf is the whole tree, so it is never put back.
				 */
				:: (taken & ~LOW(taken)) && PUT_BACK_NEEDS ->
					taken = LOW(taken);
					printf("returns row %d and puts the leaf %d back\n", taken, c);
					/* the rest of the part is read by itself */
					todo = todo | B(c); plev[c] = 0; ret[c] = before | taken;
#ifdef M_PUT_STOP
					pstop[c] = stop[c]
#else
					pstop[c] = count[c]
#endif
#endif
				fi;
				MUST((got & taken) == 0, "FAULT: a scan returns a row twice\n");
				got = got | taken; taken = 0
			:: else ->
				printf("reads page %d of level %d\n", c, LEVEL(c));
				for (i : 1 .. 7) {
					if
					:: HAS(DOWN(c), i) && (BND(c,i) & (QUERY)) ->
						MUST(!HAS(todo, i), "FAULT: a page is in two parts\n");
						todo = todo | B(i); pstop[i] = STOP(c,i); plev[i] = LEVEL(c) - 1
					:: else
					fi }
			fi;
			c = 0; i = 0; before = 0 }
	od;
	atomic { MUST((req & ~got) == 0, "FAULT: a scan misses a row\n"); scans = false; known = 0; got = 0; req = 0; steps = 0; searches = 0 }
}

init { atomic {
	byte k;
	for (k : 0 .. 7) { nxt[k] = NONE }
	for (k : 0 .. 3) { first[k] = NONE }
	k = 0;
#if START == 1					/* the root is a leaf with three rows */
	nblocks = 1; rows[0] = 7; present = 7; extra = 8;
#endif
#if START == 2					/* two levels: leaves with two rows and one; row 3 is dead */
	nblocks = 3; level[0] = 1; down[0] = 6; first[0] = 1; nxt[1] = 2;
	rows[1] = 3; prom[1] = 3; bnd[1] = 3; rows[2] = 8; prom[2] = 8; bnd[2] = 8; present = 3; extra = 4;
#endif
#if START == 3					/* three levels */
	nblocks = 5; level[0] = 2; down[0] = 6; first[1] = 1; nxt[1] = 2; first[0] = 3; nxt[3] = 4;
	level[1] = 1; down[1] = 8; prom[1] = 3; bnd[1] = 3; level[2] = 1; down[2] = 16; prom[2] = 12; bnd[2] = 12;
	rows[3] = 3; prom[3] = 3; bnd[3] = 3; rows[4] = 12; prom[4] = 12; bnd[4] = 12; present = 15; extra = 16;
#endif
#if START == 4					/* two levels: rows 1 and 3 are dead */
	nblocks = 3; level[0] = 1; down[0] = 6; first[0] = 1; nxt[1] = 2;
	rows[1] = 3; prom[1] = 3; bnd[1] = 3; rows[2] = 8; prom[2] = 8; bnd[2] = 8; present = 1; extra = 4;
#endif
	run Records(); run Scan()
} }
