// Windows, nearest boxes and joins by libraries of npm, in one thread.
//
//     node javascript.mjs MODULES LIBRARY version
//     node javascript.mjs MODULES LIBRARY windows BOXES WINDOWS
//     node javascript.mjs MODULES LIBRARY nearest BOXES POINTS K
//     node javascript.mjs MODULES LIBRARY join LEFT RIGHT
//
// MODULES is the directory with node_modules/LIBRARY: flatbush, rbush, kdbush (of points) or
// box-intersect (only joins). Files have lines lx,ly,hx,hy; a point is its first two numbers. All
// four compute with doubles here, and boxes that touch overlap. As tasks.hpp, "windows" widens the
// windows by PostgreSQL's tolerance, but not of points, which PostgreSQL compares exactly; "join"
// compares exactly, as duckdb.mjs.
//
// "windows" and "nearest" print milliseconds of processor time to build the index and to search it,
// and what was found; "nearest" also the sum of distances. Both search once to warm up, for the
// compiler of JavaScript. "join" prints milliseconds of elapsed time of building and searching,
// pairs and the version. Reading files, and making the arrays or objects that the library takes, is
// not measured.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const EPSILON = 1e-6;
const [modules, library, task, ...files] = process.argv.slice(2);
const folder = join(modules, 'node_modules', library);
const { version } = JSON.parse(readFileSync(join(folder, 'package.json')));

const read = (path) => readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => line.split(',').map(Number));

// What to give to the library, how to make its index, how many a window meets, and the numbers of
// the boxes nearest to a point.
const packed = (Index) => (boxes) => {
	const index = new Index(boxes.length);
	for (const box of boxes) {
		index.add(...box);
	}
	index.finish();
	return index;
};
const asObject = ([minX, minY, maxX, maxY]) => ({ minX, minY, maxX, maxY });
const libraries = {
	flatbush: (Index) => ({
		slack: EPSILON,
		build: packed(Index),
		count: (index, [lx, ly, hx, hy]) => index.search(lx, ly, hx, hy).length,
		nearest: (index, [x, y], k) => index.neighbors(x, y, k),
	}),
	rbush: (Index) => ({
		slack: EPSILON,
		item: asObject,
		window: asObject,
		build: (items) => new Index().load(items),
		count: (index, window) => index.search(window).length,
	}),
	kdbush: (Index) => ({
		slack: 0,
		item: ([x, y]) => [x, y],
		build: packed(Index),
		count: (index, [lx, ly, hx, hy]) => index.range(lx, ly, hx, hy).length,
	}),
	'box-intersect': (intersect) => ({ intersect }),
};
const { item = (box) => box, window = (box) => box, ...by } =
	libraries[library]((await import(join(folder, 'index.js'))).default);

const widened = (slack) => ([lx, ly, hx, hy]) => [lx - slack, ly - slack, hx + slack, hy + slack];

const elapsed = () => performance.now();
const processor = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
};
const timed = (run, clock = processor) => {
	const start = clock();
	const result = run();
	return [clock() - start, result];
};

const pairs = (index, windows) => {
	let found = 0;
	for (const one of windows) {
		found += by.count(index, one);
	}
	return found;
};

const distance = ([x, y], [lx, ly, hx, hy]) =>
	Math.hypot(Math.max(lx - x, x - hx, 0), Math.max(ly - y, y - hy, 0));

const tasks = {
	version: () => [version],
	windows: (boxes, queries) => {
		const items = read(boxes).map(item);
		const windows = read(queries).map(widened(by.slack)).map(window);
		const [built, index] = timed(() => by.build(items));
		pairs(index, windows);
		const [ms, found] = timed(() => pairs(index, windows));
		return [built.toFixed(3), ms.toFixed(3), found];
	},
	nearest: (path, queries, k) => {
		const boxes = read(path), points = read(queries);
		const [built, index] = timed(() => by.build(boxes));
		const search = () => points.map((p) => by.nearest(index, p, Number(k)));
		search();
		const [ms, found] = timed(search);
		let number = 0, sum = 0;
		found.forEach((near, i) => near.forEach((at) => {
			number++;
			sum += distance(points[i], boxes[at]);
		}));
		return [built.toFixed(3), ms.toFixed(3), number, sum.toFixed(2)];
	},
	// without an index to search, by both sides; else the right side is indexed
	join: (left, right) => {
		const [l, r] = [left, right].map(read);
		const [ms, found] = by.intersect ? timed(() => {
			let number = 0;
			by.intersect(l, r, () => {
				number++;
			});
			return number;
		}, elapsed) : timed(() => pairs(by.build(r), l), elapsed);
		return [ms.toFixed(3), found, version];
	},
};
console.log(tasks[task](...files).join(' '));
