# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Installs the missing packages that a script needs, with apt, after printing which
# and why.
#
# Uses common.sh and postgres.sh (find_postgres).
# Reads: install_packages   0: do not install, list what is missing and stop

install_packages=1
wanted=()        # packages to install
reasons=()       # why, in the same order
packages_before= # those of the machine, before any was installed

want() {
	[[ " ${wanted[*]} " != *" $1 "* ]] || return 0
	wanted+=("$1")
	reasons+=("$2")
}

have() {
	command -v "$1" >/dev/null 2>&1
}

want_build_tools() {
	have make || want make 'runs the Makefile'
	if ! gcc -x c -o /dev/null - <<<$'#include <stdio.h>\nint main(void) { return puts("") < 0; }' 2>/dev/null; then
		want gcc 'the compiler'
		want libc6-dev "the C library's headers"
	fi
}

want_ccache() {
	have ccache || want ccache 'compiles what has not changed only once'
}

want_clang() {
	have clang || want clang 'a second compiler, with warnings of its own'
}

want_perl() {
	have perl || want perl 'tests the documents'
}

want_codespell() {
	have codespell || want codespell 'finds spelling mistakes'
}

want_spin() {
	have spin || want spin 'model checker'
}

want_mkdocs() {
	have mkdocs || want mkdocs 'makes the pages'
	[ -d /usr/share/mkdocs/themes/material ] || want mkdocs-material 'their theme'
}

want_tap_tools() {
	if ! have prove || ! perl -MTest::More -e 1 2>/dev/null; then
		want perl 'runs the TAP tests, with prove'
	fi
	perl -MIPC::Run -e 1 2>/dev/null || want libipc-run-perl "PostgreSQL's TAP modules start servers with it"
}

want_python() {
	have python3 || want python3 'runs the benchmark, makes drawings, reads XML'
}

# want_extension WANT NAME PACKAGE REASON: an extension, whose package is postgresql-NN-PACKAGE, for
# the versions of this machine that are tested, or for the server in use. WANT is want or
# want_unless_lacking.
want_extension() {
	local version
	if [ -z "${native_versions:-}" ] && find_postgres; then
		has_extension "$2" || "$1" "postgresql-${pg_version%%[!0-9]*}-$3" "$4"
		return
	fi
	for version in ${native_versions:-$(newest_server)}; do
		# a server with assertions uses the extensions of this machine's release, if there are any
		[[ $version != *-assert ]] || [ "$(release_of "$version")" = "$(own_release)" ] || continue
		version=${version%-assert}
		[ -e "/usr/share/postgresql/$version/extension/$2.control" ] ||
			"$1" "postgresql-$version-$3" "$4"
	done
}

# The same as want, unless apt has the server of this version but not this package.
want_unless_lacking() {
	! apt-cache show "${1%-*}" >/dev/null 2>&1 || apt-cache show "$1" >/dev/null 2>&1 || return 0
	want "$1" "$2"
}

want_postgis() {
	want_extension want postgis postgis-3 "$postgis_reason"
}
postgis_reason='PostGIS, whose geometries the companion joins'

# Without it, its test is left out. So it is not required of a server that is not Debian's, nor where
# nothing may be installed, as in a version's root.
want_ip4r() {
	[ -z "${PG_CONFIG:-}" ] && [ "$install_packages" = 1 ] || return 0
	want_extension want_unless_lacking ip4r ip4r 'ip4r, whose ranges spqtree_ip4r joins'
}

# A server with its development files. They are added to an installed server; without one,
# the version of the distribution's package "postgresql" is installed.
want_postgres() {
	local server
	find_postgres && return
	server=$(newest_server)
	if [ -n "$server" ]; then
		want "postgresql-server-dev-$server" "headers and build rules of PostgreSQL $server"
	else
		want postgresql-NN 'the server (no cluster is created: see below)'
		want postgresql-server-dev-NN 'its headers and build rules'
	fi
}

# A server without its development files: the package of these depends on clang and LLVM, half a
# gigabyte, of which an extension without bitcode needs the headers. prepare_headers gets them.
want_server() {
	find_postgres || [ -n "$(newest_server)" ] || want postgresql-NN 'the server (no cluster is created: see below)'
}

