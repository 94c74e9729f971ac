# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Test suites on servers that are looked into: by a sanitizer, by valgrind, by
# gcov.
#
# A test starts its servers itself, and more than one of them, so the program
# "postgres" of the private copy is replaced by a script that prepares the ground
# and then becomes the program:
#
#     pg_ctl, PostgreSQL::Test::Cluster
#          |
#          v
#     bin/postgres            the script: environment, or valgrind in front
#          |  exec            the process stays the same: signals, pid files
#          v
#     bin/postgres.program    what was "postgres"
#
# Uses common.sh, packages.sh and postgres.sh.
# Sets: reports          directory for what the tools find, after prepare_reports
#       passed, failed   tests and other things that were judged

passed=0
failed=0
reports=

prepare_reports() {
	reports=$work/reports
	as_server mkdir "$reports"
}

# wrap_server LINE...: the script. In its lines $program is the server program.
# The short runs that initdb and pg_ctl make of it are none of our business.
wrap_server() {
	as_server mv "$pg_bin/postgres" "$pg_bin/postgres.program" &&
		printf '%s\n' '#!/bin/bash' "program='$pg_bin/postgres.program'" \
			"case \${1:-} in --boot | --single | --check | --version | -V | -C | --describe-config)" \
			"	exec -a \"\$0\" \"\$program\" \"\$@\" ;;" \
			'esac' "$@" |
		as_server tee "$pg_bin/postgres" >/dev/null &&
		as_server chmod 755 "$pg_bin/postgres"
}

# result ok|FAILED SUITE TEST [NOTE]: one line
result() {
	local name=$3 color=$green
	[ "$1" = ok ] || color=$red
	[ -z "${4:-}" ] || printf -v name '%-30s %s' "$3" "$4"
	printf '%s%-7s%s %-10s %s\n' "$color" "$1" "$plain" "$2" "$name"
	if [ "$1" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# What pg_regress says of a test up to PostgreSQL 15, and from 16 on, when it
# speaks as prove and the unit tests do.
_regress_old='^(test|    ) +([^ ]+) +\.\.\. (ok|FAILED) +(.*)$'
_tap='^(ok|not ok) +[0-9]+( +[-+] (.*))?$'
_tap_file='^t/([^ ]+)\.pl \.\.'

# judge SUITE: turns what a test tool prints into results.
judge() {
	local suite=$1 text verdict name note file=
	while IFS= read -r text; do
		if [[ $text =~ $_regress_old ]]; then
			verdict=${BASH_REMATCH[3]} name=${BASH_REMATCH[2]} note=${BASH_REMATCH[4]}
		elif [[ $text =~ $_tap ]]; then
			verdict=${BASH_REMATCH[1]} name=$file${BASH_REMATCH[3]:-$text} note=
		else
			[[ ! $text =~ $_tap_file ]] || file=${BASH_REMATCH[1]}': '
			continue
		fi
		case $verdict in
		ok) result ok "$suite" "$name" "$note" ;;
		*) result FAILED "$suite" "$name" "$note" ;;
		esac
	done
}

# run_suite SUITE COMMAND...: each result is shown as it comes.
run_suite() {
	local suite=$1 status=0 before=$((passed + failed)) failed_before=$failed
	shift
	rm -f "$work/pipe"
	mkfifo "$work/pipe"
	set -m
	"$@" >"$work/pipe" 2>&1 </dev/null &
	child=$!
	set +m
	judge "$suite" < <(exec tee "$work/$suite.log" <"$work/pipe")
	wait "$child" || status=$?
	child=
	if [ "$status" != 0 ] && [ "$failed" = "$failed_before" ]; then
		result FAILED "$suite" "ended with status $status, although no test failed"
		tail -n 40 "$work/$suite.log" | sed 's/^/| /'
	elif [ "$((passed + failed))" = "$before" ]; then
		result FAILED "$suite" 'no test ran'
	fi
	[ "$failed" = "$failed_before" ] || [ "$keep_work" = 1 ] || why "$suite"
}

# why SUITE: how the output of a failed test differs.
why() {
	local diffs
	for diffs in "$work/src/regression.diffs" "$work/src/output_iso/regression.diffs"; do
		[ ! -s "$diffs" ] || head -n 100 "$diffs" | sed 's/^/| /'
	done
}

# crashes: what the logs of all servers tell of assertions, crashes and undefined
# behaviour. Tests kill servers by signals 9 and 15 themselves.
crashes() {
	find "$work" -name '*.log' -not -path "$reports/*" -exec grep -hE -A 12 \
		'^[^ ]+: runtime error: |^TRAP: |PANIC: |was terminated by signal ([1-8]|1[0-4]):' {} +
}

# show_reports TEXT: every report is a failure; its beginning is shown.
show_reports() {
	local report count=0
	for report in "$reports"/*; do
		[ -s "$report" ] || continue
		count=$((count + 1))
		[ "$count" -le 10 ] || continue
		result FAILED report "${report##*/}"
		head -n 60 "$report" | sed 's/^/| /'
	done
	if [ "$count" -gt 10 ]; then
		result FAILED report "and $((count - 10)) more"
	elif [ "$count" = 0 ]; then
		result ok report "$1"
	fi
	crashes >"$work/crashes" || true
	if [ -s "$work/crashes" ]; then
		result FAILED server 'assertion, crash or undefined behaviour'
		head -n 60 "$work/crashes" | sed 's/^/| /'
	fi
}

summary() {
	[ "$keep_work" = 0 ] || printf '\nkept: %s\n' "$work"
	printf '\n%d passed, %d failed\n' "$passed" "$failed"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
	exit
}

# chosen SUITE...: is one of these among $suites?
chosen() {
	local suite
	for suite; do
		case " ${suites[*]} " in *" $suite "*) return 0 ;; esac
	done
	return 1
}

# read_options ARGUMENT...: sets $suites, of those in $all_suites, and what
# options say; usage() is the caller's. Options that only the caller knows are
# asked of its own_option NAME VALUE, which says whether it knows them, and sets
# own_value to 1 if the value is theirs.
read_options() {
	suites=()
	while own_value=0 && [ $# -gt 0 ]; do
		case $1 in
		--keep) keep_work=1 ;;
		--no-install) install_packages=0 ;;
		--help | -h) usage && exit ;;
		-*)
			own_option "$1" "${2:-}" || usage_error "unknown option $1"
			[ "$own_value" = 0 ] || [ $# = 1 ] || shift
			;;
		*)
			case " ${all_suites[*]} " in
			*" $1 "*) suites+=("$1") ;;
			*) usage_error "unknown suite $1" ;;
			esac
			;;
		esac
		shift
	done
	[ "${#suites[@]}" -gt 0 ] || suites=("${all_suites[@]}")
}
