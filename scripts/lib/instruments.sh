# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Tests under an instrument: sanitizers, valgrind or gcov.
#
# Tests start servers themselves, so the program "postgres" of the private copy is
# replaced by a script that sets the environment or prepends valgrind, and then becomes
# the program:
#
#     pg_ctl, PostgreSQL::Test::Cluster
#          |
#          v
#     bin/postgres            the script
#          |  exec            the same process: signals and pid files work
#          v
#     bin/postgres.program    what was "postgres"
#
# An instrument is three functions: NAME_build sets the environment of the build,
# NAME_install prepares the server, NAME_report judges what was found.
#
# Uses common.sh, packages.sh, postgres.sh, results.sh.

instruments=(asan valgrind coverage)

# wrap_server LINE...: writes the script, with these lines, in which $program is the server.
# initdb and pg_ctl also run the program briefly; reports of these runs do not matter.
wrap_server() {
	as_server mv "$pg_bin/postgres" "$pg_bin/postgres.program" &&
		printf '%s\n' '#!/bin/bash' "program='$pg_bin/postgres.program'" \
			"case \${1:-} in --boot | --single | --check | --version | -V | -C | --describe-config)" \
			"	exec -a \"\$0\" \"\$program\" \"\$@\" ;;" \
			'esac' "$@" |
		as_server tee "$pg_bin/postgres" >/dev/null &&
		as_server chmod 755 "$pg_bin/postgres"
}

make_reports() {
	reports=$work/reports
	as_server mkdir "$reports"
}

# --- AddressSanitizer and UndefinedBehaviorSanitizer, with assertions

# By environment variables, because in test/unit/Makefile SANITIZE means something else.
asan_build() {
	export CC=gcc WERROR=1 ASSERT=1 SANITIZE=1
}

# The runtime is that of the compiler that builds the extension. The server is not
# instrumented, so the runtime must be loaded before all libraries of the server.
#
# It starts at the first malloc, and may then have to translate a message. Some of
# the server's libraries register their translations when they are loaded, and call
# malloc while gettext holds a lock, which would then be taken twice. So a library
# that is loaded before them calls malloc first.
#
# That library also contains UBSan's options: UBSan reads the environment only for its
# first report, and by then PostgreSQL has overwritten it with the process title.
# UBSan's reports are in the server's log.
#
# detect_leaks=0: memory contexts are freed with the process or their owner, which
# only the server knows. use_after_return=0: otherwise frames would be on a separate stack,
# which the server's check of the stack depth does not expect. abort_on_error=1:
# an exit status could pass for a session that ended normally.
asan_install() {
	local options=abort_on_error=1:print_stacktrace=1 asan ubsan
	make_reports
	asan=$(realpath "$(gcc -print-file-name=libasan.so)")
	ubsan=$(realpath "$(gcc -print-file-name=libubsan.so)")
	as_server gcc -shared -fPIC -Wl,-z,initfirst -o "$work/first.so" -x c - <<-C || return
		#include <stdlib.h>
		void *volatile spq_first;
		static void __attribute__((constructor)) start(void) { free(spq_first = malloc(1)); }
		const char *__ubsan_default_options(void) { return "$options"; }
	C
	# for the unit tests, which do not have the server's memory contexts
	export ASAN_OPTIONS=detect_leaks=1
	options=$options:detect_leaks=0:detect_stack_use_after_return=0:strict_string_checks=1
	wrap_server "export LD_PRELOAD='$asan:$work/first.so:$ubsan'\${LD_PRELOAD:+:\$LD_PRELOAD}" \
		"export ASAN_OPTIONS=$options:log_path=$reports/asan" \
		"exec -a \"\$0\" \"\$program\" \"\$@\""
}

asan_report() {
	judge_reports 'no report of a sanitizer'
}

# --- valgrind's memcheck

want_valgrind() {
	have valgrind || want valgrind 'watches the memory of the server'
}

# Assertions work in a server without assertions. -O1, because more optimized code may
# look undefined where it is not.
valgrind_build() {
	export WERROR=1 ASSERT=1 COPT='-O1 -g'
}

# Undefined values are reported where they affect a decision, not where they come from:
# tracking the origin would double the time. Leaks are ignored, because memory contexts
# own what is not freed.
valgrind_install() {
	make_reports
	# under valgrind, workers start late and timers are slow
	server_settings+=("log_line_prefix = '%p %a '" 'log_disconnections = on' 'authentication_timeout = 10min'
		'wal_sender_timeout = 0' 'checkpoint_timeout = 1h' 'deadlock_timeout = 10s'
		# compiling takes minutes, and the dynamic loader reads strings in words
		'jit = off')
	export PGCTLTIMEOUT=300 PGISOLATIONTIMEOUT=3600
	wrap_server "exec valgrind --quiet --trace-children=yes --leak-check=no \\" \
		"--gen-suppressions=all --num-callers=30 --suppressions='$work/src/test/valgrind.supp' \\" \
		"--log-file='$reports/%p' \"\$program\" \"\$@\""
}

# Reports are complete when their processes have ended. A report is named by its
# process, which the server's log relates to a test.
valgrind_report() {
	local report name
	as_server pg_ctl stop -m fast -w -t 600 -D "$work/data" >/dev/null || result FAILED server 'does not stop'
	for report in "$reports"/*; do
		[ -s "$report" ] || { rm -f "$report" && continue; }
		name=$(sed -n "s/^${report##*/} \([^ ]*\) .*/\1/p" "$work/server.log" | sort -u | tr '/\n' '- ')
		sed -i "1i of process ${report##*/}, ${name:-which the server log does not mention}" "$report"
	done
	judge_reports 'no report of valgrind'
}

# --- coverage, by gcov

