// Opens the map of scripts/demo-moving --web in headless Chromium, and checks that the page shows what
// the database says: an area is lit exactly while a vehicle is inside, and each vehicle is drawn at
// its place.
//
//	node session_web.js URL DEMO [PICTURES]     the database is that of PGHOST, PGUSER and PGDATABASE
//
// DEMO is the process group of scripts/demo-moving, which gets Ctrl-C at last.  Prints "ok" or "not ok"
// for each check, and ends with status 1 if one failed.  PICTURES is a directory for pictures of the
// page, wide and narrow, light and dark, to be looked at.
//
// Nothing is compared while vehicles drive: "Pause" has ended the last move when the button says so,
// and the page then only has to catch up, for which "until" waits.
'use strict';
const fs = require('fs');
const http = require('http');
const net = require('net');
const os = require('os');
const path = require('path');
const {spawn} = require('child_process');
const {Client} = require('pg');

const sleep = ms => new Promise(done => setTimeout(done, ms));

// Chromium's debugging protocol, over a pair of pipes: the browser reads from 3 and writes to 4.
class Browser {
  constructor() {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'session-web-'));
    this.process = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
      `--user-data-dir=${this.profile}`, '--remote-debugging-pipe', 'about:blank'], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
    this.process.on('error', e => end(`Chromium starts: ${e.message}`));
    this.process.on('exit', (code, signal) => end(`Chromium goes on: it ended with ${code ?? signal}`));
    this.number = 0;
    this.waiting = new Map();
    this.pages = new Map();
    let rest = '';
    this.process.stdio[4].setEncoding('utf8').on('data', piece => {
      const texts = (rest + piece).split('\0');
      rest = texts.pop();
      for (const m of texts.map(t => JSON.parse(t))) {
        if (m.id) this.waiting.get(m.id)(m);
        else this.pages.get(m.sessionId)?.happened(m.method, m.params);
      }
    });
  }

  call(method, params = {}, sessionId) {
    const id = ++this.number;
    return new Promise((done, failed) => {
      this.waiting.set(id, m => {
        this.waiting.delete(id);
        if (m.error) failed(new Error(`${method}: ${m.error.message}`)); else done(m.result);
      });
      this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
    });
  }

  async open(url) {
    // a window of its own: Chromium draws no hidden page
    const {targetId} = await this.call('Target.createTarget', {url: 'about:blank', newWindow: true});
    const page = new Page(this, (await this.call('Target.attachToTarget', {targetId, flatten: true})).sessionId);
    for (const domain of ['Page', 'Runtime', 'Log']) await page.call(domain + '.enable');
    await page.look(1280, 800, 'light');
    await page.load('Page.navigate', {url});
    return page;
  }

  close() {
    this.process.removeAllListeners('exit');
    return new Promise(done => {
      this.process.on('exit', done);
      this.process.kill();
    }).then(() => fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5}));
  }
}

class Page {
  constructor(browser, session) {
    this.browser = browser;
    this.session = session;
    this.errors = [];
    browser.pages.set(session, this);
  }

  call(method, params) { return this.browser.call(method, params, this.session); }

  happened(method, params) {
    if (method === 'Page.loadEventFired') this.loaded?.();
    else if (method === 'Runtime.exceptionThrown') this.errors.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
    else if (method === 'Log.entryAdded' && params.entry.level === 'error') this.errors.push(params.entry.text);
  }

  // Go to a page, and wait until it is there.
  async load(method, params) {
    const there = new Promise(done => { this.loaded = done; });
    await this.call(method, params);
    await there;
  }

