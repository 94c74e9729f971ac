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
# Uses common.sh, packages.sh, postgres.sh and results.sh.
# Sets: reports   directory for what the tools find, after prepare_reports

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
		excerpt "${report##*/}" 60 <"$report"
	done
	if [ "$count" -gt 10 ]; then
		result FAILED report "and $((count - 10)) more"
	elif [ "$count" = 0 ]; then
		result ok report "$1"
	fi
	crashes >"$work/crashes" || true
	if [ -s "$work/crashes" ]; then
		result FAILED server 'assertion, crash or undefined behaviour'
		excerpt 'server logs' 60 <"$work/crashes"
	fi
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
