// The join of two tables of boxes by DuckDB, in one thread.
//
//     node duckdb.mjs MODULES LEFT RIGHT
//
// MODULES is the directory with node_modules/@duckdb/node-api; LEFT and RIGHT are
// files with lines lx,ly,hx,hy. DuckDB compares exactly; its plan must be IE_JOIN, the
// join by inequalities of Khayyat et al. ("Lightning Fast and Space Efficient Inequality
// Joins", VLDB 2015). Prints milliseconds of elapsed time, pairs, and DuckDB's version.
// Reading the files is not measured.
import { createRequire } from 'node:module';

const [modules, left, right] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${modules}/`)('@duckdb/node-api');
const db = await (await DuckDBInstance.create(':memory:')).connect();

const values = async (sql) => (await db.runAndReadAll(sql)).getRows();

const join = `SELECT count(*) FROM l JOIN r
	ON l.lx <= r.hx AND r.lx <= l.hx AND l.ly <= r.hy AND r.ly <= l.hy`;

await db.run('SET threads = 1');
for (const [name, file] of [['l', left], ['r', right]]) {
	await db.run(`CREATE TABLE ${name} AS FROM read_csv('${file}', header = false, columns =
		{'lx': 'DOUBLE', 'ly': 'DOUBLE', 'hx': 'DOUBLE', 'hy': 'DOUBLE'})`);
}
const plan = (await values(`EXPLAIN ${join}`)).flat().join('\n');
if (!plan.includes('IE_JOIN')) {
	console.error(`no IE_JOIN in the plan:\n${plan}`);
	process.exit(1);
}
const start = performance.now();
const [[pairs]] = await values(join);
const ms = performance.now() - start;
const [[version]] = await values('SELECT version()');
console.log(`${ms.toFixed(3)} ${pairs} ${version}`);
