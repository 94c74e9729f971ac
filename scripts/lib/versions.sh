# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Several PostgreSQL versions on one machine. An installed version is used as it is.
# Each release of Debian has one version, so another version lives in a root of its
# release, which is made once and kept in a cache:
#
#	cache/debian-trixie-17/		a whole root: PostgreSQL 17, compilers, perl
#	cache/making-trixie-17/		unfinished: the next run removes it
#	cache/lock-17				held while that root is made
#	servers/assert-15/		PostgreSQL 15 with assertions, for this machine: see below
#
# A root is renamed when it is finished and its server has run. Mounts in it are made in a
# mount namespace, which the kernel removes with its last process: however a run ends,
# nothing remains mounted, and nothing is removed below a mount. The root is read-only,
# except for /tmp.
#
# A root has the newest minor release, from the release's security updates, and in
# /opt/older the minor release before it. That is for upgrades: pg_upgrade to a minor release
# older than the old server's may fail (15.20 to 17.11 does, on any table), and Debian's
# releases do not get a security fix on the same day.
#
# PostgreSQL 19 is not in a release yet. Its root is sid, with the server's packages from
# Debian's experimental. If a mirror lacks them, 19 is left out.
#
# The version 15-assert is PostgreSQL 15 with assertions, compiled from Debian's source on
# this machine. It omits Debian's patches, which install into the machine's PostgreSQL
# whatever the prefix. PostGIS is linked from the machine's packages, if they have it for 15:
# assertions do not change the interface that it is compiled against.
#
# Uses common.sh, packages.sh, postgres.sh.
# Reads: SPQTREE_CACHE    directory of the roots
#        SPQTREE_MIRROR   the Debian mirror; by default one of apt's sources

cache=${SPQTREE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/spqtree}

# Root's servers run as another user, who cannot enter root's home.
servers=$cache
[ "$EUID" != 0 ] || [ -n "${SPQTREE_CACHE:-}" ] || servers=/var/cache/spqtree

# Lines that debootstrap and apt print for each package.
package_line='^I: [A-Z][a-z]+ing [^ ]+\.\.\.|^(Unpacking|Setting up) '

# Packages in a root beyond Debian's minimum.
root_packages=(gcc libc6-dev clang ccache make perl libipc-run-perl)

# Prints the release that has this version.
release_of() {
	case ${1%-assert} in
	15) echo bookworm ;;
	17) echo trixie ;;
	18) echo forky ;;
	19) echo sid ;;
	*) return 1 ;;
	esac
}

# Prints the suite that has the packages of this version.
suite_of() {
	case ${1%-assert} in
	19) echo experimental ;;
	*) release_of "$1" ;;
	esac
}

# optional_version VERSION: true if mirrors may lack it, which is not a failure
optional_version() {
	[ "${1%-assert}" = 19 ]
}

# has_assertions VERSION: true for NN-assert
has_assertions() {
	[[ $1 = *-assert ]]
}

server_path() {
	printf '%s/assert-%s' "$servers" "${1%-assert}"
}

# Prints this machine's release, if it is Debian.
own_release() (
	ID='' VERSION_CODENAME=''
	# shellcheck source=/dev/null
	. /etc/os-release 2>/dev/null
	[ "$ID" != debian ] || echo "$VERSION_CODENAME"
)

# installed_config VERSION: prints its pg_config on this machine, if it is complete
installed_config() {
	local config
	if has_assertions "$1"; then
		server_finished "$1" && printf '%s/bin/pg_config\n' "$(server_path "$1")"
		return
	fi
	for config in "${PG_CONFIG:-}" "/usr/lib/postgresql/$1/bin/pg_config" pg_config; do
		config=$(type -P "$config") || continue
		usable "$config" || continue
		case $("$config" --version) in
		"PostgreSQL $1"[!0-9]*) realpath -s "$config" && return ;;
		esac
	done
	return 1
}

# is_native VERSION: true if it runs on this machine itself: it is installed, or this
# release has it, or it is compiled for it
is_native() {
	has_assertions "$1" || installed_config "$1" >/dev/null || [ "$(release_of "$1")" = "$(own_release)" ]
}