coverage_build() {
	export CC=gcc COVERAGE=1
}

coverage_install() {
	:
}

# gcov_lines PREFIX OBJECT: prints "PREFIX file number count text" for each line of code,
# separated by tabs; count is 0 if the line was not run
gcov_lines() {
	gcov --stdout "$2" 2>>"$work/gcov.log" | awk -v prefix="$1" '
		function part(text,   at) { at = index(rest, ":"); text = substr(rest, 1, at - 1); rest = substr(rest, at + 1); gsub(/ /, "", text); return text }
		{
			rest = $0; count = part(); number = part()
			if (number == 0) {
				if (rest ~ /^Source:/) { file = substr(rest, 8); gsub(/^(\.\.\/)+|^\.\//, "", file) }
			} else if (file ~ /^src\// && count != "-") {
				gsub(/\t/, " ", rest)
				print prefix "\t" file "\t" number "\t" (count ~ /^[0-9]/ ? 1 : 0) "\t" rest
			}
		}'
}

# functions: prints "file function file number name" for each line where a function begins
functions() {
	find src -name '*.[ch]' | sort | while IFS= read -r file; do
		sed -n '/^[A-Za-z_][A-Za-z0-9_]*(/ { =; s/(.*//p }' "$file" | paste - - |
			awk -v file="$file" '{ print "function\t" file "\t" $1 "\t" $2 }'
	done
}

# A line is code if the server's build has it, and was run if any build ran it. A file passes
# if enough of its lines were run, or if all others are in functions that
# test/coverage.md names.
coverage_report() {
	local objects object number=0 verdict file percent all not_run excused
	# processes write their counts as they end
	[ ! -d "$work/data" ] || as_server pg_ctl stop -m fast -w -D "$work/data" >/dev/null
	(
		cd "$work/src"
		functions
		find src -name '*.gcno' | sort | while IFS= read -r object; do
			gcov_lines server "$object"
		done
		cd "$work/src/test/unit"
		[ ! -d build ] || find build -name '*.gcda' | sort | while IFS= read -r object; do
			gcov_lines unit "$object"
		done
	) >"$work/lines"
	grep -q '^server' "$work/lines" || die 'gcov found nothing' "$(tail -n 5 "$work/gcov.log")"

	awk -F '\t' -v bar="$coverage_bar" -v list_all="$justified" '
		FILENAME ~ /coverage\.md$/ {
			if ($0 ~ /^### /) about = substr($0, 5)
			else if (match($0, /^- `[^`]+`/)) excuse[about, substr($0, 4, RLENGTH - 4)] = 1
			next
		}
		$1 == "function" { starts[$2, ++functions[$2]] = $3; named[$2, functions[$2]] = $4; next }
		$1 == "server" && !(($2, $3) in text) { text[$2, $3] = $5; order[$2, ++n[$2]] = $3 }
		$4 { done[$2, $3] = 1 }
		END {
			for (file in n) {
				delete number
				for (i = 1; i <= n[file]; i++) number[i] = order[file, i]
				# lines of headers come in any order
				for (i = 2; i <= n[file]; i++)
					for (j = i; j > 1 && number[j - 1] > number[j] + 0; j--) { t = number[j]; number[j] = number[j - 1]; number[j - 1] = t }
				covered = excused = 0; list = ""; f = 0
				for (i = 1; i <= n[file]; i++) {
					while (f < functions[file] && starts[file, f + 1] <= number[i] + 0) f++
					if ((file, number[i]) in done) { covered++; continue }
					why = (file, named[file, f]) in excuse
					if (why) { excused++; used[file, named[file, f]] = 1 }
					if (!why || list_all) list = list sprintf("\t%s:%d:%s\n", file, number[i], text[file, number[i]])
				}
				percent = 100 * covered / n[file]
				verdict = percent >= bar || covered + excused == n[file] ? "ok" : "FAILED"
				printf "%s\t%s\t%.1f\t%d\t%d\t%d\n", verdict, file, percent, n[file], n[file] - covered, excused | "sort -t \"\t\" -k 2"
				lists[file] = list
				all += n[file]; ran += covered; excuses += excused
			}
			close("sort -t \"\t\" -k 2")
			printf "total\ttotal\t%.1f\t%d\t%d\t%d\n", 100 * ran / all, all, all - ran, excuses
			for (file in lists) printf "%s", lists[file] | "sort -t : -k 1,1 -k 2,2n"
			close("sort -t : -k 1,1 -k 2,2n")
			for (e in excuse) if (!(e in used)) { split(e, p, SUBSEP); printf "unused\t%s: %s\n", p[1], p[2] }
		}' "$top/test/coverage.md" "$work/lines" >"$work/report"

	printf '\n%-7s %-36s %8s %7s %8s %10s\n' '' file 'run, %' lines 'not run' justified
	while IFS=$'\t' read -r verdict file percent all not_run excused; do
		case $verdict in
		ok | FAILED | total)
			printf '%-7s %-36s %8s %7s %8s %10s\n' "$verdict" "$file" "$percent" "$all" "$not_run" "$excused"
			case $verdict in
			ok) passed=$((passed + 1)) ;;
			FAILED) failure coverage "$file" ;;
			esac
			;;
		esac
	done <"$work/report"
	if grep -q $'^\tsrc' "$work/report"; then
		printf '\nlines not run%s:\n' "$([ "$justified" = 1 ] || echo ' and not justified')"
		sed -n 's/^\tsrc/  src/p' "$work/report"
	fi
	if chosen unit && chosen regress && chosen isolation && chosen tap && grep -q '^unused' "$work/report"; then
		printf '\nfunctions in test/coverage.md whose lines were all run:\n'
		sed -n 's/^unused\t/  /p' "$work/report"
	fi
}
