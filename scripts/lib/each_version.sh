# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Runs scripts/test for several PostgreSQL versions, each run in a process of its own:
#
#	15  natively      |------ shown as it runs ------|
#	17  in a root     |--- into a file ---...........shown
#	18  in a root     waits for its turn   |--- into a file ---|.shown
#
# The longest runs begin first, so that none ends long after the others. The output of a run
# is shown in one piece, in the order of the versions; in the end, the seconds of each suite.
# A version may be a label, as 15-assert: a server with assertions, see versions.sh.
#
# Suites whose result is the same for every version run on one of them: in_share. Tests with
# random input or a fixed time run in full length on one: see $full. Most files of the suite
# tap run on one, too: see tap_tests in suites.sh.
#
# The upgrade suite runs for one version, another each day, and for all if $full is "all". It needs the
# version before as a bundle, which is made in a root, beside the other suites: see versions.sh.
#
# Uses common.sh, packages.sh, postgres.sh, versions.sh, failures.sh, lengths.sh.
# Reads: full   the version that runs in full length, or "all"; by default another one each
#               day, by $day

total_passed=0
total_failed=0

# minutes SINCE: prints the time since a value of SECONDS
minutes() {
	printf '%d min %02d s' $(((SECONDS - $1) / 60)) $(((SECONDS - $1) % 60))
}

# ended_early VERSION REASON: reports a failure that no test has reported
ended_early() {
	printf '%sFAILED%s  PostgreSQL %s: %s\n' "$red" "$plain" "$1" "$2" | tee -a "$work/failures"
	[ ! -e "$work/$1.log" ] || tail -n 20 "$work/$1.log" | sed 's/^/| /' >>"$work/failures"
}

# not_tested VERSION REASON: reports a failure
not_tested() {
	ended_early "$1" "$2"
	total_failed=$((total_failed + 1))
}

# test_versions VERSIONS AT_ONCE SUITE...: VERSIONS must be in ascending order
test_versions() {
	local versions=$1 at_once=$2 version found=() native_versions='' wants=(want_build_tools want_native)
	local suites want_root=0
	local -A old=()
	shift 2
	suites=("$@")
	options+=(--no-install)

	make_work versions
	chmod 711 "$work" # servers reach their bundle there
	printf '%sspqtree %s: tests on PostgreSQL %s%s\n\n' "$bold" "$(extension_version)" "${versions// /, }" "$plain"

	for version in $versions; do
		if is_native "$version"; then
			native_versions+=" $version"
		elif release_of "$version" >/dev/null; then
			want_root=1
		fi
	done
	! chosen upgrade package || want_root=1
	[ "$want_root" = 0 ] || wants+=(want_roots)
	wants+=(want_ccache)
	! chosen tap upgrade faults records || wants+=(want_tap_tools)
	! chosen readme || wants+=(want_perl)
	! chosen symbols || wants+=(want_codespell)
	! chosen model || wants+=(want_spin)
	! chosen site || wants+=(want_mkdocs)
	! chosen compilers postgis || wants+=(want_clang)
	! chosen postgis || wants+=(want_postgis)
	! chosen regress readme tap || wants+=(want_ip4r)
	ensure_packages "${wants[@]}"

	# shellcheck disable=SC2086  # versions
	choose_upgrades $versions
	make_roots_beside "$versions"
	for version in $versions; do
		if has_assertions "$version"; then
			if step server "PostgreSQL ${version%-assert} with assertions, compiled once" ensure_server "$version"; then
				found+=("$version")
			elif optional_version "$version"; then
				line "$version" 'left out, for the reason above'
			else
				not_tested "$version" 'cannot be had, for the reason above'
			fi
		elif ! release_of "$version" >/dev/null && ! is_native "$version"; then
			not_tested "$version" 'no Debian release has it, and no pg_config of it is installed or named by PG_CONFIG'
		elif is_native "$version"; then
			if installed_config "$version" >/dev/null; then
				found+=("$version")
			else
				not_tested "$version" 'its packages cannot be installed'
			fi
		elif root_finished "$version"; then
			line root "Debian $(release_of "$version") with PostgreSQL $version: $(root_path "$version")"
			found+=("$version")
		elif step_count=$package_line step root "Debian $(release_of "$version") with PostgreSQL $version, once" ensure_root "$version"; then
			found+=("$version")
		elif optional_version "$version"; then
			line "$version" 'left out, for the reason above'
		else
			not_tested "$version" 'cannot be installed, for the reason above'
		fi
	done

	if chosen upgrade && [ "$(plain_versions ${found[@]+"${found[@]}"} | wc -l)" = 1 ]; then
		not_tested "${found[*]}" 'no other version to upgrade from'
	fi
	choose_upgrades ${found[@]+"${found[@]}"}
	for version in ${found[@]+"${found[@]}"}; do
		mkdir -m 1777 "$work/$version" # /tmp of the root
	done
	# the oldest version has nothing to do if only upgrades are tested
	[ "${suites[*]}" != upgrade ] || [ "${#found[@]}" -lt 2 ] || found=("${found[@]:1}")

	run_versions "$at_once"
	[ "$keep_work" = 0 ] || printf '\nkept: %s\n' "$work"
	show_times
	[ ! -s "$work/failures" ] || { printf '\n%s\n\n' "$failures_title" && cat "$work/failures"; }
	printf '\n%d passed, %d failed\n' "$total_passed" "$total_failed"
	[ "$total_failed" = 0 ] && [ "$total_passed" -gt 0 ]
	exit
}

