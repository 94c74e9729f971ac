# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# The length of tests with random input or a fixed time: full, as in test/README.md, or
# short.
#
# Sets: day   days since 1970, by which versions take turns in running in full length.
#             SPQTREE_DAY in the environment repeats the choice of another day

export SPQTREE_DAY=${SPQTREE_DAY:-$((EPOCHSECONDS / 86400))}
day=$SPQTREE_DAY

short_lengths=(SPQTREE_TABLES=30 SPQTREE_JOINS=10 SPQTREE_SECONDS=10 SPQTREE_ROUNDS=4 SPQTREE_RECORDS=60 SPQTREE_DAMAGED=30 SPQTREE_PAIRS=60000 SPQTREE_UNIT_SHARE=4)
shortened=()

# Makes all following tests short, except those whose length the user has set.
short_length() {
	local length
	for length in "${short_lengths[@]}"; do
		[ -z "$(printenv "${length%%=*}")" ] || continue
		export "${length?}"
		shortened+=("${length%%=*}")
	done
}

# Undoes that. Call it in a subshell.
full_length() {
	[ "${#shortened[@]}" = 0 ] || unset "${shortened[@]}"
}
