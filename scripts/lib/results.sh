# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Reads the output of every test tool as it arrives, and turns it into lines of one
# format:
#
#     test knn        ... ok    812 ms    pg_regress up to PostgreSQL 15
#     ok 4   - knn        812 ms          pg_regress from 16 on
#     t/001_crash.pl ..                   prove --verbose: a file of tests
#     ok 1 - all rows are there           prove, the unit tests, our own suites
#          |
#          v
#     ok      regress    knn                            812 ms
#
# and counts them: the last line of a script is "N passed, N failed". Crashes in the logs
# of servers, and reports of sanitizers and valgrind, count as failures.
#
# Uses common.sh, failures.sh.
# Sets: passed, failed   counted so far
#       suite_times      duration of each suite, in seconds of elapsed time
# Reads: suites    the suites to run
#        reports   directory of reports, if there is one

passed=0
failed=0
suite_times=
reports=

# result ok|FAILED SUITE TEST [NOTE]: prints and counts one result
result() {
	local name=$3 color=$green
	[ "$1" = ok ] || color=$red
	[ -z "${4:-}" ] || printf -v name '%-30s %s' "$3" "$4"
	progress_end
	printf '%s%-7s%s %-10s %s\n' "$color" "$1" "$plain" "$2" "$name"
	if [ "$1" = ok ]; then passed=$((passed + 1)); else failure "$2" "$3"; fi
}

_regress_old='^(test|    ) +([^ ]+) +\.\.\. (ok|FAILED) +(.*)$'
_regress_new='^(ok|not ok) +[0-9]+ +[-+] ([^ ]+) +([0-9]+ ms)$'
_tap_file='^(t|upgrade)/([^ ]+)\.pl \.\.'
_tap_died='^Dubious, test returned ([0-9]+)'
_tap_line='^(ok|not ok)( +[0-9]+)?( - (.*)| (# skip .*))?$'

# A pattern for the beginnings of all lines that these functions match.
_results='^(test |    |ok|not ok|t/|upgrade/|Dubious)'

# The number of tests, or of files of tests, if it is known in advance.
declare -A suite_size=(
	[regress]=$(find "$top/test/sql" -name '*.sql' | wc -l)
	[isolation]=$(find "$top/test/isolation/specs" -name '*.spec' | wc -l)
	[tap]=$(find "$top/test/t" -name '*.pl' | wc -l)
	[upgrade]=$(find "$top/test/upgrade" -name '*.pl' | wc -l)
)

# read_results SUITE: turns the output of a test tool into results
read_results() {
	local suite=$1 started=$EPOCHREALTIME file='' number=0 failed_in_file=0
	each_line read_result show_suite
}

show_suite() {
	progress "$number" "${suite_size[$suite]:-0}" "$suite ${file%: }  $(seconds "$started")"
}