# choose_upgrades VERSION...: sets $old, by version the one before, from which it is upgraded: for all
# if no other suite runs or all run in full length, else for one, by the date
choose_upgrades() {
	local version before='' newer=()
	old=()
	chosen upgrade || return 0
	for version in $(plain_versions "$@"); do
		[ -z "$before" ] || newer+=("$version")
		old[$version]=$before
		before=$version
	done
	[ "$full" != all ] && [ "${#suites[@]}" != 1 ] || return 0
	for version in ${newer[@]+"${newer[@]}"}; do
		[ "$version" = "${newer[day % ${#newer[@]}]}" ] || old[$version]=
	done
}

# make_roots_beside VERSIONS: starts making all missing roots at the same time.
# ensure_root waits for a root that is being made.
make_roots_beside() {
	local version
	for version in $1; do
		release_of "$version" >/dev/null || continue
		# a version tested without a root needs one for its bundle
		! is_native "$version" || [[ " ${old[*]} " = *" $version "* ]] || continue
		! root_finished "$version" || continue
		set -m
		ensure_root "$version" >"$work/root-$version.log" 2>&1 </dev/null &
		set +m
		jobs+=($!)
	done
}

# make_bundle OLD NEW: makes a bundle of OLD for the tests of NEW
make_bundle() {
	local dir=$work/bundle-$1
	mkdir -m 1777 "$dir" &&
		ensure_root "$1" &&
		in_root "$1" "$dir" env PG_CONFIG="/opt/older/usr/lib/postgresql/$1/bin/pg_config" \
			/mnt/scripts/lib/bundle /tmp/old &&
		as_root mv "$dir/old" "$work/$2/old"
}

# plain_versions VERSION...: prints the versions without assertions
plain_versions() {
	local version
	for version; do
		has_assertions "$version" || echo "$version"
	done
}

# newest_release VERSION...: prints the newest version that every mirror has, or the newest
newest_release() {
	local version newest=
	for version; do
		has_assertions "$version" || optional_version "$version" || newest=$version
	done
	echo "${newest:-${!#}}"
}

# oldest_for_indent VERSION...: the first that has pgindent, or the last
oldest_for_indent() {
	local version
	for version; do
		[ "$version" -lt 17 ] || break
	done
	echo "$version"
}

# without_root VERSION...: the first that is tested on this machine itself, or the first
without_root() {
	local version
	for version; do
		! is_native "$version" || { echo "$version" && return; }
	done
	echo "$1"
}

# share_of VERSION: those of $suites that it runs
share_of() {
	local version=$1 suite numbers
	mapfile -t numbers < <(plain_versions "${found[@]}")
	for suite in "${suites[@]}"; do
		! in_share "$suite" || echo "$suite"
	done
}

