# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Messages, steps with progress, and the temporary directory that holds all
# that a script makes and is gone when it ends, however it ends.
#
# Sets: top      the top of the source tree
#       work     the temporary directory, after make_work
#       tty      1 if standard output is a terminal
#       child    process group of the step that is running
#       jobs     process groups that run beside this script
# Reads: let_child_finish   1: do not end that step in the middle

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
me=$(realpath -s "$0")
me=${me#"$top"/}
user_path=$PATH
user_tmpdir=${TMPDIR:-/tmp}
work=
child=
jobs=()
let_child_finish=0
keep_work=0   # 1: leave the directory behind
keep_server=0 # 1: and the server running
tty=0
[ -t 1 ] && tty=1

# The user's own settings must not lead to another server, nor change what is
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

. "$top/scripts/lib/progress.sh"

die() {
	printf '%s: %s\n' "$me" "$1" >&2
	shift
	[ $# = 0 ] || printf '    %s\n' "$@" >&2
	exit 1
}

# Wrong use: says what is wrong and how it is right, exit status 2.
usage_error() {
	printf '%s: %s\n\n' "$me" "$1" >&2
	usage >&2
	exit 2
}

# A finished piece of work: what, and what came of it.
line() {
	printf '  %s%-10s%s %s\n' "$bold" "$1" "$plain" "$2"
}

# seconds SINCE: elapsed since a value of EPOCHREALTIME, as "1.2 s"
seconds() {
	local ms=$(((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}) / 1000))
	printf '%d.%d s' $((ms / 1000)) $((ms % 1000 / 100))
}

# step NAME TEXT COMMAND...: runs a command whose output matters only if it
# fails. On a terminal the seconds count up meanwhile, beside a bar if it is known how
# far the work has come: step_at of step_of, or as many of step_of as lines of the
# output match step_count.
#
# The command gets a process group of its own: Ctrl-C then reaches this script
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

# Makes the temporary directory. Sockets live in it, and the path of a socket
# may have no more than about 100 characters.
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
			printf '%s: waiting for the end of this step, which should not be broken off\n' "$me" >&2
			wait "$child" || true
		else
			end_group "$child"
		fi
	fi
	# Each is a script that tidies up as this one does, which takes its time.
	for job in ${jobs[@]+"${jobs[@]}"}; do
		signal_group TERM "$job" || true
	done
	for job in ${jobs[@]+"${jobs[@]}"}; do
		end_group "$job" 60
	done
	if [ "$keep_server" = 0 ]; then
		# Every server below our own directory is ours: the private one, and
		# those that an interrupted TAP test left.
		while IFS= read -r pidfile; do
			as_server "$pg_bin/pg_ctl" stop -m immediate -w -t 30 -D "${pidfile%/*}"
		done < <(find "$work" -name postmaster.pid 2>/dev/null) >/dev/null 2>&1
	fi
	# Nothing can be mounted below it: see versions.sh. Root leaves files there
	# on behalf of another user.
	[ "$keep_work" = 1 ] || rm -rf --one-file-system "$work" 2>/dev/null ||
		sudo -n rm -rf --one-file-system "$work"
	exit "$status"
}

# end_group GROUP [SECONDS]: ends a process group, kindly first: the TAP tests
# then stop their servers.
end_group() {
	local deadline=$((SECONDS + ${2:-5}))
	signal_group TERM "$1" || return 0
	while [ "$SECONDS" -lt "$deadline" ]; do
		signal_group 0 "$1" || return 0
		sleep 0.1
	done
	signal_group KILL "$1" || true
}

# signal_group SIGNAL GROUP: fails if there is nobody to get it. What sudo runs is
# out of the user's own reach.
signal_group() {
	kill "-$1" -- "-$2" 2>/dev/null && [ "$1" = 0 ] && return
	if [ "$EUID" != 0 ] && command -v sudo >/dev/null; then
		sudo -n kill "-$1" -- "-$2" 2>/dev/null
	else
		kill -0 -- "-$2" 2>/dev/null
	fi
}
