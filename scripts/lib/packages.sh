# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Installs the missing packages that a script needs, with apt, after printing which
# and why.
#
# Uses common.sh and postgres.sh (find_postgres).
# Reads: install_packages   0: do not install, list what is missing and stop

install_packages=1
wanted=()  # packages to install
reasons=() # why, in the same order

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

# PostGIS for the versions of this machine that are tested, or for the server in use.
want_postgis() {
	local version
	if [ -z "${native_versions:-}" ] && find_postgres; then
		has_postgis || want "postgresql-${pg_version%%[!0-9]*}-postgis-3" "$postgis_reason"
		return
	fi
	for version in ${native_versions:-$(newest_server)}; do
		# a server with assertions uses the PostGIS of this machine's release, if there is one
		[[ $version != *-assert ]] || [ "$(release_of "$version")" = "$(own_release)" ] || continue
		version=${version%-assert}
		[ -e "/usr/share/postgresql/$version/extension/postgis.control" ] ||
			want "postgresql-$version-postgis-3" "$postgis_reason"
	done
}
postgis_reason='PostGIS, whose geometries the companion joins'

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
	local ask i version fresh_server=0
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
		let_child_finish=1
		step packages "installing ${#wanted[@]} and their dependencies" apt_install "$fresh_server" "${wanted[@]}"
		let_child_finish=0
		[ "$fresh_server" = 0 ] ||
			line '' 'the package was told not to create and start a cluster "main"'
	fi
	[[ " $* " != *' want_postgres '* ]] || [ -n "${pg_config:-}" ] || find_postgres ||
		die 'no PostgreSQL server with development files was found' \
			'set PG_CONFIG to the pg_config of one'
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
