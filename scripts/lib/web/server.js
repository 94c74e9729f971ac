// The server of scripts/demo-moving --web: drives the vehicles, listens to the watch, and sends what
// happens to browsers.
//
//	node server.js PORT        the database is that of PGHOST, PGUSER and PGDATABASE
//
//	GET  /         the page
//	GET  /map      streets and areas, once
//	GET  /stream   server-sent events: "state" first, then "frame" and "events"
//	POST /drive    ?on=0 stops the vehicles, ?on=1 lets them go on
//
// Invariant: "inside" is what in_area held after the events in table shown. Events are taken by
// DELETE ... RETURNING, never by "id greater than the last": transactions commit in any order.
'use strict';
const fs = require('fs');
const http = require('http');
const path = require('path');
const {Client} = require('pg');

const TICK = 250; // ms between frames, each of one second of driving
const BEHIND = 1 << 20; // bytes that a browser may be behind, about half a minute
const page = fs.readFileSync(path.join(__dirname, 'map.html'));

const browsers = new Set();
const inside = new Map(); // area -> Set of vehicles
let map, box, driving = true, moving = Promise.resolve();
const drives = {number: 0, ms: 0};

const driver = new Client(), listener = new Client();

// Return the position in whole decimeters from the map's upper left corner.
const at = (x, y) => [Math.round((x - box.west) * 10), Math.round((box.north - y) * 10)];

async function readMap() {
  box = (await driver.query('SELECT min(x) AS west, max(x) AS east, min(y) AS south, max(y) AS north FROM node')).rows[0];
  const streets = new Map();
  for (const n of (await driver.query('SELECT street, x, y FROM node ORDER BY street, number')).rows) {
    if (!streets.has(n.street)) streets.set(n.street, []);
    streets.get(n.street).push(...at(n.x, n.y));
  }
  // node-pg reads points, but not polygons
  const areas = (await driver.query('SELECT id, area::text AS area FROM area ORDER BY area(box(area)) DESC')).rows.map(a => {
    const numbers = a.area.match(/-?[0-9.]+(?:e[+-]?[0-9]+)?/g).map(Number), ring = [];
    for (let i = 0; i < numbers.length; i += 2) ring.push(...at(numbers[i], numbers[i + 1]));
    return {id: a.id, ring};
  });
  map = JSON.stringify({width: at(box.east, 0)[0], height: at(0, box.south)[1], streets: [...streets.values()], areas, tick: TICK});
}

// Events before this snapshot are in the pairs of this snapshot.
async function readPairs() {
  const pairs = await listener.query('WITH before AS (DELETE FROM in_area_events RETURNING *),'
    + ' kept AS (INSERT INTO shown SELECT * FROM before) SELECT object, fence FROM in_area');
  for (const {object, fence} of pairs.rows) enter(fence, object);
}

function enter(area, vehicle) {
  if (!inside.has(area)) inside.set(area, new Set());
  inside.get(area).add(vehicle);
}

function leave(area, vehicle) {
  inside.get(area)?.delete(vehicle);
  if (!inside.get(area)?.size) inside.delete(area);
}

const message = (name, data) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

// A browser that does not read, such as one asleep, is cut off. It connects again by itself.
function send(name, data) {
  const text = message(name, data);
  for (const b of browsers) {
    if (b.writableLength > BEHIND) b.destroy();
    else b.write(text);
  }
}

// Take the events that are committed, and send them: one at a time, and once more if a notification
// arrived meanwhile.
let taking = false, again = false;
async function takeEvents() {
  if (taking) { again = true; return; }
  taking = true;
  do {
    again = false;
    const taken = await listener.query('WITH taken AS (DELETE FROM in_area_events RETURNING *)'
      + ' INSERT INTO shown SELECT * FROM taken RETURNING id, kind, object, fence, at');
    const events = taken.rows.sort((a, b) => a.id - b.id).map(e => {
      (e.kind === 'enter' ? enter : leave)(e.fence, e.object);
      return {id: Number(e.id), kind: e.kind, vehicle: e.object, area: e.fence, at: e.at};
    });
    if (events.length) send('events', events);
  } while (again);
  taking = false;
}

// "at" is "x y x y ..." in the order of the vehicles' keys.
let last = null;
async function sendFrame() {
  const rows = (await driver.query('SELECT id, pos[0] AS x, pos[1] AS y FROM vehicle ORDER BY id')).rows;
  const ids = rows.map(r => r.id), places = rows.flatMap(r => at(r.x, r.y));
  last = {ids, at: places, ...summary()};
  send('frame', last);
}

function summary() {
  return {driving, ms: drives.number ? drives.ms / drives.number : 0};
}

async function frame() {
  const started = process.hrtime.bigint();
  if (driving) {
    await (moving = driver.query('SELECT drive()'));
    drives.number++;
    drives.ms += Number(process.hrtime.bigint() - started) / 1e6;
  }
  // also of vehicles that somebody else moves
  await sendFrame();
  setTimeout(() => frame().catch(fail), Math.max(0, TICK - Number(process.hrtime.bigint() - started) / 1e6));
}

function fail(error) {
  console.error(`${error}`);
  process.exit(1);
}

// A page of another site may not steer the vehicles.
function sameOrigin(request) {
  const {origin, host} = request.headers;
  return !origin || origin === `http://${host}`;
}

function answer(request, response) {
  const url = new URL(request.url, 'http://localhost');
  // Pages of other sites must not reach the server by a name of theirs.
  const host = (request.headers.host || '').replace(/:\d+$/, '');
  if (host !== 'localhost' && host !== '127.0.0.1') {
    response.writeHead(403).end('only as localhost\n');
  } else if (request.method === 'GET' && url.pathname === '/') {
    response.writeHead(200, {'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'self' 'unsafe-inline'; img-src data:"}).end(page);
  } else if (request.method === 'GET' && url.pathname === '/map') {
    response.writeHead(200, {'Content-Type': 'application/json'}).end(map);
  } else if (request.method === 'GET' && url.pathname === '/stream') {
    response.writeHead(200, {'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store'});
    response.write('retry: 1000\n\n');
    response.write(message('state', [...inside].map(([area, vehicles]) => [area, [...vehicles]])));
    if (last) response.write(message('frame', last));
    browsers.add(response);
    response.on('close', () => browsers.delete(response));
  } else if (request.method === 'POST' && url.pathname === '/drive' && sameOrigin(request)) {
    driving = url.searchParams.get('on') === '1';
    // the vehicles stand when the move on its way is committed
    moving.then(() => {
      if (last) send('frame', Object.assign(last, summary()));
      response.writeHead(204).end();
    }, () => {});
  } else {
    response.writeHead(404).end('not found\n');
  }
}

async function main() {
  for (const c of [driver, listener]) {
    c.on('error', fail);
    await c.connect();
  }
  await readMap();
  listener.on('notification', () => takeEvents().catch(fail));
  await listener.query('LISTEN moving');
  await readPairs();
  await sendFrame();
  const server = http.createServer(answer);
  server.on('error', fail);
  server.listen(Number(process.argv[2]), '127.0.0.1', () => {
    console.log(`http://localhost:${server.address().port}/`);
    frame().catch(fail);
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(0));
main().catch(fail);
