# shellcheck shell=bash disable=SC2154  # variables are shared with other files
# Bare roots: a Debian release with nothing but its essential packages, as on a new machine.
# A root is unpacked from an archive, which is made once, and thrown away after use:
#
#	cache/bare-bookworm.tar		the archive
#	work/build/					a root, while it is used
#
# Mounts are made in a mount namespace, as in versions.sh.
#
# Uses common.sh, packages.sh, versions.sh.

# make_bare_root VERSION NAME: makes work/NAME, of the release that has this version
make_bare_root() {
	local version=$1 root=$work/$2 release suite mirror suite_mirror archive
	release=$(release_of "$version") || return
	suite=$(suite_of "$version")
	archive=$cache/bare-$release.tar
	mkdir -p "$cache" "$root" || return
	mirror=$(debian_mirror "$release") || {
		echo "no mirror of Debian $release among apt's sources answers; SPQTREE_MIRROR can name one"
		return 1
	}
	(
		flock 9
		[ -e "$archive" ] || make_bare_archive "$release" "$mirror" "$archive"
	) 9>"$cache/lock-bare-$release" || return
	as_root tar -C "$root" -xf "$archive" || return
	if [ "$suite" != "$release" ]; then
		suite_mirror=$(debian_mirror "$suite") || {
			echo "no mirror among apt's sources has Debian's $suite, where PostgreSQL $version is"
			return 1
		}
		echo "deb $suite_mirror $suite main" | as_root tee "$root/etc/apt/sources.list.d/$suite.list" >/dev/null
		printf '%s\n' "Package: src:postgresql-$version src:postgis" "Pin: release a=$suite" 'Pin-Priority: 990' |
			as_root tee "$root/etc/apt/preferences.d/$suite" >/dev/null
	fi
	# no package may start a server by itself: there is no init
	printf '#!/bin/sh\nexit 101\n' | as_root tee "$root/usr/sbin/policy-rc.d" >/dev/null
	as_root chmod 755 "$root/usr/sbin/policy-rc.d"
	# an unreleased suite may be past its date; signatures are still checked
	echo 'Acquire::Check-Valid-Until "false";' | as_root tee "$root/etc/apt/apt.conf.d/valid-until" >/dev/null
	echo force-unsafe-io | as_root tee "$root/etc/dpkg/dpkg.cfg.d/unsafe-io" >/dev/null
	for file in resolv.conf hosts; do
		[ ! -e "/etc/$file" ] || as_root cp -L "/etc/$file" "$root/etc/$file"
	done
}

# make_bare_archive RELEASE MIRROR FILE
make_bare_archive() {
	local release=$1 mirror=$2 file=$3 dir=$work/bare script=/usr/share/debootstrap/scripts/$1 proxy include=()
	[ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid # one newer than debootstrap
	case $mirror in https:*) include=(--include=ca-certificates) ;; esac
	proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy) || proxy=
	as_root env PATH="$PATH:/usr/sbin:/sbin" http_proxy="${proxy:-${http_proxy:-}}" unshare --mount --pid --fork --kill-child \
		debootstrap --variant=minbase ${include[@]+"${include[@]}"} "$release" "$dir" "$mirror" "$script" &&
		as_root tar -C "$dir" --exclude './var/cache/apt/archives/*.deb' -cf "$file.making" . &&
		mv "$file.making" "$file" && as_root rm -rf --one-file-system "$dir"
}

# in_bare NAME COMMAND...: runs a command as root in work/NAME
in_bare() {
	local root=$work/$1 proxy
	shift
	proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy) || proxy=
	# shellcheck disable=SC2016  # for the inner shell
	as_root unshare --mount --pid --ipc --fork --kill-child bash -c '
		set -e
		root=$1 proxy=$2
		shift 2
		mount -t proc proc "$root/proc"
		mkdir -p "$root/dev/shm"
		mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
		cd /
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
			DEBIAN_FRONTEND=noninteractive ${proxy:+http_proxy="$proxy"} "$@"' in_bare "$root" "${proxy:-${http_proxy:-}}" "$@"
}

remove_bare_root() {
	as_root rm -rf --one-file-system "${work:?}/$1"
}
