#!/usr/bin/env bash
# PostgreSQL 18.7: which index a foreign key with PERIOD refers to.
#
# The manual says that the referenced columns must have a primary key or unique constraint declared WITHOUT OVERLAPS.
# PostgreSQL looks for an exclusion constraint on the same columns, whatever its operators, and takes the one that was
# created first:
#
#   1. If an EXCLUDE USING btree with equalities comes before the UNIQUE constraint, the foreign key fails: btree has no
#      operator for overlaps. If it comes after, the same foreign key is accepted. pg_dump writes constraints in the
#      order of their names, so the order after a restore may be another one.
#   2. A table whose only constraint is EXCLUDE (id WITH =, during WITH -|-), which lets periods overlap, is accepted.
#
# For spqtree's users: docs/ranges.md, foreign keys with PERIOD.
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
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';

const db = await PGlite.create({ extensions: { btree_gist } });
console.log((await db.query('SHOW server_version')).rows[0].server_version);
await db.exec('CREATE EXTENSION btree_gist');

const unique = 'UNIQUE (id, during WITHOUT OVERLAPS)';
const equal = 'EXCLUDE USING btree (id WITH =, during WITH =)';
const adjacent = 'EXCLUDE USING gist (id WITH =, during WITH -|-)';

for (const constraints of [`${unique}, ${equal}`, `${equal}, ${unique}`, adjacent]) {
  await db.exec(`CREATE TABLE room (id int, during tsrange, ${constraints})`);
  let result = 'accepted';
  try {
    await db.exec(`CREATE TABLE booking (room int, during tsrange,
      FOREIGN KEY (room, PERIOD during) REFERENCES room (id, PERIOD during))`);
  } catch (error) {
    result = `${error.code} ${error.message}`;
  }
  console.log(`${constraints}: ${result}`);
  if (constraints === adjacent) {
    await db.exec(`INSERT INTO room VALUES (1, '[2026-01-01,2026-02-01)'), (1, '[2026-01-15,2026-03-01)')`);
    console.log('two overlapping periods of one room: inserted');
  }
  await db.exec('DROP TABLE IF EXISTS booking, room');
}
JS

node run.mjs >seen
cat >expected <<'OUT'
18.7
UNIQUE (id, during WITHOUT OVERLAPS), EXCLUDE USING btree (id WITH =, during WITH =): accepted
EXCLUDE USING btree (id WITH =, during WITH =), UNIQUE (id, during WITHOUT OVERLAPS): 42704 could not identify an overlaps operator for foreign key
EXCLUDE USING gist (id WITH =, during WITH -|-): accepted
two overlapping periods of one room: inserted
OUT
cat seen
diff expected seen && echo 'as described'
