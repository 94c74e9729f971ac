# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Messages, steps with a progress bar, and a temporary directory, which is removed
# however the script ends.
#
# Sets: top      the top of the source tree
#       work     the temporary directory, after make_work
#       tty      1 if standard output is a terminal
#       child    process group of the step that is running
#       jobs     process groups that run beside this script
# Reads: let_child_finish   1: do not interrupt that step
#        say_progress       1: a step prints lines while it runs, where no terminal shows its progress
#        at_exit            a function that is called first, however the script ends

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
me=$(realpath -s "$0")
me=${me#"$top"/}
user_path=$PATH
user_tmpdir=${TMPDIR:-/tmp}
work=
child=
jobs=()
let_child_finish=0
at_exit=
keep_work=0   # 1: keep the directory
keep_server=0 # 1: keep the server running, too
tty=0
[ -t 1 ] && tty=1

# The user's own settings must neither select another server nor change what is
# built or printed.
for _name in $(compgen -e PG); do
	case $_name in PG_CONFIG | PG_TEST_*) ;; *) unset "$_name" ;; esac
done
unset _name MAKEFLAGS MAKELEVEL MFLAGS CDPATH
export LC_ALL=C

bold='' dim='' green='' red='' plain=''
if [ "$tty" = 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
	bold=$'\e[1m' dim=$'\e[2m' green=$'\e[32m' red=$'\e[31m' plain=$'\e[0m'
fi

die() {
	printf '%s: %s\n' "$me" "$1" >&2
	shift
	[ $# = 0 ] || printf '    %s\n' "$@" >&2
	exit 1
}

# refuse TEXT LINE...: says what is missing before any work is done. Exits with status 2.
refuse() {
	(die "$@") || exit 2
}

# need_git TEXT: TEXT says what is read from a clone by git
need_git() {
	local said
	command -v git >/dev/null || refuse "$1 by git, which is not installed" 'apt-get install git'
	if ! said=$(git -C "$top" rev-parse --show-toplevel 2>&1) || [ "$said" != "$top" ] ||
		! said=$(git -C "$top" rev-parse --verify HEAD 2>&1); then
		refuse "$1 by git, but $top is not a clone" "git said: ${said%%$'\n'*}"
	fi
}

# Prints what is wrong with the usage, and the usage. Exits with status 2.
usage_error() {
	printf '%s: %s\n\n' "$me" "$1" >&2
	usage >&2
	exit 2
}

# line NAME TEXT: prints one line about a finished step
line() {
	printf '  %s%-10s%s %s\n' "$bold" "$1" "$plain" "$2"
}

# seconds SINCE: prints the time since a value of EPOCHREALTIME, as "1.2 s"
seconds() {
	local ms=$(((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}) / 1000))
	printf '%d.%d s' $((ms / 1000)) $((ms % 1000 / 100))
}

# progress DONE TOTAL TEXT: draws the bar in the last line of a terminal. TOTAL is 0
# if it is unknown; DONE is empty if nothing is counted.
#
#     ok      regress    knn                     812 ms
#     [##########..............]  12 of 29  regress  31.4 s
#
# Draws nothing if the output is not a terminal.
progress_shown=0
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
	# without wrapping: a second line would not be overwritten
	printf '\r\e[K\e[?7l  %s%s\e[?7h' "$bar" "$text"
	progress_shown=1
}

# progress_end: removes the bar, before other output
progress_end() {
	[ "$progress_shown" = 0 ] || printf '\r\e[K'
	progress_shown=0
}

# each_line HANDLER TICK: calls HANDLER with each line of the input as it arrives,
# and TICK after each, and every half second on a terminal. A line may arrive in
# pieces.
each_line() {
	local _line='' _piece _status _wait=()
	[ "$tty" = 0 ] || _wait=(-t 0.5)
	while :; do
		_status=0
		IFS= read -r ${_wait[@]+"${_wait[@]}"} _piece || _status=$?
		_line+=$_piece
		if [ "$_status" = 0 ]; then
			"$1" "$_line"
			_line=
		elif [ "$_status" -le 128 ]; then
			[ -z "$_line" ] || "$1" "$_line"
			break
		fi
		# only a terminal shows progress, and each call starts processes
		[ "$tty" = 0 ] || "$2"
	done
	progress_end
}

