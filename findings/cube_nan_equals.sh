#!/usr/bin/env bash
# PostgreSQL 18.7, contrib/cube 1.5: a cube with a NaN equals every cube.
#
# Comparisons of cubes look for a coordinate that is less or greater, and a NaN is neither. So it is equal to a cube of 1
# and to a cube of 2, which are not equal to each other, and rows have no order by which a B-tree or a sort could find
# them. A search by an index returns 2 rows of 55, and a merge join is an error (XX000) or loses rows, as its input comes.
# (float8 itself orders NaN above all numbers.)
#
# For spqtree's users: docs/nearby.md, what is exact. The spatial hash join and USING spqtree return all rows.
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
import { cube } from '@electric-sql/pglite/contrib/cube';

const db = await PGlite.create({ extensions: { cube } });
const row = async sql => {
  try {
    return JSON.stringify((await db.query(sql)).rows[0]);
  } catch (error) {
    return `${error.code} ${error.message}`;
  }
};
await db.exec('CREATE EXTENSION cube');
console.log(await row("SELECT current_setting('server_version') AS server, extversion AS cube FROM pg_extension WHERE extname = 'cube'"));
console.log(await row("SELECT n = cube(1) AS one, n = cube(2) AS two, cube(1) = cube(2) AS each_other FROM (SELECT cube(float8 'NaN') AS n) s"));
await db.exec(`CREATE TABLE t AS SELECT cube(CASE WHEN i % 5 = 3 THEN float8 'NaN' ELSE i * 7 % 11 END) AS c
  FROM generate_series(1, 200) i; CREATE INDEX ON t (c); ANALYZE t; SET enable_hashjoin = off; SET enable_bitmapscan = off`);
for (const [what, sql] of [['one value', 'SELECT count(*)::int FROM t WHERE c = cube(4)'],
                           ['all pairs', 'SELECT count(*)::int FROM t a JOIN t b ON a.c = b.c']])
  for (const ordered of ['off', 'on']) {
    const other = ordered == 'on' ? 'off' : 'on';
    await db.exec(`SET enable_indexscan = ${ordered}; SET enable_indexonlyscan = ${ordered}; SET enable_mergejoin = ${ordered};
      SET enable_seqscan = ${other}; SET enable_nestloop = ${other}`);
    console.log(`${what}, ${ordered == 'on' ? 'by a B-tree' : 'row by row'}: ${await row(sql)}`);
  }
JS

node run.mjs >seen
cat >expected <<'OUT'
{"server":"18.7","cube":"1.5"}
{"one":true,"two":true,"each_other":false}
one value, row by row: {"count":55}
one value, by a B-tree: {"count":2}
all pairs, row by row: {"count":16730}
all pairs, by a B-tree: XX000 mergejoin input data is out of order
OUT
cat seen
diff expected seen && echo 'as described'
