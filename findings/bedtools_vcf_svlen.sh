#!/usr/bin/env bash
# bedtools 2.30.0 (Debian 12): where a structural variant of a VCF file ends depends on the order of INFO.
#
# A deletion of the 50 bases after position 100 has POS=100, ALT=<DEL>, END=150 and SVLEN=-50 (VCF 4.2: POS is the base
# before the event). Its records need not have both tags, nor in one order. As an interval from 0, bedtools reads
#
#   1. 99-150 if END comes first or is alone, and 99-149 if SVLEN comes first or is alone: the base at POS counts as
#      one of the deleted.
#   2. <INS> as a place without length before the base at POS, though the insertion is after it. Here this is 98-100, since
#      bedtools widens such places (bedtools_zero_length.sh).
#
# So a file with the same variants, but with other tags or in another order, has other overlaps.
#
# For spqtree's users: docs/genomes.md, GFF and VCF; the query there takes END before SVLEN.
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

printf '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n' >header
for position in {90..159}; do printf 'chr1\t%d\t%d\n' "$position" $((position + 1)); done >bases.bed

{
	"$bedtools" --version
	while read -r alt info; do
		{ cat header && printf 'chr1\t100\tv\tN\t%s\t.\t.\t%s\n' "$alt" "$info"; } >one.vcf
		"$bedtools" intersect -a one.vcf -b bases.bed -wa -wb |
			awk -v what="$alt $info" 'NR == 1 { first = $(NF - 1) } { last = $NF } END { print what ": " first "-" last }'
	done <<'VCF'
<DEL> SVTYPE=DEL;END=150
<DEL> SVTYPE=DEL;SVLEN=-50
<DEL> SVTYPE=DEL;END=150;SVLEN=-50
<DEL> SVTYPE=DEL;SVLEN=-50;END=150
<INS> SVTYPE=INS;END=100
<INS> SVTYPE=INS;END=100;SVLEN=50
<INS> SVTYPE=INS;SVLEN=50;END=100
VCF
} >seen
cat >expected <<'OUT'
bedtools v2.30.0
<DEL> SVTYPE=DEL;END=150: 99-150
<DEL> SVTYPE=DEL;SVLEN=-50: 99-149
<DEL> SVTYPE=DEL;END=150;SVLEN=-50: 99-150
<DEL> SVTYPE=DEL;SVLEN=-50;END=150: 99-149
<INS> SVTYPE=INS;END=100: 98-100
<INS> SVTYPE=INS;END=100;SVLEN=50: 98-100
<INS> SVTYPE=INS;SVLEN=50;END=100: 98-100
OUT
cat seen
diff expected seen && echo 'as described'