# Roots are made and used with mounts of their own. Many containers do not allow them; nor does a
# chroot whose directory is no mount point.
need_namespaces() {
	local said
	have unshare || return 0 # it will be installed
	said=$(as_root unshare --mount --pid --ipc --fork --kill-child true 2>&1) ||
		refuse 'roots of Debian releases need mount and process namespaces, which are refused here' "$said" \
			'in a container: give it the capability SYS_ADMIN' \
			'in a chroot: mount its directory on itself first, as "mount --bind DIR DIR; mount --make-private DIR"'
}

# For ensure_packages; $native_versions run on this machine itself.
want_native() {
	local version
	for version in $native_versions; do
		! installed_config "$version" >/dev/null || continue
		if has_assertions "$version"; then
			want_source_tools
			continue
		fi
		[ -x "/usr/lib/postgresql/$version/bin/postgres" ] ||
			want "postgresql-$version" 'the server (no cluster is created: see below)'
		want "postgresql-server-dev-$version" 'its headers and build rules'
	done
}

# The packages for compiling PostgreSQL.
want_source_tools() {
	want_build_tools
	want_tap_tools # configure asks for them
	have bison || want bison "PostgreSQL's grammars"
	have flex || want flex "PostgreSQL's scanners"
	have bzip2 || want bzip2 'unpacks its source'
	have pkg-config || want pkg-config 'finds the next two'
	pkg-config --exists icu-i18n 2>/dev/null || want libicu-dev 'collations of tests'
	pkg-config --exists libxml-2.0 2>/dev/null || want libxml2-dev 'XML of tests'
	[ -f /usr/share/keyrings/debian-archive-keyring.gpg ] ||
		want debian-archive-keyring 'the signatures of Debian'
}

want_roots() {
	need_namespaces
	[ -x /usr/sbin/debootstrap ] || have debootstrap ||
		want debootstrap 'makes the root of another Debian release'
	[ -f /usr/share/keyrings/debian-archive-keyring.gpg ] ||
		want debian-archive-keyring 'the signatures of Debian'
	have unshare || want util-linux 'mount namespaces'
}

root_path() {
	printf '%s/debian-%s-%s' "$cache" "$(release_of "$1")" "$1"
}

# recipe: prints a sum that identifies how a root is made; if it changes, roots are made again
recipe() {
	{
		declare -f build_root
		printf '%s\n' "${root_packages[@]}"
	} | cksum
}

# True if the root is finished; for a version with assertions, its server.
root_finished() {
	if has_assertions "$1"; then
		server_finished "$1"
		return
	fi
	[ "$(cat "$(root_path "$1")/etc/spqtree-recipe" 2>/dev/null)" = "$(recipe)" ]
}

# ensure_root VERSION: makes its root unless the cache has it. On failure, the reason is
# printed last.
ensure_root() {
	local version=$1 release root making
	release=$(release_of "$version") || {
		echo "no Debian release has PostgreSQL $version; install it, and name its pg_config in PG_CONFIG"
		return 1
	}
	root_finished "$version" && return
	root=$(root_path "$version")
	making=$cache/making-$release-$version
	mkdir -p "$cache" || return
	(
		flock 9 || exit
		# another run may have made it while this one waited
		if root_finished "$version"; then exit 0; fi
		# Nothing can be mounted there: see above.
		as_root rm -rf --one-file-system "$making" "$root" || exit
		mirror=$(debian_mirror "$release") || {
			echo "no mirror of Debian $release among apt's sources answers; SPQTREE_MIRROR can name one"
			exit 1
		}
		suite=$(suite_of "$version")
		if [ "$suite" != "$release" ] && ! debian_mirror "$suite" >/dev/null; then
			echo "no mirror among apt's sources has Debian's $suite, where PostgreSQL $version is"
			exit 1
		fi
		security=$(debian_mirror "$release-security") || security=
		script=/usr/share/debootstrap/scripts/$release
		[ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid # one newer than debootstrap
		# apt here may reach the mirror by a proxy
		proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy) || proxy=
		if ! as_root unshare --mount --pid --fork --kill-child \
			env http_proxy="${proxy:-${http_proxy:-}}" bash -c "$(declare -f build_root); build_root \"\$@\"" build_root \
			"$making" "$release" "$mirror" "$security" "$script" "$suite" "$version" "${root_packages[@]}"; then
			echo "Debian $release with PostgreSQL $version cannot be made from $mirror: see above"
			exit 1
		fi
		recipe | as_root tee "$making/etc/spqtree-recipe" >/dev/null &&
			as_root mv -T "$making" "$root"
	) 9>"$cache/lock-$version"
}

