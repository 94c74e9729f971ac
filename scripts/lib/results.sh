# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# What test tools print, turned into lines that are all of one form, as they come:
#
#     test knn        ... ok    812 ms    pg_regress up to PostgreSQL 15
#     ok 4   - knn        812 ms          pg_regress from 16 on
#     t/001_crash.pl ..                   prove --verbose: the file of what follows
#     ok 1 - all rows are there           prove, the unit tests, our own suites
#          |
#          v
#     ok      regress    knn                            812 ms
#
# and counted: the last line of a script is "N passed, N failed".
#
# Uses common.sh, progress.sh.
# Sets: passed, failed   what was judged so far
# Reads: suites   the suites that are to run

passed=0
failed=0

# result ok|FAILED SUITE TEST [NOTE]: one line
result() {
	local name=$3 color=$green
	[ "$1" = ok ] || color=$red
	[ -z "${4:-}" ] || printf -v name '%-30s %s' "$3" "$4"
	progress_end
	printf '%s%-7s%s %-10s %s\n' "$color" "$1" "$plain" "$2" "$name"
	if [ "$1" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

_regress_old='^(test|    ) +([^ ]+) +\.\.\. (ok|FAILED) +(.*)$'
_regress_new='^(ok|not ok) +[0-9]+ +[-+] ([^ ]+) +([0-9]+ ms)$'
_tap_file='^(t|upgrade)/([^ ]+)\.pl \.\.'
_tap_line='^(ok|not ok)( +[0-9]+)?( - (.*))?$'

# How many tests, or files of tests, a suite has; nobody knows of the others.
declare -A suite_size=(
	[regress]=$(find "$top/test/sql" -name '*.sql' | wc -l)
	[isolation]=$(find "$top/test/isolation/specs" -name '*.spec' | wc -l)
	[tap]=$(find "$top/test/t" -name '*.pl' | wc -l)
	[upgrade]=$(find "$top/test/upgrade" -name '*.pl' | wc -l)
)

# read_results SUITE: turns what a test tool prints into results. A line may come
# in two pieces, if there is a pause in which the clock goes on.
read_results() {
	local suite=$1 line='' piece status started=$EPOCHREALTIME wait=() file='' number=0
	[ "$tty" = 0 ] || wait=(-t 0.5)
	while :; do
		status=0
		IFS= read -r ${wait[@]+"${wait[@]}"} piece || status=$?
		line+=$piece
		if [ "$status" = 0 ]; then
			read_result "$line"
			line=
		elif [ "$status" -le 128 ]; then
			break
		fi
		progress "$number" "${suite_size[$suite]:-0}" "$suite ${file%: }  $(seconds "$started")"
	done
	progress_end
}

# read_result TEXT: one line of read_results, whose variables it uses
read_result() {
	local text=$1 verdict name note
	if [[ $text =~ $_regress_old ]]; then
		verdict=${BASH_REMATCH[3]} name=${BASH_REMATCH[2]} note=${BASH_REMATCH[4]}
	elif [[ $text =~ $_regress_new ]]; then
		verdict=${BASH_REMATCH[1]} name=${BASH_REMATCH[2]} note=${BASH_REMATCH[3]}
	elif [[ $text =~ $_tap_line ]]; then
		verdict=${BASH_REMATCH[1]} name=$file${BASH_REMATCH[4]:-$text} note=
	elif [[ $text =~ $_tap_file ]]; then
		[ -z "$file" ] || number=$((number + 1))
		file=${BASH_REMATCH[2]}': '
		return 0
	else
		return 0
	fi
	# of files of tests the files are counted
	[ -n "$file" ] || number=$((number + 1))
	case $verdict,$name in
	ok,*'# skip'* | ok,*'# SKIP'*)
		progress_end
		printf 'skipped %-10s %s\n' "$suite" "$name"
		;;
	ok,*) result ok "$suite" "$name" "$note" ;;
	*) result FAILED "$suite" "$name" "$note" ;;
	esac
}

# run_suite SUITE COMMAND...: runs a test tool and reads its output as it comes.
run_suite() {
	local suite=$1 log=$work/$1.log status=0 passed_before=$passed failed_before=$failed
	shift
	rm -f "$work/pipe"
	mkfifo "$work/pipe"
	set -m
	"$@" >"$work/pipe" 2>&1 </dev/null &
	child=$!
	set +m
	read_results "$suite" < <(exec tee "$log" <"$work/pipe")
	wait "$child" || status=$?
	child=
	if [ "$status" != 0 ] && [ "$failed" = "$failed_before" ]; then
		result FAILED "$suite" "ended with status $status, although no test failed"
	elif [ "$status" = 0 ] && [ "$passed" = "$passed_before" ]; then
		result FAILED "$suite" 'no test ran'
	fi
	[ "$failed" = "$failed_before" ] || show_failure "$suite"
}

# What a person wants to see of a failure, but not more than fits a screen or
# a few.
show_failure() {
	local diffs=
	case $1 in
	regress) diffs=$work/src/regression.diffs ;;
	isolation) diffs=$work/src/output_iso/regression.diffs ;;
	esac
	if [ -s "$diffs" ]; then
		excerpt "${diffs#"$work"/src/}" <"$diffs"
	elif grep -q '^ *not ok ' "$work/$1.log"; then
		# each failure, and what it says of itself
		awk '/^ *not ok / { lines = 40 } /^ *ok / { lines = 0 } lines-- > 0' "$work/$1.log" | excerpt "failures of $1"
	else
		grep -v '^ *ok ' "$work/$1.log" | tail -n 250 | excerpt "output of $1"
	fi
}

# excerpt TITLE [LINES]: so many of its input
excerpt() {
	awk -v title="$1" -v most="${2:-250}" '
		NR == 1 { print "---- " title }
		NR <= most { print "| " $0 }
		END { if (NR > most) print "---- " NR - most " more lines: run again with --keep"; else if (NR) print "----" }'
}

# A crash may hide behind a test that expects an error.
judge_server() {
	if grep -E 'PANIC:|TRAP:|was terminated by signal' "$work/server.log" >"$work/crash.log" 2>/dev/null; then
		result FAILED server 'crashed'
		excerpt 'server log' <"$work/crash.log"
	fi
}

# chosen SUITE...: is one of these to run?
chosen() {
	local suite
	for suite; do
		case " ${suites[*]} " in *" $suite "*) return 0 ;; esac
	done
	return 1
}

# Ends the script. $logs is what was kept, if it is not all.
summary() {
	[ "$keep_work" = 0 ] || printf '\nkept: %s\n' "${logs:-$work}"
	printf '\n%d passed, %d failed\n' "$passed" "$failed"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
	exit
}