# in_share SUITE: true if $version runs it; the other variables are share_of's. A suite
# that is requested alone runs on every version that can run it.
in_share() {
	case $1 in
	regress | isolation | tap | records | random | bench) return 0 ;;
	postgis) ! without_postgis "$version"; return ;;
	upgrade) [ -n "${old[$version]:-}" ]; return ;;
	# pgindent comes with 17 and later
	indent) ! has_assertions "$version" && [ "$version" -ge 17 ] || return 1 ;;
	esac
	[ "${#suites[@]}" != 1 ] || return 0
	! has_assertions "$version" || return 1
	case $1 in
	# gcc compiles for each version; the newest has other long suites
	indent | compilers) [ "$version" = "$(oldest_for_indent "${numbers[@]}")" ] ;;
	# these do not depend on the server
	unit | scripts) [ "$version" = "${numbers[0]}" ] ;;
	# the same; what they need is on this machine, not in a version's root
	model | site | package) [ "$version" = "$(without_root "${numbers[@]}")" ] ;;
	# takes five minutes
	readme) [ "$version" = "$(newest_release "${numbers[@]}")" ] || { [ "$full" = all ] && [ "$version" = "${numbers[0]}" ]; } ;;
	# on a server with assertions, the suite tap injects faults
	faults) [ "$full" = all ] || { [ "${#numbers[@]}" = "${#found[@]}" ] && [ "$full" = "$version" ]; } ;;
	esac
}

# choose_full: sets $full, unless it is set, to one of $found, by the date
choose_full() {
	local numbers
	mapfile -t numbers < <(plain_versions "${found[@]}")
	[ "${#numbers[@]}" -gt 0 ] || numbers=("${found[@]}")
	[ -n "$full" ] || full=${numbers[day % ${#numbers[@]}]}
}

# by_length: prints $found in the order in which they begin, the longest first: those that alone
# run some suites, readme on the newest release and model and package without a root; full length;
# servers with assertions
by_length() {
	local version
	for version in "${found[@]}"; do
		case $version in
		"$(newest_release "${found[@]}")") echo "0 $version" ;;
		"$(without_root "${found[@]}")") echo "1 $version" ;;
		"$full") echo "2 $version" ;;
		*-assert) echo "3 $version" ;;
		*) echo "4 $version" ;;
		esac
	done | sort -s -n -k 1,1 | sed 's/.* //'
}

# number_of VERSION: prints its place in $found, from 1
number_of() {
	printf '%s\n' "${found[@]}" | grep -nx -- "$1" | cut -d: -f1
}

# run_version VERSION: runs its suites, in a process group of its own
run_version() {
	local version=$1 dir=$work/$1 own=()
	mapfile -t own < <(share_of "$version")
	[ "${#own[@]}" -gt 0 ] || return 0
	case $full in
	all | "$version") options+=(--full) ;;
	# pairs of geometries, which a version without PostGIS cannot compare
	*) ! without_postgis "$full" || [ "$version" != "${found[0]}" ] || export SPQTREE_PAIRS=${SPQTREE_PAIRS:-1000000} ;;
	esac
	[ "$full" = all ] || options+=(--share "$(number_of "$version")/${#found[@]}")
	if [ -n "${old[$version]:-}" ]; then
		# suites.sh waits until this file is removed
		: >"$dir/old.making"
		{
			make_bundle "${old[$version]}" "$version" || true
			rm "$dir/old.making"
		} >"$dir/old.log" 2>&1 </dev/null &
	fi
	if is_native "$version"; then
		SPQTREE_OLD=$dir/old in_version "$version" '' scripts/test "${options[@]}" "${own[@]}"
	else
		SPQTREE_OLD=/tmp/old in_version "$version" "$dir" scripts/test "${options[@]}" "${own[@]}"
	fi
}

