// The join of two tables of boxes by DuckDB, in one thread.
//
//     node duckdb.mjs MODULES LEFT RIGHT
//
// MODULES is the directory with node_modules/@duckdb/node-api; LEFT and RIGHT are
// files with lines lx,ly,hx,hy. DuckDB compares exactly. Of more than a thousand rows it
// makes an IE_JOIN, the join by inequalities of Khayyat et al. ("Lightning Fast and Space
// Efficient Inequality Joins", VLDB 2015). Prints milliseconds of elapsed time, pairs,
// DuckDB's version and the join in its plan. Reading the files is not measured.
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
const [operator] = plan.match(/\w+_JOIN/);
const start = performance.now();
const [[pairs]] = await values(join);
const ms = performance.now() - start;
const [[version]] = await values('SELECT version()');
console.log(`${ms.toFixed(3)} ${pairs} ${version} ${operator}`);
