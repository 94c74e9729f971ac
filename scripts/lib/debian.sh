# shellcheck shell=bash disable=SC2154  # variables are shared with other files
# The source of the packages, and the programs that build them in a bare root.
#
#	/source/			the tree of the last commit
#	/build-needs		installs what debian/control asks for
#	/build-packages		builds into /built
#	/check-packages		lintian
#
# Uses common.sh, packages.sh, postgres.sh, bare.sh.

# export_source VERSION: puts the last commit and the programs into work/build
export_source() {
	local root=$work/build
	as_root mkdir "$root/source" "$root/built" &&
		git -C "$top" archive HEAD | as_root tar -C "$root/source" -x --no-same-owner || return
	declare -f build_needs build_packages check_packages | as_root tee "$root/build-functions" >/dev/null
	for name in build-needs build-packages check-packages; do
		printf '#!/bin/bash\nset -euo pipefail\n. /build-functions\n%s "$@"\n' "${name//-/_}" |
			as_root tee "$root/$name" >/dev/null && as_root chmod 755 "$root/$name" || return
	done
}

# build_needs VERSION: in the root, what is needed to build
build_needs() {
	apt-get -q update
	apt-get -q -y install --no-install-recommends build-essential debhelper "postgresql-server-dev-$1" postgresql-server-dev-all
	# the clock of an archive of a release that is not out may be behind
	cd /source || return
	debian/rules debian/control
	apt-get -q -y install --no-install-recommends lintian
	dpkg-checkbuilddeps
}

# build_packages VERSION: in the root, builds all packages into /built
build_packages() {
	cd /source || return
	dpkg-buildpackage --build=binary --unsigned-changes --jobs=auto
	rm -rf /built/*
	cp -p ../*.deb ../*.changes ../*.buildinfo /built/
}

# check_packages: in the root, reports errors of the packages
check_packages() {
	# The first package of a project has no bug that asks for it. The log of warnings is long.
	lintian --fail-on error --tag-display-limit 0 --suppress-tags initial-upload-closes-no-bugs /built/*.changes
}

# same_again VERSION: builds once more in another directory, and compares
same_again() {
	local root=$work/build
	as_root mv "$root/built" "$root/built-first" && as_root mkdir "$root/built" &&
		as_root mv "$root/source" "$root/source-elsewhere" && as_root ln -s source-elsewhere "$root/source" &&
		in_bare build /build-packages "$1" || return
	for file in "$root/built-first/"*.deb; do
		cmp "$file" "$root/built/$(basename "$file")" || return
	done
}

# make_bundles DIR: makes PGXN's bundles of the last commit
make_bundles() {
	mkdir "$1" &&
		find_postgres && make -s -C "$top" PG_CONFIG="$pg_config" dist && mv "$top"/spqtree{,_postgis}-[0-9]*.zip "$1/"
}
