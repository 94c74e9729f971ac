# shellcheck shell=bash disable=SC2154  # variables are shared with other files
# The source of the packages, and the programs that build them in a bare root.
#
#	/source/			the tree of the last commit
#	/build-needs		installs what debian/control asks for
#	/build-packages		builds into /built
#	/check-packages		lintian
#
# Uses common.sh, packages.sh, postgres.sh, bare.sh.

# export_commit DIR: puts the last commit into a new directory
export_commit() {
	as_root mkdir "$1" && git -C "$top" archive HEAD | as_root tar -C "$1" -x --no-same-owner
}

# export_checkout DIR: the same with what bundles omit, as a clone of the repository has it
export_checkout() {
	local tree=$work/checkout index=$work/index status=0
	GIT_INDEX_FILE=$index git -C "$top" read-tree HEAD &&
		GIT_INDEX_FILE=$index git -C "$top" checkout-index --all --prefix="$tree/" &&
		as_root mv -T "$tree" "$1" || status=1
	rm -rf "$tree" "$index"
	return "$status"
}

# export_demo DIR: puts what the demo's queries need into a new directory
export_demo() {
	as_root mkdir -p "$1/scripts/lib" "$1/data" && as_root cp "$top"/scripts/lib/demo.{sh,sql} "$1/scripts/lib/" &&
		as_root cp "$top"/data/osm_*.csv.gz "$1/data/" && as_root chmod -R a+rX "$1"
}

# supported ROOT VERSION: in this root, Debian's tools build and test for this version. A release
# does so by itself, but experimental has a version that is not its release's.
supported() {
	[ "$(suite_of "$2")" = "$(release_of "$2")" ] || {
		as_root mkdir -p "$1/etc/postgresql-common" &&
			echo "$2" | as_root tee "$1/etc/postgresql-common/supported_versions" >/dev/null
	}
}

# export_source VERSION: puts the last commit and the programs into work/build
export_source() {
	local root=$work/build
	supported "$root" "$1" && export_commit "$root/source" && as_root mkdir "$root/built" || return
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

# make_volume VERSION DIR: makes the files of an image volume, as packaging/Containerfile.volume
# does, of what is built in work/build
make_volume() {
	in_bare build make -s -C "/source/build/$1/." -f /source/./Makefile VPATH=/source/. with_llvm=no \
		PG_CONFIG="/usr/lib/postgresql/$1/bin/pg_config" COPT=-ffile-prefix-map=/source=. \
		install DESTDIR=/volume pkglibdir=/lib datadir=/share && as_root mv "$work/build/volume" "$2"
}

# make_rpm DIR: makes the RPM packages of the last commit for the PostgreSQL of this machine,
# whose packages are not RPM, and checks them
make_rpm() {
	mkdir -p "$1/SOURCES" &&
		find_postgres && make -s -C "$top" PG_CONFIG="$pg_config" dist && mv "$top"/spqtree-[0-9]*.zip "$1/SOURCES/" &&
		rm "$top"/spqtree_postgis-[0-9]*.zip &&
		git -C "$top" show HEAD:packaging/spqtree.spec >"$1/spqtree.spec" &&
		rpmbuild -bb --quiet --nodeps --define "_topdir $1" --define "pgmajorversion ${pg_version%%[!0-9]*}" \
			--define "pg_config $pg_config" "$1/spqtree.spec" &&
		rpmlint --rpmlintrc "$top/packaging/spqtree.rpmlintrc" "$1/spqtree.spec" "$1"/RPMS/*/*.rpm
}

# make_bundles DIR: makes PGXN's bundles of the last commit
make_bundles() {
	as_root mkdir "$1" &&
		find_postgres && make -s -C "$top" PG_CONFIG="$pg_config" dist && as_root mv "$top"/spqtree{,_postgis}-[0-9]*.zip "$1/"
}
