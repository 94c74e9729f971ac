# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# The suite geos: predicates between the geometries of GEOS' own tests have the answers of
# PostGIS (test/geos). The tests are XML files in GEOS' source tree, which --source names, or
# which is Debian's source package.
#
# Uses common.sh, packages.sh, postgres.sh, versions.sh, results.sh, gis.sh.

# Without --source.
want_geos() {
	[ -n "$source_dir" ] || [ -f /usr/share/keyrings/debian-archive-keyring.gpg ] ||
		want debian-archive-keyring 'the signatures of Debian'
}

# geos_geometries DIR: writes the geometries of the tests in GEOS' source tree
geos_geometries() {
	"$top/test/geos/geometries" "$1/tests/xmltester/tests" >"$work/geometries"
}

compare_geos() {
	gis_psql -d postgres -c 'CREATE DATABASE geos' &&
		gis_psql -d geos -c 'SET client_min_messages = error' -c 'CREATE EXTENSION spqtree_postgis CASCADE' \
			-c 'CREATE TABLE raw (file text, number int, part text, value text)' &&
		gis_psql -d geos -c 'COPY raw FROM STDIN' <"$work/geometries" &&
		gis_psql -d geos -f "$work/src/postgis/test/sql/pairs.sql" -f "$work/src/test/geos/compare.sql"
}

suite_geos() {
	local release
	release=$(own_release)
	step companion 'spqtree_postgis, installed beside spqtree' gis_companion || die 'cannot build the companion'
	if [ -z "$source_dir" ]; then
		source_dir=$work/geos/source
		step source "GEOS' source package of Debian ${release:=sid}" debian_source geos "$release" "$work/geos" ||
			die "the source of GEOS cannot be had from Debian's $release: see above; --source can name a directory"
	fi
	step geometries "of the tests in $source_dir" geos_geometries "$source_dir" || die 'cannot read the tests'
	run_suite geos compare_geos
}