# Prints a sum that identifies how a server is compiled.
server_recipe() {
	declare -f fetch_source debian_source compile_server | cksum
}

server_finished() {
	[ "$(cat "$(server_path "$1")/recipe" 2>/dev/null)" = "$(server_recipe)" ]
}

# ensure_server NN-assert: compiles it unless the cache has it. The work directory must exist,
# and the packages of want_source_tools. On failure, the reason is printed last.
ensure_server() {
	local version=${1%-assert} path making=$work/server-$1
	release_of "$version" >/dev/null || {
		echo "no Debian release has the source of PostgreSQL $version"
		return 1
	}
	path=$(server_path "$1")
	if server_finished "$1"; then
		link_extensions "$version" "$path"
		return
	fi
	mkdir -p "$servers" || return
	if [ "$EUID" = 0 ] && ! setpriv --reuid nobody --regid nogroup --clear-groups test -x "$servers"; then
		echo "root's servers run as another user, who cannot enter $servers; SPQTREE_CACHE can name another directory"
		return 1
	fi
	(
		flock 9 || exit
		# another run may have made it while this one waited
		if server_finished "$1"; then exit 0; fi
		rm -rf "$making" && mkdir -p "$making" || exit
		fetch_source "$version" "$making" || {
			echo "the source of PostgreSQL $version cannot be had from Debian's $(suite_of "$version"): see above"
			exit 1
		}
		compile_server "$version" "$making" "$path" >"$making/log" 2>&1 || {
			tail -n 20 "$making/log"
			echo "PostgreSQL $version cannot be compiled with assertions: see above"
			exit 1
		}
		server_recipe >"$making/root$path/recipe"
		# both on the file system of the cache, so that the second move is atomic
		rm -rf "$path.making" "$path" && mv -T "$making/root$path" "$path.making" &&
			mv -T "$path.making" "$path" && rm -rf "$making"
	) 9>"$servers/lock-$1" && link_extensions "$version" "$path"
}

# fetch_source VERSION DIR: gets the source of PostgreSQL into DIR/source
fetch_source() {
	debian_source "postgresql-$1" "$(suite_of "$1")" "$2"
}

# debian_source PACKAGE SUITE DIR: gets the source of a Debian package into DIR/source, by an
# apt that leaves the machine's lists and sources alone
debian_source() {
	local package=$1 suite=$2 dir=$3 mirror
	mirror=$(debian_mirror "$suite") || {
		echo "no mirror of Debian $suite among apt's sources answers; SPQTREE_MIRROR can name one"
		return 1
	}
	mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/source" || return
	echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$dir/apt/sources.list"
	# The lists of an unreleased suite may be past their date. Signatures are still checked.
	# Compressed lists are enough for a single package.
	set -- -q -o "Dir::Etc::SourceList=$dir/apt/sources.list" -o Dir::Etc::SourceParts=/nonexistent \
		-o "Dir::State::Lists=$dir/apt/lists" -o "Dir::Cache=$dir/apt/cache" \
		-o APT::Sandbox::User="$(id -un)" -o Acquire::Check-Valid-Until=false \
		-o Acquire::Languages=none
	apt-get "$@" update && (cd "$dir" && apt-get "$@" source --download-only "$package") &&
		tar -C "$dir/source" --strip-components=1 -xf "$dir/$package"_*.orig.tar.*[!c]
}

# compile_server VERSION DIR PREFIX: configures and compiles DIR/source, and installs it
# below DIR/root, to be moved to PREFIX, with what tests use of contrib and the programs of PGXS' tests
compile_server() {
	local version=$1 dir=$2 prefix=$3 part
	cd "$dir/source" &&
		./configure -q --prefix="$prefix" --enable-cassert --enable-debug --enable-tap-tests \
			--with-icu --with-libxml --without-readline --without-zlib \
			CFLAGS='-O1 -fno-omit-frame-pointer' || return
	for part in . contrib/{amcheck,auto_explain,btree_gist,cube,earthdistance,file_fdw,pageinspect,pg_buffercache} \
		contrib/{pg_prewarm,pg_stat_statements,pg_visibility,pgstattuple,postgres_fdw,seg} \
		src/test/perl src/test/regress src/test/isolation; do
		make -s -C "$part" -j "$(nproc)" && make -s -C "$part" DESTDIR="$dir/root" install || return
	done
	# prove that it works
	"$dir/root$prefix/bin/postgres" --version && usable "$dir/root$prefix/bin/pg_config"
}

