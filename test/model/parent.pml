/*
 * parent.pml
 *	  spq_rtree_find_parent with several pages on two inner levels.  README.md explains it.
 *
 * One insertion has a leaf P locked and looks for P's downlink, finishing the splits
 * on its way; then it widens: it looks for the downlink of the page found.  Others
 * split pages of levels 1 and 2 at the same time.  Each of their operations is one
 * step: they take child before parent and left before right, as the insertion does, and
 * touch no page that it has locked.  Level 3 is the root.
 */
#ifndef N1
#define N1 4					/* pages of level 1 */
#endif
#ifndef N2
#define N2 3					/* pages of level 2 */
#endif
#ifndef ERRS
#define ERRS 1					/* splits that an error leaves unfinished */
#endif
#ifndef OPS
#define OPS 5					/* operations of the others */
#endif
#define NONE 15
#define MUST(cond, text) if :: (cond) :: else -> printf(text); assert(false) fi

byte next1[N1], par1[N1], inc1[N1], lk1[N1], n1;	/* par1: the page of level 2 that has its downlink */
byte next2[N2], lk2[N2], inc2[N2], down2[N2], n2;	/* down2: it has a downlink in the root */
bool lk3;						/* the root */
byte hold;						/* the page of level 1 that has P's downlink */
byte errs = ERRS, ops = OPS;

/* others, level 1: = spq_rtree_split, then = spq_rtree_finish_split or an error */
inline split1(a) {
	atomic { ops > 0 && n1 < N1 && a < n1 && !inc1[a] && par1[a] != NONE && !lk1[a] && !lk2[par1[a]] ->
		ops--;
		next1[n1] = next1[a]; next1[a] = n1; par1[n1] = NONE; inc1[a] = 1;
		if
		:: hold == a -> hold = n1; printf("others: page %d of level 1 is split, P's downlink goes to %d\n", a, n1)
		:: true -> printf("others: page %d of level 1 is split, right half %d\n", a, n1)
		fi;
		if
		:: par1[n1] = par1[a]; inc1[a] = 0; printf("        finished in page %d of level 2\n", par1[a])
		:: errs > 0 -> errs--; printf("        ERROR before its end\n")
		fi;
		n1++ }
}
/* others, level 2: any downlinks go right */
inline split2(y) {
	atomic { ops > 0 && n2 < N2 && y < n2 && !lk2[y] && !inc2[y] && down2[y] && !lk3 ->
		ops--;
		next2[n2] = next2[y]; next2[y] = n2;
		i = 0;
		do
		:: i < n1 && par1[i] == y ->
			if
			:: par1[i] = n2; printf("others: page %d of level 2 is split, the downlink of %d goes to %d\n", y, i, n2)
			:: printf("others: page %d of level 2 is split, the downlink of %d stays\n", y, i)
			fi; i++
		:: i < n1 && par1[i] != y -> i++
		:: i == n1 -> break
		od;
		if
		:: down2[n2] = 1
		:: errs > 0 -> errs--; inc2[y] = 1; printf("        ERROR before its end\n")
		fi;
		i = 0; n2++ }
}
proctype Others()
{
	byte i;
end:
	do
	:: split1(0)
	:: split1(1)
	:: split1(2)
	:: split2(0)
	:: split2(1)
	od
}

/* = spq_rtree_finish_split of a page of level 2 */
inline finish2(y) {
	atomic { !lk3 -> lk3 = true; MUST(down2[y], "FAULT: a page has no downlink\n") };
	atomic { down2[next2[y]] = 1; inc2[y] = 0; lk3 = false; printf("insertion: finishes the split of %d of level 2\n", y) }
}

/* = spq_rtree_find_parent of a page of level 1, from path2 to the right */
inline find2(c) {
	atomic { y = path2; printf("insertion: looks for the downlink of %d, from page %d of level 2\n", c, y) };
	atomic { !lk2[y] -> lk2[y] = 1 };				/* = lock_passed */
	do
	:: true ->
#ifndef M_SKIP_INCOMPLETE_2
		if
		:: inc2[y] -> finish2(y)
		:: else
		fi;
#endif
		if
		:: par1[c] == y -> break
		:: else
		fi;
		atomic { lk2[y] = 0; y = next2[y]; MUST(y != NONE, "FAULT: a page has no downlink\n") };
		atomic { !lk2[y] -> lk2[y] = 1 }
	od;
	path2 = y
}

proctype Insertion()
{
	byte path1, path2, b, y, n, saved;
	bool roomed;

	/* = descend: the root, a page of level 2, one of level 1 */
	if
	:: path2 = 0
	:: atomic { down2[1] -> path2 = 1 }
	:: atomic { n2 > 2 && down2[2] -> path2 = 2 }
	fi;
endd:
	if
	:: atomic { par1[0] == path2 -> path1 = 0 }
	:: atomic { par1[1] == path2 -> path1 = 1 }
	:: atomic { par1[2] == path2 -> path1 = 2 }
	fi;
endn:
	atomic { hold == path1 -> printf("insertion: has passed page %d of level 2 and %d of level 1\n", path2, path1) };
	/* = spq_rtree_find_parent of P */
	b = path1;
	atomic { !lk1[b] -> lk1[b] = 1 };
	do
	:: true ->
		if
#ifndef M_SKIP_INCOMPLETE
		:: inc1[b] ->								/* = spq_rtree_finish_split, with a copy of the path */
			saved = path2;
			find2(b);
			atomic { par1[next1[b]] = y; inc1[b] = 0; lk2[y] = 0;
				printf("insertion: finishes the split of %d in page %d of level 2\n", b, y);
#ifndef M_PATH
				path2 = saved;
#endif
				saved = 0
			}
#endif
		:: else
		fi;
		if
		:: hold == b -> break
		/*
		 * The page found is full: = spq_rtree_make_room, with the path itself.  It is
		 * unlocked then, and the search goes on from it.
		 */
		:: atomic { hold == b && !roomed && n1 < N1 -> roomed = true;
				n = n1; n1++;
				next1[n] = next1[b]; next1[b] = n; inc1[b] = 1;
				if :: hold = n :: true fi;
				printf("insertion: splits page %d of level 1, right half %d, P's downlink is in %d\n", b, n, hold) };
			find2(b);
			atomic { par1[n] = y; inc1[b] = 0; lk2[y] = 0; n = 0; lk1[b] = 0 };
			atomic { !lk1[b] -> lk1[b] = 1 }
		:: else -> atomic { lk1[b] = 0; b = next1[b]; MUST(b != NONE, "FAULT: a page has no downlink\n") };
			atomic { !lk1[b] -> lk1[b] = 1 }
		fi
	od;
	path1 = b;
	printf("insertion: P's downlink is in %d of level 1; widens\n", b);
	find2(b);										/* = widen */
	atomic { !lk3 -> lk3 = true; MUST(down2[y], "FAULT: a page has no downlink\n") };
	atomic { lk3 = false; lk2[y] = 0; lk1[b] = 0 }
}

init { atomic {
	byte k;
	for (k : 0 .. N1-1) { next1[k] = NONE; par1[k] = NONE }
	for (k : 0 .. N2-1) { next2[k] = NONE }
	n1 = 1; par1[0] = 0; n2 = 1; down2[0] = 1; hold = 0;
	run Insertion(); run Others() } }