# step NAME TEXT COMMAND...: runs a command whose output matters only if it fails.
# A terminal shows the seconds and, if the progress is known, a bar: step_at of step_of,
# or the number of output lines that match step_count, of step_of. Elsewhere, with say_progress,
# a line does so every ten seconds.
#
# The command runs in a process group of its own: Ctrl-C then reaches this script
# alone, which ends the whole group in on_exit.
step() {
	local name=$1 text=$2 started=$EPOCHREALTIME status=0
	shift 2
	set -m
	"$@" >"$work/step.log" 2>&1 </dev/null &
	child=$!
	set +m
	while [ "$tty" = 1 ] && kill -0 "$child" 2>/dev/null; do
		[ -z "${step_count:-}" ] || step_at=$(grep -cE "$step_count" "$work/step.log" || true)
		progress "${step_at:-}" "${step_of:-0}" "$(printf '%s%-10s%s %s  %s' "$bold" "$name" "$plain" "$(seconds "$started")" "$text")"
		sleep 0.1
	done
	[ "$tty" = 1 ] || [ "${say_progress:-0}" = 0 ] || progress_lines
	wait "$child" || status=$?
	child=
	progress_end
	if [ "$status" = 0 ]; then
		line "$name" "$text ($(seconds "$started"))"
	else
		line "$name" "$text: ${red}failed${plain}"
		tail -n "${step_tail:-40}" "$work/step.log" | sed 's/^/    /'
	fi
	return "$status"
}

# progress_lines: while the step runs, prints a line every ten seconds
progress_lines() {
	local next=100 tenths=0 seen=
	while kill -0 "$child" 2>/dev/null; do
		sleep 0.1
		tenths=$((tenths + 1))
		[ "$tenths" -ge "$next" ] || continue
		next=$((next + 100))
		[ -z "${step_count:-}" ] || seen=" $(grep -cE "$step_count" "$work/step.log" || true) of ${step_of:-?}"
		line "$name" "... $(seconds "$started")$seen"
	done
}

# make_work NAME: makes the temporary directory. It contains sockets, whose paths must not
# exceed about 100 characters.
make_work() {
	local base=${TMPDIR:-/tmp}
	[ "${#base}" -le 40 ] || base=/tmp
	trap on_exit EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 141' PIPE
	trap 'exit 143' TERM
	work=$(realpath "$(mktemp -d "$base/spqtree-$1.XXXXXX")") || die "cannot make a directory in $base"
}

on_exit() {
	local status=$? pidfile job
	trap - EXIT
	trap '' HUP INT PIPE TERM
	[ -n "$work" ] || exit "$status"
	if [ -n "$child" ]; then
		[ "$tty" = 0 ] || printf '\n'
		if [ "$let_child_finish" = 1 ]; then
			printf '%s: waiting for this step, which should not be interrupted\n' "$me" >&2
			wait "$child" || true
		else
			end_group "$child"
		fi
	fi
	[ -z "$at_exit" ] || "$at_exit" 2>/dev/null || true
	# Each is a script that cleans up in the same way, which takes a moment.
	for job in ${jobs[@]+"${jobs[@]}"}; do
		signal_group TERM "$job" || true
	done
	for job in ${jobs[@]+"${jobs[@]}"}; do
		end_group "$job" 60
	done
	if [ "$keep_server" = 0 ]; then
		# All servers below our directory are ours: the private one, and those of an
		# interrupted TAP test.
		while IFS= read -r pidfile; do
			as_server "$pg_bin/pg_ctl" stop -m immediate -w -t 30 -D "${pidfile%/*}"
		done < <(find "$work" -name postmaster.pid 2>/dev/null) >/dev/null 2>&1
	fi
	# Nothing can be mounted below it: see versions.sh. Some files may be root's.
	[ "$keep_work" = 1 ] || rm -rf --one-file-system "$work" 2>/dev/null ||
		sudo -n rm -rf --one-file-system "$work"
	exit "$status"
}

# end_group GROUP [SECONDS]: ends a process group; first with SIGTERM, on which TAP tests
# stop their servers
end_group() {
	local deadline=$((SECONDS + ${2:-5}))
	signal_group TERM "$1" || return 0
	while [ "$SECONDS" -lt "$deadline" ]; do
		signal_group 0 "$1" || return 0
		sleep 0.1
	done
	signal_group KILL "$1" || true
}

# signal_group SIGNAL GROUP: fails if the group has no process. Processes started by sudo
# can only be signaled by sudo.
signal_group() {
	kill "-$1" -- "-$2" 2>/dev/null && [ "$1" = 0 ] && return
	if [ "$EUID" != 0 ] && command -v sudo >/dev/null; then
		sudo -n kill "-$1" -- "-$2" 2>/dev/null
	else
		kill -0 -- "-$2" 2>/dev/null
	fi
}
