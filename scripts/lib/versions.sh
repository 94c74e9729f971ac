# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Several PostgreSQL versions on one machine. A version that is installed is
# used as it is. Debian has one version in each release, so another one lives in
# a root of its release, made once and kept in a cache:
#
#	cache/debian-trixie-17/		a whole root: PostgreSQL 17, compilers, perl
#	cache/making-trixie-17/		unfinished: the next run removes it
#	cache/lock-17				held while that root is made
#
# A root is renamed when it is finished and its server has been run. Mounts in it are
# made in a mount namespace, which the kernel removes with its last process: however
# a run ends, nothing remains mounted, and nothing is removed below a mount. The root
# is read-only, except for /tmp.
#
# A root has the newest minor release, from the release's security updates, and in
# /opt/older the one before these. That is for upgrades: pg_upgrade to a minor release
# older than the old server's may fail (15.20 to 17.11 does, on any table), and
# Debian's releases do not get a security fix on the same day.
#
# Uses common.sh, packages.sh, postgres.sh.
# Reads: SPQTREE_CACHE    where the roots are kept
#        SPQTREE_MIRROR   the Debian mirror; by default one of apt's sources

cache=${SPQTREE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/spqtree}

# Lines that debootstrap and apt print for each package.
package_line='^I: [A-Z][a-z]+ing [^ ]+\.\.\.|^(Unpacking|Setting up) '

# Packages in a root beyond Debian's minimum.
root_packages=(gcc libc6-dev clang make perl libipc-run-perl)

# The release that has this version.
release_of() {
	case $1 in
	15) echo bookworm ;;
	17) echo trixie ;;
	18) echo forky ;;
	*) return 1 ;;
	esac
}

# This machine's release, if it is Debian.
own_release() (
	ID='' VERSION_CODENAME=''
	# shellcheck source=/dev/null
	. /etc/os-release 2>/dev/null
	[ "$ID" != debian ] || echo "$VERSION_CODENAME"
)

# installed_config VERSION: its pg_config on this machine, if it is complete.
installed_config() {
	local config
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
# release has it.
is_native() {
	installed_config "$1" >/dev/null || [ "$(release_of "$1")" = "$(own_release)" ]
}

# For ensure_packages; $native_versions run on this machine itself.
want_native() {
	local version
	for version in $native_versions; do
		! installed_config "$version" >/dev/null || continue
		[ -x "/usr/lib/postgresql/$version/bin/postgres" ] ||
			want "postgresql-$version" 'the server (no cluster is created: see below)'
		want "postgresql-server-dev-$version" 'its headers and build rules'
	done
}

want_roots() {
	[ -x /usr/sbin/debootstrap ] || have debootstrap ||
		want debootstrap 'makes the root of another Debian release'
	[ -f /usr/share/keyrings/debian-archive-keyring.gpg ] ||
		want debian-archive-keyring 'the signatures of Debian'
	have unshare || want util-linux 'mount namespaces'
}

root_path() {
	printf '%s/debian-%s-%s' "$cache" "$(release_of "$1")" "$1"
}

# Identifies how a root was made: if this changes, it is made again.
recipe() {
	{
		declare -f build_root
		printf '%s\n' "${root_packages[@]}"
	} | cksum
}

root_finished() {
	[ "$(cat "$(root_path "$1")/etc/spqtree-recipe" 2>/dev/null)" = "$(recipe)" ]
}

# ensure_root VERSION: makes its root unless the cache has it. If that fails, the
# reason is printed last.
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
		# another run may have made it during the wait
		if root_finished "$version"; then exit 0; fi
		# Nothing can be mounted there: see above.
		as_root rm -rf --one-file-system "$making" "$root" || exit
		mirror=$(debian_mirror "$release") || {
			echo "no mirror of Debian $release among apt's sources answers; SPQTREE_MIRROR can name one"
			exit 1
		}
		security=$(debian_mirror "$release-security") || security=
		script=/usr/share/debootstrap/scripts/$release
		[ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid # one newer than debootstrap
		# apt here may reach the mirror by a proxy
		proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy) || proxy=
		if ! as_root unshare --mount --pid --fork --kill-child \
			env http_proxy="${proxy:-${http_proxy:-}}" bash -c "$(declare -f build_root); build_root \"\$@\"" build_root \
			"$making" "$release" "$mirror" "$security" "$script" "$version" "${root_packages[@]}"; then
			echo "Debian $release with PostgreSQL $version cannot be made from $mirror: see above"
			exit 1
		fi
		recipe | as_root tee "$making/etc/spqtree-recipe" >/dev/null &&
			as_root mv -T "$making" "$root"
	) 9>"$cache/lock-$version"
}

# debian_mirror SUITE: a mirror that has it, from the sources of this machine's apt, in
# any of their formats.
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
			grep -q '^Origin: Debian$' "$dir/InRelease" && grep -q "^Codename: $1\$" "$dir/InRelease"; then
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

# build_root DIR RELEASE MIRROR SECURITY-MIRROR SCRIPT VERSION PACKAGE...
#
# Runs as root in a mount namespace, by a shell that knows nothing else.
build_root() {
	local dir=$1 release=$2 mirror=$3 security=$4 script=$5 version=$6 include=()
	shift 6
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
	# Nobody needs this root after a power failure.
	echo force-unsafe-io >"$dir/etc/dpkg/dpkg.cfg.d/unsafe-io"
	# A release that is not out yet may be past its date. Signatures count still.
	echo 'Acquire::Check-Valid-Until "false";' >"$dir/etc/apt/apt.conf.d/valid-until"
	for file in resolv.conf hosts; do
		[ ! -e "/etc/$file" ] || cat "/etc/$file" >"$dir/etc/$file"
	done
	mountpoint -q "$dir/proc" || mount -t proc proc "$dir/proc"
	local in_root=(chroot "$dir" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
		DEBIAN_FRONTEND=noninteractive http_proxy="$http_proxy")
	"${in_root[@]}" apt-get -q update
	"${in_root[@]}" apt-get -q -y install --no-install-recommends \
		"postgresql-$version" "postgresql-server-dev-$version" "postgresql-$version-postgis-3" "$@"
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
	# the proof that it can be used
	"${in_root[@]}" "/usr/lib/postgresql/$version/bin/postgres" --version
	"${in_root[@]}" test -f "/usr/lib/postgresql/$version/lib/pgxs/src/makefiles/pgxs.mk"
}

# in_root VERSION DIR COMMAND...: runs a command as root in the version's root,
# where DIR is /tmp and the source tree is /mnt.
#
# What ccache keeps for the version is in /tmp/ccache.
#
# Processes and System V memory are in namespaces of their own, too, so that servers
# end with the command, even if it is killed.
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
# natively or in a root, where DIR is /tmp.
in_version() {
	local version=$1 dir=$2 program=$3
	shift 3
	if is_native "$version"; then
		PG_CONFIG=$(installed_config "$version") "$top/$program" "$@"
	else
		in_root "$version" "$dir" "/mnt/$program" "$@"
	fi
}
