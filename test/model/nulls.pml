/*
 * nulls.pml
 *	  The chain of rows without a box: insertions, VACUUM and scans.
 *	  src/rtree/insert/nulls.c.  README.md explains it.
 *
 * Page 0 is block 2 of an index.  Steps and words are those of tree.pml.
 */
#ifndef LC
#define LC	1					/* rows that a page has room for */
#endif
#ifndef ERRS
#define ERRS 0					/* errors between an insertion's records */
#endif
#define X		255
#define NONE	15
#define PAGES	6
#define B(i)	(1 << (i))
#define HAS(m,i)	(((m) >> (i)) & 1)
#define CNT(m)	(((m)&1)+(((m)>>1)&1)+(((m)>>2)&1)+(((m)>>3)&1)+(((m)>>4)&1)+(((m)>>5)&1)+(((m)>>6)&1)+(((m)>>7)&1))
#define MUST(cond, text) if :: (cond) :: else -> printf(text); assert(false) fi

byte lk[PAGES], pin[PAGES], nxt[PAGES], rows[PAGES];
byte nblocks = 2;
byte meta, mlk;					/* null_page of the metapage; its lock, or the number of readers */
byte present = 1, dead = 2, reused;
byte errs = ERRS;
byte bad;

c_code {
/* the chain has all pages, once; the hint names one of them; each row is in one place */
static int check_state(void)
{
	int p, steps = 0, all = 0, hint = 0;
	for (p = 0; p < PAGES && steps <= PAGES; p = now.nxt[p], steps++)
	{
		if (all & now.rows[p]) return 1;
		all |= now.rows[p];
		if (p == now.meta) hint = 1;
	}
	if (steps != now.nblocks) return 2;
	if (!hint) return 3;
	if (now.present & ~all) return 4;
	return 0;
}
};
inline record() {
	c_code { now.bad = check_state(); };
	if
	:: bad == 0
	:: else -> printf("FAULT: the chain of NULLs is broken (%d)\n", bad); assert(false)
	fi
}

/* = spq_rtree_insert_null */
proctype Ins(byte r)
{
	byte block, at, right;

	/* = first_to_try */
	atomic { mlk != X -> block = meta; at = block
#ifdef M_ORDER
		; mlk++
#endif
	};
	do
	:: true ->
		atomic { lk[at] == 0 -> lk[at] = X };
		if
		:: CNT(rows[at]) < LC -> atomic {
			rows[at] = rows[at] | B(r); lk[at] = 0; printf("insertion %d: the row is in %d\n", r, at); record() };
			break
		:: CNT(rows[at]) >= LC && nxt[at] == NONE ->
			/* = append_page */
#ifdef M_LAST
			/* the page is unlocked, and nobody looks again whether it is the last */
			lk[at] = 0; atomic { lk[at] == 0 -> lk[at] = X };
#endif
#ifdef M_HINT
			atomic { mlk == 0 -> right = nblocks; nblocks++; meta = right };
			if :: errs > 0 -> errs--; atomic { lk[at] = 0; goto failed } :: true fi;
			atomic { nxt[right] = NONE; nxt[at] = right; rows[right] = B(r); lk[at] = 0; block = at; right = 0; record() };
#else
			atomic { mlk == 0 -> mlk = X };
			atomic { right = nblocks; nblocks++; assert(right < PAGES);
				nxt[right] = NONE; nxt[at] = right; rows[right] = B(r); meta = right;
				printf("insertion %d: the row is in the new page %d behind %d\n", r, right, at);
				mlk = 0; lk[at] = 0; block = at; right = 0; record() };
#endif
			break
		:: else -> atomic { lk[at] = 0; at = nxt[at] }
		fi
	od;
#ifdef M_ORDER
	if :: mlk != 0 && mlk != X -> mlk-- :: else fi;
#endif
	/* = remember, unless an error comes before */
	if
	:: errs > 0 -> errs--
	:: true ->
		if
		:: at != block -> atomic { mlk == 0 -> meta = at; record() }
		:: else
		fi
	fi;
	present = present | B(r);
#ifdef M_HINT
failed:
#endif
	atomic { block = 0; at = 0 }
}

/* = spq_rtree_next_leaf: IS NULL, from the first page to the right */
proctype Scan(bool ios)
{
	byte c, got, req, taken;

	req = present;
	do
	:: c == NONE -> break
	:: else ->
		/* = spq_rtree_read_part, whose end is the page without a right neighbor */
		atomic { lk[c] != X -> taken = rows[c];
			MUST((got & taken) == 0, "FAULT: a scan returns a row twice\n");
			got = got | taken;
			printf("scan: reads page %d, rows %d\n", c, taken);
			if :: ios && taken -> pin[c]++ :: else -> taken = 0 fi;
			if :: taken == 0 -> c = nxt[c] :: else fi };
		if
		:: taken -> atomic { MUST((taken & reused) == 0, "FAULT: a removed row is returned\n");
			pin[c]--; taken = 0; c = nxt[c] }
		:: else
		fi
	od;
	atomic { MUST((req & ~got) == 0, "FAULT: a scan misses a row\n"); req = 0; got = 0; c = 0 }
}

/* = spq_rtree_bulk_delete */
proctype Vac()
{
	byte b, list, room;

	atomic { list = dead & ~reused; room = NONE };
	do
	:: b >= nblocks -> break						/* = index_length */
	:: else ->
#ifdef M_CLEANUP
		atomic { lk[b] == 0 ->
#else
		atomic { lk[b] == 0 && pin[b] == 0 ->		/* = vacuum_page */
#endif
			printf("vacuum: removes rows %d of %d\n", rows[b] & list, b);
			rows[b] = rows[b] & ~list;
			if :: room == NONE && CNT(rows[b]) < LC -> room = b :: else fi;
			b++; record() }
	od;
	/* = set_null_page */
	atomic { mlk == 0 -> if :: room != NONE && meta > room -> meta = room :: else fi; record() };
	atomic { reused = list;
		MUST(((rows[0] | rows[1] | rows[2] | rows[3] | rows[4] | rows[5]) & list) == 0, "FAULT: VACUUM misses a dead row\n");
		list = 0; room = 0; b = 0 }
}

init { atomic {
	nxt[0] = 1; nxt[1] = NONE; nxt[2] = NONE; nxt[3] = NONE; nxt[4] = NONE; nxt[5] = NONE;
	rows[0] = 1; rows[1] = 2; meta = 1;
	record();
	PROCS
} }