# PostGIS for that server, if it is Debian's, and if its release has PostGIS for it. Without it, a
# demo shows less; so it is not required.
want_server_postgis() {
	[ -z "${PG_CONFIG:-}" ] && [ "$install_packages" = 1 ] || return 0
	if find_postgres || [ -n "$(newest_server)" ]; then
		[[ ${pg_config:-/usr/lib/postgresql/} = /usr/lib/postgresql/* ]] || return 0
		apt-cache show "postgresql-$(newest_server)-postgis-3" >/dev/null 2>&1 || return 0
		want_postgis
	else
		want postgresql-NN-postgis-3 "$postgis_reason"
	fi
}

# prepare_headers: without a complete PostgreSQL, unpacks the headers of Debian's server into the
# temporary directory, and sets pg_config to one that names them
prepare_headers() {
	local version
	! find_postgres || return 0
	version=$(newest_server)
	[ -n "$version" ] || die 'no PostgreSQL server was found' 'set PG_CONFIG to the pg_config of one'
	step headers "of PostgreSQL $version, for this run only" unpack_headers "$version"
	PG_CONFIG=$work/headers/pg_config
	find_postgres
}

unpack_headers() (
	local package
	mkdir -p "$work/headers" && chmod 755 "$work" "$work/headers" && cd "$work/headers" || return
	apt-get -q -o APT::Sandbox::User=root download "postgresql-server-dev-$1" libpq-dev || return
	for package in *.deb; do dpkg-deb -x "$package" . || return; done
	cat >pg_config <<-CONFIG
		#!/bin/sh
		case \$1 in --includedir | --pkgincludedir | --includedir-server) printf %s '$work/headers' ;; esac
		exec '/usr/lib/postgresql/$1/bin/pg_config' "\$@"
	CONFIG
	chmod 755 pg_config
)

# Prints the major version of the distribution's package "postgresql".
packaged_version() {
	apt-cache depends postgresql 2>/dev/null | sed -n 's/^ *Depends: postgresql-\([0-9][0-9]*\)$/\1/p' | head -n 1
}

as_root() {
	if [ "$EUID" != 0 ]; then
		have sudo || die "this needs root, and there is no sudo: $*"
		set -- sudo "$@"
	fi
	"$@"
}

# ensure_packages WANT...: calls the WANT functions, and installs what they want.
ensure_packages() {
	local ask i version fresh_server=0 size
	wanted=() reasons=()
	for ask in "$@"; do "$ask"; done

	if [ "${#wanted[@]}" -gt 0 ]; then
		have apt-get || die "missing, and there is no apt-get to install it:" "${wanted[@]}"
		[ "$install_packages" = 1 ] || die "missing, and --no-install was given:" "${wanted[@]}"
		if [ "$EUID" != 0 ]; then
			have sudo || die "missing; install as root, or install sudo:" "apt-get install ${wanted[*]}"
			sudo -n true 2>/dev/null || sudo -v || die "cannot install ${wanted[*]} without sudo"
		fi
		step packages 'reading the package lists' as_root apt-get -q update ||
			line '' 'continuing with the existing lists'
		[[ " ${wanted[*]} " =~ \ postgresql-(NN|[0-9]+)\  ]] && fresh_server=1
		case " ${wanted[*]} " in *-NN\ *)
			version=$(packaged_version)
			[ -n "$version" ] || die 'apt knows no package named postgresql'
			wanted=("${wanted[@]//NN/$version}")
			;;
		esac
		for i in "${!wanted[@]}"; do
			line '' "$(printf '%-26s %s' "${wanted[i]}" "${reasons[i]}")"
		done
		size=$(size_of_packages "${wanted[@]}")
		line '' "$size"
		packages_before=$(names_of_packages)
		let_child_finish=1
		step_count='^(Unpacking|Setting up) ' step_of=$((2 * ${size%% *})) \
			step packages "installing ${#wanted[@]} and their dependencies" apt_install "$fresh_server" "${wanted[@]}"
		let_child_finish=0
		[ "$fresh_server" = 0 ] ||
			line '' 'the package was told not to create and start a cluster "main"'
	fi
	[[ " $* " != *' want_postgres '* ]] || [ -n "${pg_config:-}" ] || find_postgres ||
		die 'no PostgreSQL server with development files was found' \
			'set PG_CONFIG to the pg_config of one'
}

# size_of_packages PACKAGE...: prints "121 packages, 125 MB to download, 537 MB on disk"
size_of_packages() {
	{ apt-get -q -o Debug::NoLocking=1 --assume-no --no-install-recommends --no-upgrade install "$@" 2>/dev/null || true; } | awk '
		/ newly installed/ { for (i = 1; i < NF; i++) if ($(i + 1) == "newly") number = $i }
		/^Need to get/ { get = $4 " " $5 }
		/^After this operation/ { disk = $4 " " $5 }
		END { printf "%d packages, %s to download, %s on disk\n", number, get, disk }'
}

names_of_packages() {
	# shellcheck disable=SC2016  # for dpkg-query
	dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | sed -n 's/^ii  *//p' | LC_ALL=C sort -u
}

# say_how_to_undo: what ensure_packages installed, with dependencies, and how to remove it; once
say_how_to_undo() {
	local added=()
	[ -n "$packages_before" ] || return 0
	mapfile -t added < <(comm -13 <(echo "$packages_before") <(names_of_packages))
	packages_before=
	[ "${#added[@]}" -gt 0 ] || return 0
	printf '\nInstalled: %s packages, for %s. To remove all of them again:\n' "${#added[@]}" "${wanted[*]}"
	printf '  %sapt-get purge %s\n' "$([ "$EUID" = 0 ] || echo 'sudo ')" "${added[*]}" | fold -s -w 100 | sed '$!s/$/\\/; 2,$s/^/    /'
}

# apt_install FRESH_SERVER PACKAGE...
#
# Debian's server package creates and starts a cluster named "main" on its first
# installation. A file in createcluster.d prevents that; it is removed afterwards, so
# that later installations behave as usual.
apt_install() (
	local fresh_server=$1
	local conf_dir=/etc/postgresql-common/createcluster.d
	local conf=$conf_dir/spqtree-no-cluster.conf
	shift
	if [ "$fresh_server" = 1 ]; then
		# shellcheck disable=SC2064  # expand the paths now
		trap "as_root rm -f '$conf'" EXIT
		as_root mkdir -p "$conf_dir"
		echo 'create_main_cluster = false' | as_root tee "$conf" >/dev/null
	fi
	# NEEDRESTART_MODE: Ubuntu would otherwise restart the user's services.
	as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l apt-get -q -y \
		-o DPkg::Lock::Timeout=120 install --no-install-recommends --no-upgrade "$@"
)