# run_versions AT_ONCE: runs up to this number at a time. The output of the first is shown
# as it runs; that of the others is kept in files until their turn.
run_versions() {
	local at_once=$1 waiting=() running=() still=() version log
	local shown=0 status
	local -A group=() started=()
	if [ "${#found[@]}" -gt 0 ]; then
		choose_full
		[ "${#found[@]}" = 1 ] || line length "in full on $full, of what is random or takes a fixed time"
		mapfile -t waiting < <(by_length)
	fi
	while [ "$shown" -lt "${#found[@]}" ]; do
		while [ "${#waiting[@]}" -gt 0 ] && [ "${#running[@]}" -lt "$at_once" ]; do
			version=${waiting[0]}
			waiting=("${waiting[@]:1}")
			running+=("$version")
			: >"$work/$version.log"
			started[$version]=$SECONDS
			set -m
			{
				status=0
				run_version "$version" || status=$?
				printf '%s %s\n' "$status" "$(minutes "${started[$version]}")" >"$work/$version.end"
			} >"$work/$version.log" 2>&1 </dev/null &
			group[$version]=$!
			set +m
			jobs=("${group[@]}")
		done

		still=()
		for version in "${running[@]}"; do
			if kill -0 "${group[$version]}" 2>/dev/null; then
				still+=("$version")
			else
				unset 'group[$version]'
				jobs=(${group[@]+"${group[@]}"})
			fi
		done
		running=(${still[@]+"${still[@]}"})

		version=${found[shown]}
		if [ -z "${log:-}" ] && [ -e "$work/$version.log" ]; then
			printf '\n%sPostgreSQL %s%s (%d of %d)\n\n' "$bold" "$version" "$plain" $((shown + 1)) "${#found[@]}"
			exec {log}<"$work/$version.log"
		fi
		if [ -n "${log:-}" ]; then
			# tested before the rest is read, so that no output is missed
			status=$([ -n "${group[$version]:-}" ] || echo ended)
			show <&"$log"
			if [ -n "$status" ]; then
				exec {log}<&-
				log=
				end_version "$version"
				shown=$((shown + 1))
				continue
			fi
		fi
		sleep 1
	done
}

# Shows what a run has printed since the last call, without its totals and list of failed
# tests, which are shown at the end.
show() {
	sed -e "/^$failures_title\$/,\$d" -e '/^[0-9]* passed, [0-9]* failed$/d' -e "s|^kept: /tmp/|kept: $work/$version/|"
}

# Prints a table of the seconds of each suite on each version, if there are several.
show_times() {
	local version
	[ "${#found[@]}" -gt 1 ] || return 0
	for version in "${found[@]}"; do
		sed -n 's/^suites took //p' "$work/$version.log" | tr , '\n' |
			sed -n "s/^ *\([a-z]*\) \([0-9]*\) s$/$version \1 \2/p"
	done | awk -v versions="${found[*]}" '
		!($2 in known) { known[$2] = 1; suite[++suites] = $2 }
		{ took[$2, $1] = $3 }
		END {
			number = split(versions, version)
			if (!suites) exit
			printf "\n%-10s", "seconds"
			for (v = 1; v <= number; v++) printf " %9s", version[v]
			print ""
			for (s = 1; s <= suites; s++) {
				printf "%-10s", suite[s]
				for (v = 1; v <= number; v++) printf " %9s", took[suite[s], version[v]]
				print ""
			}
		}'
}

# end_version VERSION: adds the result of its run to the totals
end_version() {
	local status=none time='' passed=0 failed=0
	[ ! -e "$work/$1.end" ] || read -r status time <"$work/$1.end"
	if [[ $(tail -n 1 "$work/$1.log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		passed=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]}
	elif [ -s "$work/$1.log" ] || [ "$status" != 0 ]; then
		ended_early "$1" 'the tests ended early'
		failed=1
	fi
	if [ "$status" != 0 ] && [ "$failed" = 0 ]; then
		ended_early "$1" "ended with status $status, although no test failed"
		failed=1
	fi
	line "$1" "$passed tests passed, $failed failed in $time"
	failures_of "$work/$1.log" >>"$work/failures"
	total_passed=$((total_passed + passed))
	total_failed=$((total_failed + failed))
}