# link_extensions VERSION PREFIX: links PostGIS and ip4r of this machine's packages into a server,
# if they have them for its version
link_extensions() {
	local packages=/usr/share/postgresql/$1/extension name scripts libraries
	scripts=$("$2/bin/pg_config" --sharedir)/extension
	libraries=$("$2/bin/pg_config" --pkglibdir)
	for name in postgis address_standardizer ip4r; do
		if [ ! -e "$packages/$name.control" ] || [ -e "$scripts/$name.control" ]; then continue; fi
		ln -sf "/usr/lib/postgresql/$1/lib/$name"* "$libraries/" && ln -sf "$packages/$name"* "$scripts/" || return
	done
}

# without_postgis VERSION: true if it lacks PostGIS, and no package of this machine, or of
# its release, has it: an unreleased version, or a compiled one
without_postgis() {
	local dir
	if has_assertions "$1"; then
		dir=$("$(server_path "$1")/bin/pg_config" --sharedir)
	elif optional_version "$1" && ! is_native "$1"; then
		dir=$(root_path "$1")/usr/share/postgresql/$1
	else
		return 1
	fi
	[ ! -e "$dir/extension/postgis.control" ]
}

# debian_mirror SUITE: prints a mirror that has it, from the sources of this machine's apt, in
# any of their formats
debian_mirror() {
	local uri dir
	dir=$(mktemp -d)
	while IFS= read -r uri; do
		case $uri in
		mirror+file:*) uri=$(sed 's/[[:space:]].*//; /^$/d; /^#/d; q' "${uri#mirror+file:}") ;;
		http:* | https:* | file:*) ;;
		*) continue ;;
		esac
		uri=${uri%/}
		if /usr/lib/apt/apt-helper download-file "$uri/dists/$1/InRelease" "$dir/InRelease" >/dev/null 2>&1 &&
			grep -q '^Origin: Debian$' "$dir/InRelease" && grep -qE "^(Codename|Suite): $1\$" "$dir/InRelease"; then
			rm -rf "$dir"
			echo "$uri"
			return
		fi
	done < <(
		if [ -n "${SPQTREE_MIRROR:-}" ]; then
			echo "$SPQTREE_MIRROR"
		else
			# shellcheck disable=SC2016  # apt's variable, awk's field
			apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages' | awk '!seen[$0]++'
		fi
	)
	rm -rf "$dir"
	return 1
}

