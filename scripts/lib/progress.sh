# shellcheck shell=bash disable=SC2154  # variables are shared with other files
# How far a long piece of work has come: one line at the bottom of a terminal,
# which is written over until something is worth a line of its own.
#
#     ok      regress    knn                     812 ms
#     [##########..............]  12 of 29  regress  31.4 s
#
# Where output is no terminal nothing of this is printed, only the lines that stay.
#
# Uses common.sh.

progress_shown=0

# progress DONE TOTAL TEXT: TOTAL is 0 if nobody knows it; DONE is empty if
# nothing is counted.
progress() {
	local done=$1 total=$2 text=$3 width=24 part bar=''
	[ "$tty" = 1 ] || return 0
	if [ "$total" -gt 0 ]; then
		[ "$done" -le "$total" ] || done=$total
		part=$((width * done / total))
		printf -v bar '%*s' "$part" ''
		bar=${bar// /#}
		printf -v part '%*s' $((width - part)) ''
		bar="[$green$bar$plain$dim${part// /.}$plain]  $done of $total  "
	elif [ -n "$done" ]; then
		bar="$done so far  "
	fi
	# without wrapping: a second line would stay behind
	printf '\r\e[K\e[?7l  %s%s\e[?7h' "$bar" "$text"
	progress_shown=1
}

# Before anything else is printed.
progress_end() {
	[ "$progress_shown" = 0 ] || printf '\r\e[K'
	progress_shown=0
}
