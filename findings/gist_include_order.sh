#!/usr/bin/env bash
# PostgreSQL 18.7: the nearest rows, by a GiST index that INCLUDEs the indexed column.
#
# A GiST index of polygons or circles stores boxes, and an index scan sorts rows again by their exact distances. An
# index-only scan cannot. The planner does not know: if the column is an INCLUDE column as well, so that the index has all
# columns, it makes an index-only scan in the order of distance, and the query fails (0A000). Without the INCLUDE column,
# or with enable_indexonlyscan off, it works. PostgreSQL 15.20 does the same, and so do PostGIS' geometries (3.3.2).
#
# For spqtree's users: docs/postgis.md, the geometry as an INCLUDE column. USING spqtree, such an order reads the table.
#
# Needs Node.js and npm. Fails if the behavior changes.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @electric-sql/pglite@0.5.17

cat >run.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';

const db = await PGlite.create();
const nearest = "SELECT id FROM t ORDER BY c <-> point(3.2,4.1) LIMIT 3";
console.log((await db.query('SHOW server_version')).rows[0].server_version);
await db.exec(`CREATE TABLE t AS SELECT i AS id, circle(point(i % 100, i / 100), 0.3) AS c FROM generate_series(1, 3000) i;
  SET enable_seqscan = off`);
for (const [columns, index_only] of [['id', 'on'], ['c, id', 'on'], ['c, id', 'off']]) {
  for (const step of ['DROP INDEX IF EXISTS i', `CREATE INDEX i ON t USING gist (c) INCLUDE (${columns})`, 'VACUUM ANALYZE t',
                      `SET enable_indexonlyscan = ${index_only}`])
    await db.exec(step);
  const plan = (await db.query('EXPLAIN (COSTS OFF) ' + nearest)).rows.map(r => r['QUERY PLAN']).join(' ');
  let result;
  try {
    result = (await db.query(nearest)).rows.map(r => r.id).join(', ');
  } catch (error) {
    result = `${error.code} ${error.message}`;
  }
  console.log(`INCLUDE (${columns}), index-only scans ${index_only}: ${plan.match(/Index (Only )?Scan/)[0]}: ${result}`);
}
JS

node run.mjs >seen
cat >expected <<'OUT'
18.7
INCLUDE (id), index-only scans on: Index Scan: 403, 404, 503
INCLUDE (c, id), index-only scans on: Index Only Scan: 0A000 lossy distance functions are not supported in index-only scans
INCLUDE (c, id), index-only scans off: Index Scan: 403, 404, 503
OUT
cat seen
diff expected seen && echo 'as described'
