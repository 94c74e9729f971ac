# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# How much tests do that draw their input at random, or go on for a fixed time: all that
# test/README.md says, or less.
#
# Sets: day   of what another version does each day; SPQTREE_DAY repeats one

export SPQTREE_DAY=${SPQTREE_DAY:-$((EPOCHSECONDS / 86400))}
day=$SPQTREE_DAY

short_lengths=(SPQTREE_TABLES=30 SPQTREE_JOINS=10 SPQTREE_SECONDS=10 SPQTREE_ROUNDS=4 SPQTREE_DAMAGED=30 SPQTREE_UNIT_SHARE=4)
shortened=()

# Let all tests that follow do less. A value that the user has set counts.
short_length() {
	local length
	for length in "${short_lengths[@]}"; do
		[ -z "$(printenv "${length%%=*}")" ] || continue
		export "${length?}"
		shortened+=("${length%%=*}")
	done
}

# Undo that, in a subshell.
full_length() {
	[ "${#shortened[@]}" = 0 ] || unset "${shortened[@]}"
}
