#!/usr/bin/env bash
# bedtools 2.30.0 (Debian 12): features without length add and remove bases beside them.
#
# A BED feature whose start is its end (an insertion's place) has no bases. bedtools widens it by a base on both sides when it
# reads it. So it overlaps what ends or begins there, which is useful, but the two bases also count:
#
#   1. intersect: the features 10-10 and 11-11 overlap, and -wo prints that they have -2 bases in common.
#   2. subtract: 20-30 without 25-25 is 20-24 and 26-30. Two bases are gone.
#   3. merge: 10-10 and 10-20 become 9-20, though nothing has the base at 9. Alone, 10-10 stays as it is.
#   4. coverage: 25-25 covers two bases of 20-30.
#
# For spqtree's users: docs/genomes.md, features without length; the columns lo and hi there have the same bases.
#
# Needs Debian 12's apt-get and dpkg-deb. Fails if the behavior changes.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cd "$dir"
apt-get download -qq bedtools=2.30.0+dfsg-3 2>/dev/null
dpkg-deb -x bedtools_*.deb .
bedtools=usr/bin/bedtools

bed() { # bed START-STOP...: features of one chromosome
	printf '%s\n' "$@" | sed 's/\(.*\)-\(.*\)/chr1\t\1\t\2/'
}

{
	"$bedtools" --version
	echo '10-10 intersects, with bases in common'
	"$bedtools" intersect -wo -a <(bed 10-10) -b <(bed 5-9 5-10 9-9 10-20 11-11 11-20) | cut -f 5-
	echo '20-30 without 25-25'
	"$bedtools" subtract -a <(bed 20-30) -b <(bed 25-25) | cut -f 2-
	echo 'merged'
	bed 10-10 | "$bedtools" merge -i - | cut -f 2-
	bed 10-10 10-20 | "$bedtools" merge -i - | cut -f 2-
	echo 'covered bases of 20-30 by 25-25'
	"$bedtools" coverage -a <(bed 20-30) -b <(bed 25-25) | cut -f 5
} | tr '\t' ' ' >seen
cat >expected <<'OUT'
bedtools v2.30.0
10-10 intersects, with bases in common
5 10 0
9 9 -2
10 20 0
11 11 -2
20-30 without 25-25
20 24
26 30
merged
10 10
9 20
covered bases of 20-30 by 25-25
2
OUT
cat seen
diff expected seen && echo 'as described'