  look(width, height, scheme) {
    return Promise.all([
      this.call('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: width < 600}),
      this.call('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: scheme}]})]);
  }

  async ask(expression) {
    const {result, exceptionDetails} = await this.call('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  text(id) { return this.ask(`document.getElementById('${id}').textContent`); }

  // what is on the screen: by the color, not by the page's own lists
  lit() {
    return this.ask(`(() => {
      const probe = document.createElement('div');
      probe.style.color = 'var(--lit)';
      document.body.append(probe);
      const color = getComputedStyle(probe).color;
      probe.remove();
      return [...document.querySelectorAll('path.area')].filter(a => getComputedStyle(a).fill === color).map(a => +a.dataset.id).sort((a, b) => a - b);
    })()`);
  }

  lost() { return this.ask(`document.getElementById('lost').getClientRects().length > 0`); }

  // The color of the canvas at places of the map, as "car", "car-in" or "none", else in numbers.
  colors(places) {
    return this.ask(`(() => {
      const canvas = document.getElementById('cars'), pen = canvas.getContext('2d'), r = canvas.getBoundingClientRect();
      const m = document.getElementById('map').getScreenCTM(), names = new Map([['0,0,0,0', 'none']]);
      for (const name of ['car', 'car-in']) {
        const hex = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
        names.set([1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16)) + ',255', name);
      }
      return ${JSON.stringify(places)}.map(([x, y]) => {
        const color = [...pen.getImageData(Math.floor(x * m.a + m.e - r.left), Math.floor(y * m.d + m.f - r.top), 1, 1).data].join();
        return names.get(color) || color;
      });
    })()`);
  }

  // pixels of the screen for each decimeter of the map
  scale() { return this.ask(`document.getElementById('map').getScreenCTM().a`); }

  async picture(file) {
    fs.writeFileSync(file, Buffer.from((await this.call('Page.captureScreenshot', {format: 'png'})).data, 'base64'));
  }
}

// A way to the server that can be cut, as of ssh -L.
class Way {
  constructor(port) {
    this.open = true;
    this.sockets = new Set();
    this.server = net.createServer(near => {
      if (!this.open) { near.destroy(); return; }
      const far = net.connect(port, '127.0.0.1');
      for (const [a, b] of [[near, far], [far, near]]) {
        this.sockets.add(a);
        a.on('error', () => {}).on('close', () => { this.sockets.delete(a); b.destroy(); }).pipe(b);
      }
    });
  }

  async url() {
    await new Promise(done => this.server.listen(0, '127.0.0.1', done));
    return `http://localhost:${this.server.address().port}/`;
  }

  cut() {
    this.open = false;
    for (const s of this.sockets) s.destroy();
  }
}

let failures = 0;
function is(got, wanted, name) {
  const same = JSON.stringify(got) === JSON.stringify(wanted);
  console.log(`${same ? 'ok' : 'not ok'} - web: ${name}`);
  if (!same) {
    failures++;
    console.log(`# got    ${JSON.stringify(got)}\n# wanted ${JSON.stringify(wanted)}`);
  }
}

function end(text) {
  console.log(`not ok - web: ${text}`);
  process.exit(1);
}

// Wait until the page shows what is wanted; return what it shows in the end.
async function until(show, wanted) {
  const longest = Date.now() + (failures ? 3000 : 20000);
  let shown;
  do {
    shown = await show();
    if (JSON.stringify(shown) === JSON.stringify(await wanted())) break;
    await sleep(50);
  } while (Date.now() < longest);
  return shown;
}

// The status of a request with these headers, which a page cannot set.
function status(url, method, headers) {
  return new Promise((done, failed) => {
    http.request(url, {method, headers}, r => { r.resume(); done(r.statusCode); }).on('error', failed).end();
  });
}

async function main() {
  const [url, demo, pictures] = process.argv.slice(2), browser = new Browser(), db = new Client();
  const column = async (sql, ...values) => (await db.query({text: sql, values, rowMode: 'array'})).rows.map(r => r[0]);
  const one = async (sql, ...values) => (await column(sql, ...values))[0];
  const occupied = () => column('SELECT DISTINCT fence FROM in_area ORDER BY fence');
  const move = (vehicle, area) => db.query('UPDATE vehicle SET pos = (SELECT center(box(area)) FROM area WHERE id = $2) WHERE id = $1', [vehicle, area]);
  const away = vehicle => db.query("UPDATE vehicle SET pos = '(0,0)' WHERE id = $1", [vehicle]);
  const outside = () => one('SELECT id FROM vehicle WHERE id NOT IN (SELECT object FROM in_area) ORDER BY id LIMIT 1');

  await db.connect();
  const port = Number(new URL(url).port), way = new Way(port);
  const page = await browser.open(await way.url()), other = await browser.open(url);
  // press the button unless its text, once the server has said it, is this one already
  const press = async text => {
    await until(() => page.ask(`'driving' in document.getElementById('drive').dataset`), () => true);
    await page.ask(`{ const b = document.getElementById('drive'); if (b.textContent !== '${text}') b.click(); }`);
    return until(() => page.text('drive'), () => text);
  };
  // number of times that the page has turned a light on or off
  const turned = () => page.ask('changes.filter(c => c[2] !== null).length');

  // Vehicles that are not drawn at their places, in the color of those inside or outside, and corners of
  // streets where a vehicle is drawn although none is near.
  const wrongDots = async () => {
    const near = 12 / await page.scale();
    const origin = `(SELECT min(x) AS west, max(y) AS north FROM node)`;
    const vehicles = (await db.query(`SELECT id, (pos[0] - west) * 10 AS x, (north - pos[1]) * 10 AS y,
      EXISTS (SELECT FROM in_area WHERE object = vehicle.id) AS inside FROM vehicle, ${origin} AS o ORDER BY id`)).rows;
    const corners = (await db.query(`SELECT (x - west) * 10 AS x, (north - y) * 10 AS y FROM node, ${origin} AS o WHERE number % 3 = 0`)).rows;
    const alone = p => !vehicles.some(v => v !== p && Math.abs(v.x - p.x) < near && Math.abs(v.y - p.y) < near);
    const dots = vehicles.filter(v => v.x > 0 && alone(v)), blanks = corners.filter(alone);
    if (dots.length < 50 || blanks.length < 50) return `only ${dots.length} dots and ${blanks.length} corners`;
    const shown = await page.colors([...dots, ...blanks].map(p => [p.x, p.y]));
    return [...dots, ...blanks].map((p, i) => [p.id ? `vehicle ${p.id}` : `corner ${p.x} ${p.y}`, shown[i], p.id ? p.inside ? 'car-in' : 'car' : 'none'])
      .filter(([, got, wanted]) => got !== wanted).slice(0, 5);
  };
  const newest = of => of.ask(`[...document.querySelectorAll('#events li')].slice(0, 8).map(l => l.className + ' ' + l.textContent.replace(/^[0-9:]+/, ''))`);
  const stopped = async () => {
    is(await press('Go on'), 'Go on', 'the button stops the vehicles');
    is(await until(() => column('SELECT count(*)::int FROM in_area_events'), () => [0]), [0], 'each event is taken from the log');
    is(await until(() => page.lit(), occupied), await occupied(), 'the lit areas are those of in_area');
    is(await until(() => other.lit(), occupied), await occupied(), 'those of a second page, too');
    is(await other.text('drive'), 'Go on', 'whose button says that they stand');
    is(await page.text('occupied'), `${(await occupied()).length} of 578`, 'their number');
    is(await until(wrongDots, () => []), [], 'each vehicle is drawn at its place, in the color of those inside or outside, and nothing elsewhere');
    is(await until(() => newest(page), () => newestEvents()), await newestEvents(), 'the list has the newest events of the log');
  };
  const newestEvents = () => column(`SELECT format('%s vehicle %s %ssarea %s', kind, object, kind, fence) FROM all_events ORDER BY id DESC LIMIT 8`);
  // each time that an area lit up or went out, as the events of the log say: from the pairs at the
  // event before which the page got its state
  const lightChanges = first => column(`
    WITH event AS (SELECT fence, id, CASE kind WHEN 'enter' THEN 1 ELSE -1 END AS n FROM all_events),
      step AS (SELECT e.fence, e.id, n, s.n0 + sum(n) OVER (PARTITION BY fence ORDER BY id) AS inside
        FROM event AS e, LATERAL (SELECT count(*) AS n0 FROM at_start WHERE fence = e.fence) AS s)
    SELECT json_build_array(fence, n = 1, id) FROM step
    WHERE id >= $1 AND (n = 1 AND inside = 1 OR n = -1 AND inside = 0) ORDER BY id`, first);

  is(await until(() => page.ask(`document.querySelectorAll('path.area').length`), () => 578), 578, 'the map has all areas');
  is(await until(() => page.text('vehicles'), () => '500'), '500', 'and all vehicles');
  is(await page.lost(), false, 'the connection is not said to be lost');
  await until(async () => (await newest(page)).length >= 8 && await turned() > 0, () => true);
  if (pictures) {
    for (const [name, width, height] of [['wide', 1280, 800], ['narrow', 390, 844]]) {
      for (const scheme of ['light', 'dark']) {
        await page.look(width, height, scheme);
        await sleep(700);
        await page.picture(`${pictures}/${name}-${scheme}.png`);
        is(await page.ask('document.documentElement.scrollWidth'), width, `no wider than the window: ${width} pixels, ${scheme}`);
      }
    }
    await page.look(1280, 800, 'light');
  }
  await stopped();
  is((await occupied()).length > 0, true, 'some areas are lit');

  // one vehicle into an area where nobody is, and in no other
  const empty = await one(`
    SELECT a.id FROM area AS a WHERE NOT EXISTS (SELECT FROM area AS b WHERE b.id <> a.id AND b.area && a.area)
      AND NOT EXISTS (SELECT FROM in_area WHERE fence = a.id) AND a.area @> center(box(a.area)) ORDER BY a.id LIMIT 1`);
  const vehicle = await outside(), before = await occupied(), seen = Number((await page.text('seen')).replace(/,/g, ''));
  await db.query('BEGIN');
  await move(vehicle, empty);
  await sleep(600);
  is(await page.lit(), before, 'no area lights up before COMMIT');
  await db.query('ROLLBACK');
  await sleep(600);
  is(await page.lit(), before, 'none after ROLLBACK');
  await move(vehicle, empty);
  const after = [...before, empty].sort((a, b) => a - b);
  is(await until(() => page.lit(), () => after), after, 'the area lights up when a vehicle has entered');
  is((await newest(page))[0], `enter vehicle ${vehicle} entersarea ${empty}`, 'the list of events has it first');
  is(await page.text('seen'), (seen + 1).toLocaleString('en'), 'the number of events is one more');
  is(await until(wrongDots, () => []), [], 'the vehicle is drawn there');
  // a second one: the area goes out when both have left
  const second = await outside();
  await db.query('UPDATE vehicle SET pos = (SELECT pos FROM vehicle WHERE id = $1) WHERE id = $2', [vehicle, second]);
  await away(vehicle);
  is(await until(async () => (await newest(page))[0], () => `leave vehicle ${vehicle} leavesarea ${empty}`), `leave vehicle ${vehicle} leavesarea ${empty}`,
    'the first one has left');
  await sleep(400);
  is(await page.lit(), after, 'the area stays lit while another one is inside');
  await away(second);
  is(await until(() => page.lit(), () => before), before, 'it goes out when the last one has left');
  // the area itself moves away
  const moved = before[0], without = before.slice(1);
  await db.query("UPDATE area SET area = '((9,9),(9,10),(10,10))' WHERE id = $1", [moved]);
  is(await until(() => page.lit(), () => without), without, 'an area that moves away from its vehicles goes out');
  // one that is not on the map: the events after its own are shown
  await db.query("INSERT INTO area VALUES (999999, '((0,0),(0,2),(2,2),(2,0))')");
  await db.query("UPDATE vehicle SET pos = '(1,1)' WHERE id = $1", [vehicle]);
  await move(second, empty);
  const known = [...without, empty].sort((a, b) => a - b);
  is(await until(() => page.lit(), () => known), known, 'events of an area that the map does not have do no harm');
  await db.query('DELETE FROM area WHERE id = 999999');

  const turnedBefore = await turned();
  is(await press('Pause'), 'Pause', 'the button lets them go on');
  is(await until(async () => await turned() > turnedBefore + 10, () => true), true, 'more than ten changes of light');
  await stopped();
  // the page's changes, with the event of each, against those computed from the log
  const changes = await page.ask('changes.filter(c => c[2] !== null)');
  is(changes, (await lightChanges(Number(changes[0][2]))).filter(c => c[0] !== 999999), 'each change of light, in order, is that of the log');
  is([...page.errors, ...other.errors], [], 'no error in the console');

  await page.load('Page.reload');
  is(await until(() => page.lit(), occupied), await occupied(), 'after reloading, the same areas are lit');

  // without a connection, events pass by
  const inside = await one('SELECT min(fence) FROM in_area');
  way.cut();
  is(await until(() => page.lost(), () => true), true, 'a lost connection is shown');
  await db.query("UPDATE area SET area = '((9,9),(9,10),(10,10))' WHERE id = $1", [inside]);
  await until(() => other.lit(), occupied);
  way.open = true;
  is(await until(() => page.lost(), () => false), false, 'it comes back by itself');
  is(await until(() => page.lit(), occupied), await occupied(), 'with the areas that are lit now');
  is((await occupied()).includes(inside), false, 'one of them went out meanwhile');

  is([await status(`${url}drive?on=1`, 'GET', {}), await status(`${url}drive?on=1`, 'POST', {Origin: 'http://example.org'}),
    await status(`${url}map`, 'GET', {Host: 'example.org'}), await status(`${url}map`, 'GET', {Host: `localhost:${port}`})], [404, 404, 403, 200],
  'GET, another site and another name change nothing');
  await sleep(600);
  is(await other.text('drive'), 'Go on', 'the vehicles still stand');

  // keys of this demo are numbers, but the page may be used for others
  await other.ask(`onEvents([{id: 0, kind: 'enter', vehicle: '<u>1</u>', area: '<u>2</u>', at: 0}])`);
  is([(await newest(other))[0], await other.ask(`document.querySelectorAll('#events u').length`)],
    ['enter vehicle <u>1</u> entersarea <u>2</u>', 0], 'a key with HTML is shown as text');

  await db.end();
  is(await page.lost(), false, 'the connection is there until the demo ends');
  process.kill(-Number(demo), 'SIGINT');
  is(await until(() => page.lost(), () => true), true, 'the page says that the demo has ended');
  await browser.close();
  process.exit(failures ? 1 : 0);
}

main().catch(e => end(e.message));
