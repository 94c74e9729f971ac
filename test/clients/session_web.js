// Opens the map of scripts/demo-moving --web in headless Chromium, and checks that an area is lit
// exactly when the database says that a vehicle is in it.
//
//	node session_web.js URL [PICTURES]     the database is that of PGHOST, PGUSER and PGDATABASE
//
// Prints "ok" or "not ok" for each check.  PICTURES is a directory for pictures of the page, wide and
// narrow, light and dark, to be looked at.
'use strict';
const fs = require('fs');
const {spawn} = require('child_process');
const {Client} = require('pg');

// Chromium's debugging protocol, over a pair of pipes: the browser reads from 3 and writes to 4.
class Browser {
  constructor() {
    this.process = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
      '--remote-debugging-pipe', 'about:blank'], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
    this.process.on('error', e => { console.log(`not ok - Chromium starts: ${e.message}`); process.exit(1); });
    this.number = 0;
    this.waiting = new Map();
    this.errors = [];
    let rest = '';
    this.process.stdio[4].setEncoding('utf8').on('data', piece => {
      const texts = (rest + piece).split('\0');
      rest = texts.pop();
      for (const m of texts.map(t => JSON.parse(t))) {
        if (m.id) this.waiting.get(m.id)(m);
        else if (m.method === 'Runtime.exceptionThrown') this.errors.push(m.params.exceptionDetails.exception?.description || m.params.exceptionDetails.text);
        else if (m.method === 'Log.entryAdded' && m.params.entry.level === 'error') this.errors.push(m.params.entry.text);
      }
    });
  }

  call(method, params = {}) {
    const id = ++this.number;
    return new Promise((done, failed) => {
      this.waiting.set(id, m => m.error ? failed(new Error(`${method}: ${m.error.message}`)) : done(m.result));
      this.process.stdio[3].write(JSON.stringify({id, method, params, ...(this.session && {sessionId: this.session})}) + '\0');
    });
  }

  async open(url) {
    const {targetId} = await this.call('Target.createTarget', {url: 'about:blank'});
    this.session = (await this.call('Target.attachToTarget', {targetId, flatten: true})).sessionId;
    for (const domain of ['Page', 'Runtime', 'Log']) await this.call(domain + '.enable');
    await this.look(1280, 800, 'light');
    await this.call('Page.navigate', {url});
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

  async picture(file) {
    fs.writeFileSync(file, Buffer.from((await this.call('Page.captureScreenshot', {format: 'png'})).data, 'base64'));
  }
}

const sleep = ms => new Promise(done => setTimeout(done, ms));
let failures = 0;
function is(got, wanted, name) {
  const same = JSON.stringify(got) === JSON.stringify(wanted);
  console.log(`${same ? 'ok' : 'not ok'} - web: ${name}`);
  if (!same) {
    failures++;
    console.log(`# got    ${JSON.stringify(got)}\n# wanted ${JSON.stringify(wanted)}`);
  }
}

// Wait until the page shows what is wanted; return what it shows in the end.
async function until(show, wanted) {
  let shown;
  for (let i = 0; i < 100; i++) {
    shown = await show();
    if (JSON.stringify(shown) === JSON.stringify(await wanted())) break;
    await sleep(100);
  }
  return shown;
}

