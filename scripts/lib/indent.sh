# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# The layout of the C sources, by PostgreSQL's pgindent, which Debian ships with the
# server's development files since PostgreSQL 17.
#
# pgindent must know which identifiers are types. src/typedefs.list has those that the
# sources use, as found in the debugging information of a build.
#
# Uses common.sh, postgres.sh.

typedefs=src/typedefs.list

# The sources, relative to the top of the tree.
c_sources() {
	(cd "$1" && find src postgis/src postgis/test/unit test/unit test/fuzz bench/kernel bench/disk -name build -prune -o -name '*.[ch]' -print | sort)
}

# find_indent: sets $indent_bin to the directory of an installed pgindent
find_indent() {
	local dir
	indent_bin=
	while IFS= read -r dir; do
		[ ! -x "$dir/pgindent" ] || [ ! -x "$dir/pg_bsd_indent" ] || indent_bin=$dir
	done < <(debian_bindirs)
	[ -n "$indent_bin" ]
}

# pg_indent DIR [OPTION...] FILE...: runs pgindent in a copy of the sources
pg_indent() {
	local dir=$1
	shift
	(cd "$dir" && PERL5LIB='' "$indent_bin/pgindent" --indent="$indent_bin/pg_bsd_indent" --typedefs="$typedefs" "$@")
}

# words DIR: prints every identifier in the sources
words() {
	(cd "$1" && c_sources . | xargs grep -ohE '[A-Za-z_][A-Za-z0-9_]*' | sort -u)
}

# used_typedefs DIR: prints the types that the sources in DIR use, one per line, as far as
# library, tests and bench are built there; except those that some version of pgindent
# excludes because variables have the same names.
used_typedefs() {
	local built=("$1"/spqtree.so "$1"/postgis/spqtree_postgis.so "$1"/postgis/test/unit/*_test "$1"/test/unit/*_test "$1"/test/fuzz/replay_* "$1"/bench/kernel/{engine,kernel,nearest,nearest_engine,locate,locate_engine,circles})
	local file
	for file in "${built[@]}"; do
		[ ! -x "$file" ] || readelf --debug-dump=info "$file"
	done | awk '/DW_TAG_/ { typedef = /DW_TAG_typedef/ } typedef && /DW_AT_name/ { print $NF; typedef = 0 }' |
		sort -u | comm -12 - <(words "$1") |
		grep -vxE 'ANY|FD_SET|LookupSet|U|abs|allocfunc|bool|boolean|date|digit|duration|element_type|ilist|inquiry|interval|iterator|other|pointer|printfunc|reference|regex_t|regmatch_t|regoff|rep|string|timestamp|type|wrap'
}

# build_all: builds everything that defines types
build_all() {
	build with_llvm=no && build -C postgis && build -C postgis/test/unit programs && build -C test/unit programs && build -C test/fuzz programs && build -C bench/kernel
}

# write_typedefs DIR: writes the list, after build_all
write_typedefs() {
	used_typedefs "$1" >"$work/typedefs" && [ -s "$work/typedefs" ] || return
	cp "$work/typedefs" "$top/$typedefs"
}

# check_typedefs DIR: reports whether the list has every type that is used, and no other
# name. A name that is a type only with another version of PostgreSQL or of the C library
# counts as used if the sources have it.
check_typedefs() {
	local dir=$1 name status=0
	while IFS= read -r name; do
		printf 'not ok - %s lacks the type %s: run scripts/indent --typedefs\n' "$typedefs" "$name"
		status=1
	done < <(used_typedefs "$dir" | comm -23 - "$dir/$typedefs")
	while IFS= read -r name; do
		printf 'not ok - %s has %s, which no source uses: run scripts/indent --typedefs\n' "$typedefs" "$name"
		status=1
	done < <(words "$dir" | comm -13 - "$dir/$typedefs")
	[ "$status" != 0 ] || printf 'ok - %s has the types that are used\n' "$typedefs"
	return "$status"
}

# check_layout DIR: reports whether each file is as pgindent writes it. On a file that it
# cannot read, pgindent prints an error; some versions still exit with 0.
check_layout() {
	local dir=$1 files said status=0
	mapfile -t files < <(c_sources "$dir")
	said=$(pg_indent "$dir" --check --diff "${files[@]}" 2>&1) || status=$?
	if [ "$status" = 0 ] && [ -z "$said" ]; then
		printf 'ok - layout of %d files\n' "${#files[@]}"
		return
	fi
	printf 'not ok - layout of the sources: "scripts/indent --fix" repairs it\n%s\n' "$said"
	return 1
}

check_indent() {
	local status=0
	check_typedefs "$work/src" || status=1
	check_layout "$work/src" || status=1
	return "$status"
}
