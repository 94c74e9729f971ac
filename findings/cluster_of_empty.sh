#!/usr/bin/env bash
# PostGIS 3.6.2: what becomes of empty and NULL geometries in ST_ClusterDBSCAN.
#
# An empty geometry is within no distance of anything. With minpoints 2 it is noise, as one would think, but with
# minpoints 1 each one is a cluster of its own (3.3.2 does the same). A NULL geometry is in no cluster, but with minpoints
# 1 it takes a number, so the numbers have gaps: here the clusters are 0, 1 and 3. ST_ClusterWithinWin and
# ST_ClusterIntersectingWin number them so, too. The manual says neither.
#
# For spqtree's users: docs/clusters.md, exactly. In spqtree_cluster both are NULL, and numbers have no gaps.
#
# Needs Node.js and npm. Fails if the behavior changes.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @electric-sql/pglite@0.5.8 @electric-sql/pglite-postgis@0.2.8

cat >run.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';
import { postgis } from '@electric-sql/pglite-postgis';

const db = await PGlite.create({ extensions: { postgis } });
await db.exec(`CREATE EXTENSION postgis; CREATE TABLE t (id int, g geometry);
  INSERT INTO t VALUES (1, 'POINT(0 0)'), (2, 'POINT EMPTY'), (3, 'POINT(0 1)'), (4, NULL), (5, 'POLYGON EMPTY')`);
console.log((await db.query('SELECT postgis_lib_version() AS v')).rows[0].v);
for (const call of ['ST_ClusterDBSCAN(g, 1, 2)', 'ST_ClusterDBSCAN(g, 1, 1)', 'ST_ClusterWithinWin(g, 1)', 'ST_ClusterIntersectingWin(g)']) {
  const rows = (await db.query(`SELECT id, ${call} OVER (ORDER BY id) AS c FROM t ORDER BY id`)).rows;
  console.log(call + ': ' + rows.map(r => r.c ?? 'NULL').join(', '));
}
JS

node run.mjs >seen
cat >expected <<'OUT'
3.6.2
ST_ClusterDBSCAN(g, 1, 2): 0, NULL, 0, NULL, NULL
ST_ClusterDBSCAN(g, 1, 1): 0, 1, 0, NULL, 3
ST_ClusterWithinWin(g, 1): 0, 1, 0, NULL, 3
ST_ClusterIntersectingWin(g): 0, 1, 2, NULL, 4
OUT
cat seen
diff expected seen && echo 'as described'