# build_root DIR RELEASE MIRROR SECURITY-MIRROR SCRIPT SUITE VERSION PACKAGE...
#
# Runs as root in a mount namespace, in a shell without the functions of this file.
build_root() {
	local dir=$1 release=$2 mirror=$3 security=$4 script=$5 suite=$6 version=$7 include=() optional=() package
	shift 7
	set -e
	PATH=$PATH:/usr/sbin:/sbin
	umask 022
	case $mirror in https:*) include=(--include=ca-certificates) ;; esac
	debootstrap --variant=minbase "${include[@]}" "$release" "$dir" "$mirror" "$script" || {
		[ ! -f "$dir/debootstrap/debootstrap.log" ] || tail -n 20 "$dir/debootstrap/debootstrap.log"
		return 1
	}
	# No package may start a server, and none makes a cluster.
	printf '#!/bin/sh\nexit 101\n' >"$dir/usr/sbin/policy-rc.d"
	chmod 755 "$dir/usr/sbin/policy-rc.d"
	mkdir -p "$dir/etc/postgresql-common/createcluster.d" "$dir/dev/shm"
	echo 'create_main_cluster = false' >"$dir/etc/postgresql-common/createcluster.d/no-cluster.conf"
	# After a power failure the root is made again.
	echo force-unsafe-io >"$dir/etc/dpkg/dpkg.cfg.d/unsafe-io"
	# An unreleased suite may be past its date. Signatures are still checked.
	echo 'Acquire::Check-Valid-Until "false";' >"$dir/etc/apt/apt.conf.d/valid-until"
	for file in resolv.conf hosts; do
		[ ! -e "/etc/$file" ] || cat "/etc/$file" >"$dir/etc/$file"
	done
	mountpoint -q "$dir/proc" || mount -t proc proc "$dir/proc"
	local in_root=(chroot "$dir" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
		DEBIAN_FRONTEND=noninteractive http_proxy="$http_proxy")
	if [ "$suite" != "$release" ]; then
		echo "deb $mirror $suite main" >"$dir/etc/apt/sources.list.d/$suite.list"
		# nothing else from there: no other C library, no other compiler
		printf '%s\n' "Package: src:postgresql-$version" "Pin: release a=$suite" 'Pin-Priority: 990' \
			>"$dir/etc/apt/preferences.d/$suite"
	fi
	"${in_root[@]}" apt-get -q update
	# may be missing for an unreleased version
	for package in "postgresql-$version"-{postgis-3,ip4r}; do
		[ "$suite" != "$release" ] && ! "${in_root[@]}" apt-cache show "$package" >/dev/null 2>&1 || optional+=("$package")
	done
	"${in_root[@]}" apt-get -q -y install --no-install-recommends \
		"postgresql-$version" "postgresql-server-dev-$version" "${optional[@]}" "$@"
	mkdir -p "$dir/opt/older"
	(cd "$dir" && cp -a --parents "usr/lib/postgresql/$version" "usr/share/postgresql/$version" \
		"usr/include/postgresql/$version" opt/older)
	if [ -n "$security" ]; then
		echo "deb $security $release-security main" >"$dir/etc/apt/sources.list.d/security.list"
		"${in_root[@]}" apt-get -q update
		"${in_root[@]}" apt-get -q -y upgrade
	fi
	"${in_root[@]}" apt-get clean
	rm -rf "$dir"/var/lib/apt/lists/*
	# prove that it works
	"${in_root[@]}" "/usr/lib/postgresql/$version/bin/postgres" --version
	"${in_root[@]}" test -f "/usr/lib/postgresql/$version/lib/pgxs/src/makefiles/pgxs.mk"
}

# in_root VERSION DIR COMMAND...: runs a command as root in the version's root, where DIR
# is /tmp and the source tree is /mnt
#
# ccache's directory of the version is /tmp/ccache.
#
# Processes and System V memory are in namespaces, too, so that servers end with the
# command, even if it is killed.
in_root() {
	local version=$1 dir=$2 pass=() name
	shift 2
	for name in $(compgen -e SPQTREE_); do
		case $name in SPQTREE_CACHE | SPQTREE_MIRROR | SPQTREE_CCACHE) ;; *) pass+=("$name=${!name}") ;; esac
	done
	# shellcheck disable=SC2016  # for the inner shell
	as_root unshare --mount --pid --ipc --fork --kill-child bash -c '
		set -e
		root=$1 tmp=$2 top=$3 ccache=$4
		shift 4
		mount --bind "$root" "$root"
		mount --bind "$tmp" "$root/tmp"
		mkdir -p "$ccache" "$root/tmp/ccache"
		mount --bind "$ccache" "$root/tmp/ccache"
		mount --bind "$top" "$root/mnt"
		mount -o remount,bind,ro "$root/mnt"
		mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
		mount -t proc proc "$root/proc"
		mount -o remount,bind,ro "$root"
		cd /
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C SPQTREE_CCACHE=/tmp/ccache "$@"' in_root \
		"$(root_path "$version")" "$dir" "$top" "$cache/ccache-$version" ${pass[@]+"${pass[@]}"} "$@"
}

# in_version VERSION DIR COMMAND...: runs a program of the source tree for a version,
# natively or in a root, where DIR is /tmp
in_version() {
	local version=$1 dir=$2 program=$3
	shift 3
	if is_native "$version"; then
		PG_CONFIG=$(installed_config "$version") "$top/$program" "$@"
	else
		in_root "$version" "$dir" "/mnt/$program" "$@"
	fi
}