# read_result TEXT: reads one line; the variables are read_results'
read_result() {
	local text=$1 verdict name note
	if [[ $text =~ $_regress_old ]]; then
		verdict=${BASH_REMATCH[3]} name=${BASH_REMATCH[2]} note=${BASH_REMATCH[4]}
	elif [[ $text =~ $_regress_new ]]; then
		verdict=${BASH_REMATCH[1]} name=${BASH_REMATCH[2]} note=${BASH_REMATCH[3]}
	elif [[ $text =~ $_tap_line ]]; then
		verdict=${BASH_REMATCH[1]} name=$file${BASH_REMATCH[4]:-${BASH_REMATCH[5]:-$text}} note=
	elif [[ $text =~ $_tap_file ]]; then
		[ -z "$file" ] || number=$((number + 1))
		file=${BASH_REMATCH[2]}': '
		failed_in_file=$failed
		return 0
	elif [[ $text =~ $_tap_died ]] && [ "$failed" = "$failed_in_file" ]; then
		verdict=FAILED name="${file}ended with status ${BASH_REMATCH[1]}, although no test failed" note=
	else
		return 0
	fi
	# if tests are in files, count the files
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

# run_beside SUITE COMMAND...: starts a test tool, beside the suites before it. Later,
# "follow SUITE" takes the place of the command in run_suite.
declare -A beside_since=() beside_job=()
run_beside() {
	local suite=$1
	shift
	beside_since[$suite]=$SECONDS
	set -m
	(
		trap 'echo $? >"$work/$suite.status"' EXIT
		"$@"
	) >"$work/$suite.out" 2>&1 </dev/null &
	set +m
	beside_job[$suite]=$!
	jobs+=($!)
}

# drop_job PID: it is not stopped with this script any more
drop_job() {
	local job kept=()
	for job in "${jobs[@]}"; do
		[ "$job" = "$1" ] || kept+=("$job")
	done
	jobs=("${kept[@]}")
}

# follow SUITE: prints the output of its command until that ends, and returns its status
follow() {
	local status=0 ended=0
	exec 3<"$work/$1.out"
	while [ "$ended" = 0 ]; do
		# tested before the rest is read, so that no output is missed
		[ ! -s "$work/$1.status" ] || ended=1
		cat <&3
		[ "$ended" = 1 ] || sleep 1
	done
	read -r status <"$work/$1.status"
	return "$status"
}

# run_suite SUITE COMMAND...: runs a test tool and reads its output as it arrives
run_suite() {
	local suite=$1 log=$work/$1.log status=0 passed_before=$passed failed_before=$failed since=${beside_since[$1]:-$SECONDS}
	shift
	rm -f "$work/pipe" "$work/status"
	mkfifo "$work/pipe"
	set -m
	(
		trap 'echo $? >"$work/status"' EXIT
		"$@"
	) >"$work/pipe" 2>&1 </dev/null &
	child=$!
	set +m
	# without TAP's notes: a shell reads a pipe byte by byte
	read_results "$suite" < <(tee "$log" <"$work/pipe" | grep --line-buffered -E "$_results")
	# "wait" does not know the status if another process has had the same number since
	wait "$child" 2>/dev/null || true
	child=
	read -r status <"$work/status" || status=1
	if [ "$status" != 0 ] && [ "$failed" = "$failed_before" ]; then
		result FAILED "$suite" "ended with status $status, although no test failed"
	elif [ "$status" = 0 ] && [ "$passed" = "$passed_before" ]; then
		result FAILED "$suite" 'no test ran'
	fi
	# it has ended, and another process may get its number
	[ -z "${beside_job[$suite]:-}" ] || drop_job "${beside_job[$suite]}"
	suite_times+=" $suite $((SECONDS - since)) s,"
	[ "$failed" = "$failed_before" ] || show_failure "$suite"
}

# Shows the lines that explain a failure, up to a few screens.
show_failure() {
	local diffs=
	case $1 in
	regress) diffs=$work/src/regression.diffs ;;
	isolation) diffs=$work/src/output_iso/regression.diffs ;;
	postgis) diffs=$work/src/postgis/regression.diffs ;;
	esac
	if [ -s "$diffs" ]; then
		excerpt "${diffs#"$work"/src/}" <"$diffs"
	elif grep -q '^ *not ok ' "$work/$1.log"; then
		# each failure, with the lines after it
		awk '/^ *not ok / { lines = 40 } /^ *ok / { lines = 0 } lines-- > 0' "$work/$1.log" | excerpt "failures of $1"
	else
		{ grep -v '^ *ok ' "$work/$1.log" || true; } | tail -n 250 | excerpt "output of $1"
	fi
}

# excerpt TITLE [LINES]: shows at most this number of lines of its input
excerpt() {
	awk -v title="$1" -v most="${2:-250}" '
		NR == 1 { print "---- " title }
		NR <= most { print "| " $0 }
		END { if (NR > most) print "---- " NR - most " more lines: run again with --keep"; else if (NR) print "----" }'
}

# Prints the lines of all servers' logs about assertions, crashes and undefined behavior.
# Tests kill servers themselves, by signals 9 and 15.
crashes() {
	find "$work" -name '*.log' -not -path "$work/reports/*" -exec grep -hE -A 12 \
		'^[^ ]+: runtime error: |^TRAP: |PANIC: |was terminated by signal ([1-8]|1[0-4]):' {} +
}

# A page with a wrong checksum was changed while it was written. Stops the private server.
judge_pages() {
	[ -d "$work/data" ] || return 0
	as_server pg_ctl stop -m fast -w -D "$work/data" >/dev/null 2>&1 || true
	if ! as_server pg_checksums --check -D "$work/data" >"$work/checksums" 2>&1; then
		result FAILED server 'the checksums of all pages are right'
		excerpt pg_checksums 30 <"$work/checksums"
	fi
}

# A crash may be hidden by a test that expects an error.
judge_servers() {
	crashes >"$work/crashes" 2>/dev/null || true
	if [ -s "$work/crashes" ]; then
		result FAILED server 'assertion, crash or undefined behavior'
		excerpt 'server logs' 60 <"$work/crashes"
	fi
}

# judge_reports TEXT: reports each report as a failure and shows its beginning. TEXT is the
# result if there is none.
judge_reports() {
	local report count=0
	for report in "$reports"/*; do
		[ -s "$report" ] || continue
		count=$((count + 1))
		[ "$count" -le 10 ] || continue
		result FAILED report "${report##*/}"
		excerpt "${report##*/}" 60 <"$report"
	done
	if [ "$count" -gt 10 ]; then
		result FAILED report "and $((count - 10)) more"
	elif [ "$count" = 0 ]; then
		result ok report "$1"
	fi
}

# chosen SUITE...: true if one of these is to be run
chosen() {
	local suite
	for suite; do
		case " ${suites[*]} " in *" $suite "*) return 0 ;; esac
	done
	return 1
}

# Prints the totals and ends the script. $logs names what was kept, if not all of $work.
summary() {
	[ "$keep_work" = 0 ] || printf '\nkept: %s\n' "${logs:-$work}"
	[ -z "$suite_times" ] || printf '\nsuites took%s\n' "${suite_times%,}"
	show_failures
	printf '\n%d passed, %d failed\n' "$passed" "$failed"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
	exit
}
