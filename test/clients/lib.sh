# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Functions of the clients' sessions. Each session is a script that begins by reading this
# file, with the server of "run" and an own database, which is a copy of the town.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
client=${0##*/}
area=/tmp/clients/$client # files of the session
rm -rf "$area"
mkdir -p "$area"
export client area

sql() { psql -X -A -t -q -v ON_ERROR_STOP=1 "$@"; }
value() { sql -c "$1"; }

PGDATABASE=postgres sql -c "CREATE DATABASE $client TEMPLATE town" \
	-c "ALTER DATABASE $client SET session_preload_libraries = 'spqtree'"
export PGDATABASE=$client

# move_town: the town's tables into a schema of this name, so that the client can make its own
move_town() { sql -c 'CREATE SCHEMA town' -c 'ALTER TABLE streets SET SCHEMA town' -c 'ALTER TABLE areas SET SCHEMA town'; }

# The server's sequential scans and nested loops, and nothing of spqtree.
sequential='-c spqtree.enable=off -c enable_indexscan=off -c enable_bitmapscan=off -c enable_indexonlyscan=off'

# A window in the middle of the town, and a place in it.
window='ST_MakeEnvelope(1254200, 6362000, 1254700, 6362500, 3857)'
place='ST_SetSRID(ST_Point(1254400, 6362300), 3857)'
export window place
corners='1254200 6362000 1254700 6362500'
export corners

ok() { printf 'ok - %s: %s\n' "$client" "$1"; }

# not_ok TEXT [FILE...]: with what is in the files
not_ok() {
	printf 'not ok - %s: %s\n' "$client" "$1"
	shift
	[ $# = 0 ] || tail -n 40 "$@" 2>/dev/null | cut -c 1-300 | sed 's/^/# /'
}

# with WHAT: names versions
with() { printf '# with %s %s\n' "$client" "$*"; }

# check TEXT COMMAND...: the command succeeds
check() {
	local text=$1
	shift
	if "$@" >"$area/out" 2>&1 </dev/null; then ok "$text"; else not_ok "$text" "$area/out"; fi
}

# is TEXT GOT EXPECTED
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1"
		printf '# is       %s\n# expected %s\n' "${2//$'\n'/ }" "${3//$'\n'/ }"
	fi
}

# methods TABLE: all spatial indexes of the table are of the access method
methods() {
	is "indexes of $1 are of spqtree" "$(value "SELECT spatial_methods('$1')")" spqtree
}

# Plans that the server has logged since "mark".
mark() { marked=$(stat -c %s "$server_log"); }
logged() { tail -c "+$((marked + 1))" "$server_log"; }

# asked TEXT PATTERN COMMAND...: the plan of the command's query matches the pattern, unless all
# is disabled, and what the command prints is the same then
asked() {
	local text=$1 pattern=$2
	shift 2
	mark
	if ! "$@" >"$area/with" 2>"$area/errors"; then
		not_ok "$text" "$area/errors" "$area/with"
		return 0
	fi
	logged >"$area/plans"
	mark
	if ! PGOPTIONS=$sequential "$@" >"$area/without" 2>"$area/errors"; then
		not_ok "$text, by sequential scans" "$area/errors" "$area/without"
		return 0
	fi
	logged >"$area/sequential_plans"
	if ! grep -qE -- "$pattern" "$area/plans"; then
		not_ok "$text: no plan has $pattern" "$area/plans"
	elif grep -qE -- "$pattern" "$area/sequential_plans"; then
		not_ok "$text: $pattern although disabled" "$area/sequential_plans"
	elif [ ! -s "$area/with" ]; then
		not_ok "$text: no answer"
	elif ! diff "$area/without" "$area/with" >"$area/difference"; then
		not_ok "$text: another answer than by sequential scans" "$area/difference"
	else
		ok "$text: $(wc -l <"$area/with") lines, those of sequential scans"
	fi
}

scan_of() { printf 'Scan using (%s)|Bitmap Index Scan on (%s)' "$1" "$1"; }
join='Custom Scan \(Spqtree Spatial Hash Join\)'
export join

sorted() { "$@" | sort; }
