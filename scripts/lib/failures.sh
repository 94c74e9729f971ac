# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Repeats the failed tests at the end of the output, so that the tail of a log tells which
# tests failed and why:
#
#     Failed tests
#
#     FAILED  regress    knn  (PostgreSQL 17.6)
#     | @@ -12,3 +12,3 @@
#     | ...
#
#     3656 passed, 1 failed
#
# With --postgres, each version's list is taken from its output and shown after the totals
# of the versions.
#
# Uses common.sh, results.sh.

failures_title='Failed tests'
failures_lines=40   # of one test
failures_budget=100 # of all, so that a few screens show them
failures=()         # "suite<TAB>test", added by result()

# failure SUITE TEST: records a failed test
failure() {
	failed=$((failed + 1))
	failures+=("$1"$'\t'"$2")
}

# Prints the list if a test failed.
show_failures() {
	local entry suite test lines number=${#failures[@]} where=
	[ "$number" -gt 0 ] || return 0
	[ -z "${pg_version:-}" ] || where="  (PostgreSQL $pg_version)"
	lines=$((failures_budget / number))
	[ "$lines" -lt "$failures_lines" ] || lines=$failures_lines
	printf '\n%s\n\n' "$failures_title"
	for entry in "${failures[@]:0:$failures_budget}"; do
		suite=${entry%%$'\t'*} test=${entry#*$'\t'}
		printf '%sFAILED%s  %-10s %s%s\n' "$red" "$plain" "$suite" "$test" "$where"
		diagnosis "$suite" "$test" 2>/dev/null | awk -v most="$lines" 'NR <= most { print "| " $0 }' || true
	done
	[ "$number" -le "$failures_budget" ] || printf '... and %d more\n' $((number - failures_budget))
}

# failures_of LOG: prints the list of a run, without its title
failures_of() {
	awk -v title="$failures_title" '
		/^[0-9]+ passed, [0-9]+ failed$/ { shown = 0 }
		shown && ($0 != "" || n++) { print }
		$0 == title { shown = 1; n = 0 }' "$1" | sed -e '/^kept: /d' -e :a -e '/^\n*$/ { $d; N; ba' -e '}'
}

# diagnosis SUITE TEST: prints the log lines that explain why it failed
diagnosis() {
	local file=${2%%: *}
	case $1 in
	regress) difference "$work/src/regression.diffs" "$2" ;;
	isolation) difference "$work/src/output_iso/regression.diffs" "$2" ;;
	random) cat "$work/failed/${2//[^a-z0-9]/-}" ;;
	postgres) diff -U3 "$work/without/results/$2.out" "$work/with/results/$2.out" | tail -n +3 ;;
	gis) gis_differences "$2" "${gis_modes[@]}" | sed -n 's/^| //p' ;;
	coverage) grep -F $'\t'"$2:" "$work/report" ;;
	report) cat "$reports/$2" ;;
	server) cat "$work/crashes" ;;
	build) cat "$work/step.log" ;;
	*)
		around_failure "$2" <"$work/$1.log"
		case $2 in
		*' ended with status '*) tail -q -n 15 "$work"/{src/tmp_check,own_check,faults/tmp_check}/log/regress_log_"$file" 2>/dev/null || true ;;
		esac
		;;
	esac
}

# difference DIFFS TEST: prints the part of pg_regress's file about a test, without its head
difference() {
	awk -v end="/$2.out" '
		/^diff / { shown = substr($0, length($0) - length(end) + 1) == end; skip = 3 }
		shown && skip-- <= 0 { print }' "$1"
}

# around_failure TEST: prints the lines of a suite's output between the results before and
# after the failure; of a TAP test also its standard error, which may come slightly earlier or
# later. Prints the last lines if there is no such result.
around_failure() {
	awk -v test="$1" '
		function is_result(text) { return text ~ /^ *(not )?ok( |$)|^(t|upgrade)\/[^ ]+\.pl \.\.|^(Failed|All) [0-9\/]+ subtests/ }
		function ends(text, end) { return length(text) >= length(end) && substr(text, length(text) - length(end) + 1) == end }
		BEGIN {
			file = ""
			# "001_crash: all rows are there"
			if (match(test, /^[0-9][0-9][0-9]_[a-z0-9_]+: /)) { file = substr(test, 1, RLENGTH - 2); test = substr(test, RLENGTH + 1) }
			ended = test ~ /^ended with status /
		}
		match($0, /^(t|upgrade)\/[^ ]+\.pl \.\./) { split($0, part, /[\/.]/); of = part[2]; }
		{ line[NR] = $0; owner[NR] = file == "" ? "" : of; last[owner[NR]] = NR }
		END {
			for (i = 1; i <= NR; i++) {
				if (file != "" && owner[i] != file) continue
				if (line[i] ~ /^ *not ok/ && ends(line[i], test)) {
					for (j = i - 1; j > i - 20 && j > 0 && !is_result(line[j]); j--) mark[j] = 1
					for (j = i + 1; j < i + 40 && j <= NR && !is_result(line[j]); j++) mark[j] = 1
				}
				if (index(line[i], "Failed test \047" test "\047"))
					for (j = i; j < i + 40 && line[j] ~ /^ *#/; j++) mark[j] = 1
			}
			if (ended)
				for (i = j = last[file]; i > j - 20 && owner[i] == file; i--) if (!is_result(line[i])) mark[i] = 1
			for (i = 1; i <= NR; i++) if (i in mark && line[i] != "") print line[i]
		}'
}