async function main() {
  const [url, pictures] = process.argv.slice(2), browser = new Browser(), db = new Client();
  const column = async (sql, ...values) => (await db.query({text: sql, values, rowMode: 'array'})).rows.map(r => r[0]);
  const occupied = () => column('SELECT DISTINCT fence FROM in_area ORDER BY fence');
  // what is on the screen: by the color, not by the page's own lists
  const lit = () => browser.ask(`(() => {
    const probe = document.createElement('div');
    probe.style.color = 'var(--lit)';
    document.body.append(probe);
    const color = getComputedStyle(probe).color;
    probe.remove();
    return [...document.querySelectorAll('path.area')].filter(a => getComputedStyle(a).fill === color).map(a => +a.dataset.id).sort((a, b) => a - b);
  })()`);
  // press the button unless its text, once the server has said it, is this one already
  const press = async text => {
    await until(() => browser.ask(`'driving' in document.getElementById('drive').dataset`), () => true);
    await browser.ask(`{ const b = document.getElementById('drive'); if (b.textContent !== '${text}') b.click(); }`);
    return until(() => browser.ask(`document.getElementById('drive').textContent`), () => text);
  };
  // events that the page has shown, when all are taken from the log
  const stopped = async () => {
    is(await press('Go on'), 'Go on', 'the button stops the vehicles');
    is(await until(lit, occupied), await occupied(), 'the lit areas are those of in_area');
    is(await column('SELECT count(*)::int FROM in_area_events'), [0], 'each event was taken from the log');
  };
  // each time that an area lit up or went out, as the events of the log say: from the pairs at the
  // event before which the page got its state
  const lightChanges = first => column(`
    WITH event AS (SELECT fence, id, CASE kind WHEN 'enter' THEN 1 ELSE -1 END AS n FROM all_events),
      step AS (SELECT e.fence, e.id, n, s.n0 + sum(n) OVER (PARTITION BY fence ORDER BY id) AS inside
        FROM event AS e, LATERAL (SELECT count(*) AS n0 FROM at_start WHERE fence = e.fence) AS s)
    SELECT json_build_array(fence, n = 1, id) FROM step
    WHERE id >= $1 AND (n = 1 AND inside = 1 OR n = -1 AND inside = 0) ORDER BY id`, first);

  await db.connect();
  await browser.open(url);
  is(await until(() => browser.ask(`document.querySelectorAll('path.area').length`), async () => 578), 578, 'the map has all areas');
  await sleep(3000);
  if (pictures) {
    for (const [name, width, height] of [['wide', 1280, 800], ['narrow', 390, 844]]) {
      for (const scheme of ['light', 'dark']) {
        await browser.look(width, height, scheme);
        await sleep(700);
        await browser.picture(`${pictures}/${name}-${scheme}.png`);
        is(await browser.ask('document.documentElement.scrollWidth'), width, `no wider than the window: ${width} pixels, ${scheme}`);
      }
    }
    await browser.look(1280, 800, 'light');
  }
  await stopped();
  is((await occupied()).length > 0, true, 'some areas are lit');

  // one vehicle into an area where nobody is, and in no other
  const [empty] = await column(`
    SELECT a.id FROM area AS a WHERE NOT EXISTS (SELECT FROM area AS b WHERE b.id <> a.id AND b.area && a.area)
      AND NOT EXISTS (SELECT FROM in_area WHERE fence = a.id) AND a.area @> center(box(a.area)) ORDER BY a.id LIMIT 1`);
  const [vehicle] = await column('SELECT id FROM vehicle WHERE id NOT IN (SELECT object FROM in_area) ORDER BY id LIMIT 1');
  const before = await occupied();
  await db.query('BEGIN');
  await db.query('UPDATE vehicle SET pos = (SELECT center(box(area)) FROM area WHERE id = $1) WHERE id = $2', [empty, vehicle]);
  await sleep(1000);
  is(await lit(), before, 'no area lights up before COMMIT');
  await db.query('ROLLBACK');
  await sleep(500);
  is(await lit(), before, 'none after ROLLBACK');
  await db.query('UPDATE vehicle SET pos = (SELECT center(box(area)) FROM area WHERE id = $1) WHERE id = $2', [empty, vehicle]);
  const after = [...before, empty].sort((a, b) => a - b);
  is(await until(lit, () => after), after, 'the area lights up when a vehicle has entered');
  is(await browser.ask(`document.querySelector('#events li').textContent.replace(/^[0-9:]+/, '')`), `vehicle ${vehicle} entersarea ${empty}`,
    'the list of events has it first');
  // a second one: the area goes out when both have left
  const [second] = await column('SELECT id FROM vehicle WHERE id NOT IN (SELECT object FROM in_area) ORDER BY id LIMIT 1');
  await db.query('UPDATE vehicle SET pos = (SELECT pos FROM vehicle WHERE id = $1) WHERE id = $2', [vehicle, second]);
  await db.query("UPDATE vehicle SET pos = '(0,0)' WHERE id = $1", [vehicle]);
  await until(() => browser.ask(`document.querySelector('#events li').className`), () => 'leave');
  is(await lit(), after, 'the area stays lit while another one is inside');
  await db.query("UPDATE vehicle SET pos = '(0,0)' WHERE id = $1", [second]);
  is(await until(lit, () => before), before, 'it goes out when the last one has left');
  // the area itself moves away
  const [moved] = await column('SELECT min(fence) FROM in_area');
  await db.query("UPDATE area SET area = '((9,9),(9,10),(10,10))' WHERE id = $1", [moved]);
  const without = before.filter(a => a !== moved);
  is(await until(lit, () => without), without, 'an area that moves away from its vehicles goes out');

  is(await press('Pause'), 'Pause', 'the button lets them go on');
  await sleep(3000);
  await stopped();
  // the page's changes, with the event of each, against those computed from the log
  const changes = await browser.ask('changes.filter(c => c[2] !== null)');
  const wanted = await lightChanges(Number(changes[0][2]));
  is(changes, wanted, 'each change of light, in order, is that of the log');
  is(changes.length > 10, true, 'there were more than ten');
  is(browser.errors, [], 'no error in the console');

  await browser.call('Page.reload');
  await sleep(1000);
  is(await until(lit, occupied), await occupied(), 'after reloading, the same areas are lit');
  is(await browser.ask(`fetch('/drive?on=1').then(r => r.status)`), 404, 'GET changes nothing');
  await db.end();
  browser.process.kill();
  process.exit(failures ? 1 : 0);
}

main().catch(e => {
  console.log(`not ok - web: ${e.message}`);
  process.exit(1);
});
