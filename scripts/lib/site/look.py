"""Opens each page of a site in headless Chromium, at the width of a desktop and of a phone.

usage: look.py SITE [PICTURES]

Reports pages that are wider than the window, code that is cut off, pictures that do not load or whose letters are
too small, tables with an empty head, contents that are there twice, pages without navigation, broken Markdown that
is shown as text, and errors in the console; a first page without one thing to do; and searches that do not find the
right page first. Writes a picture of each page to PICTURES; without it, leaves out pages for developers.
"""
import base64
import json
import os
import re
import subprocess
import sys
import time

WIDTHS = {'desk': 1280, 'phone': 390}
# In pixels, of the smallest letters of a drawing.
READABLE = 8.5
# What users look for, and the pages of which one must come first.
SEARCHES = {
    'preload': ['docs/install.html#load-the-library'],
    'permission denied': ['docs/faq.html#error-messages'],
    'hashjoin': ['docs/faq.html#why-is-there-no-spatial-hash-join', 'docs/reference.html#joins'],
    'progress': ['docs/indexes.html#monitoring-create-index'],
    'work_mem': ['docs/tuning.html#join'],
    'st_dwithin': ['docs/postgis.html#what-is-faster', 'docs/cheatsheet.html#join', 'docs/join.html#within-a-distance'],
    'uninstall': ['docs/install.html#uninstall'],
}
DEVELOPERS = re.compile(r'(src|test|bench|docs/notes)/')
# The list of documents, which is what the navigation is made from.
FREE = r'/\/docs\/index\.html$/'
# What a page reports about itself. Tables and code scroll within the page: only the page must not. A phone
# makes innerWidth as wide as the page, so WIDTH is put in.
LOOK = r'''(() => {
  const problems = [], wide = document.documentElement.scrollWidth;
  if (wide > WIDTH) {
    const out = [...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > WIDTH + 1
      && !e.closest('.md-typeset__scrollwrap, pre, .md-tabs, .md-sidebar'));
    problems.push('the page is ' + wide + ' pixels wide: ' + out.slice(0, 3).map(e => e.outerHTML.slice(0, 80)).join(' '));
  }
  for (const i of document.images)
    if (!i.complete || !i.naturalWidth) problems.push('no picture: ' + i.getAttribute('src'));
  const visible = e => e.checkVisibility() && e.getBoundingClientRect().right > 0;
  // rows of psql keep their columns, and may scroll on a phone
  for (const c of document.querySelectorAll('article pre > code'))
    if (c.scrollWidth > c.clientWidth + 1 && !(WIDTH < 600 && c.closest('.rows')))
      problems.push('code is cut off: ' + c.textContent.slice(0, 60).replace(/\n/g, ' '));
  for (const h of document.querySelectorAll('article thead'))
    if (!h.textContent.trim()) problems.push('the table has an empty head: ' + h.parentNode.textContent.trim().slice(0, 60));
  const contents = [...document.querySelectorAll('.contents')].filter(visible);
  const beside = [...document.querySelectorAll('.md-sidebar')].filter(visible);
  if (contents.length && beside.some(e => e.querySelector('nav.md-nav--secondary')))
    problems.push('contents are there twice');
  const listed = [...document.querySelectorAll('.md-sidebar a[href^="#"]')].map(a => a.getAttribute('href'));
  if (new Set(listed).size < listed.length) problems.push('the navigation has parts twice');
  if (!document.querySelector('.md-sidebar .md-nav__link--active, .lead') && !FREE.test(location.pathname))
    problems.push('the navigation does not have this page');
  const buttons = [...document.querySelectorAll('article .md-button')];
  if (document.querySelector('.lead') && (buttons.length != 1 || buttons[0].getBoundingClientRect().bottom > 844))
    problems.push('the first screen does not have one thing to do');
  for (const p of document.querySelectorAll('article p, article li, article td')) {
    const copy = p.cloneNode(true);
    copy.querySelectorAll('code, pre').forEach(e => e.remove());
    const text = copy.textContent;
    if (/\n(1\.|[-*]) \S/.test(text) || /^\s*\|.*\|\s*\n/m.test(text) ||
        /\*\*|```|\]\(|<!--/.test(text))
      problems.push('shown as text: ' + text.trim().slice(0, 100).replace(/\n/g, ' '));
  }
  const drawings = [...document.querySelectorAll('article img[src*=".svg"]')].map(i =>
    ({source: decodeURI(i.src.replace('file://', '')), width: i.getBoundingClientRect().width}));
  return {problems, drawings, height: document.documentElement.scrollHeight};
})()'''


class Browser:
    """Chromium's debugging protocol, over a pair of pipes."""

    def __init__(self):
        to_read, self.to = os.pipe()
        self.of, of_write = os.pipe()
        # the browser reads from 3 and writes to 4
        self.process = subprocess.Popen(
            ['bash', '-c', 'exec "$@" 3<&%d 4>&%d' % (to_read, of_write), '-', 'chromium', '--headless', '--no-sandbox',
             '--disable-gpu', '--hide-scrollbars', '--allow-file-access-from-files', '--remote-debugging-pipe', 'about:blank'],
            pass_fds=(to_read, of_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(of_write)
        self.rest, self.number, self.events = b'', 0, []

    def message(self):
        while b'\0' not in self.rest:
            piece = os.read(self.of, 1 << 20)
            if not piece:
                sys.exit('the browser ended')
            self.rest += piece
        text, self.rest = self.rest.split(b'\0', 1)
        return json.loads(text)

    def call(self, method, session=None, **params):
        self.number += 1
        request = {'id': self.number, 'method': method, 'params': params}
        if session:
            request['sessionId'] = session
        data = json.dumps(request).encode() + b'\0'
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.message()
            if answer.get('id') == self.number:
                if 'error' in answer:
                    sys.exit('%s: %s' % (method, answer['error']))
                return answer['result']
            self.events.append(answer)

    def wait(self, method):
        while True:
            for event in self.events:
                if event.get('method') == method:
                    return
            self.events.append(self.message())


def letters(source, width):
    """The size of the smallest letters of a drawing that is shown so wide, or of the panel of it that is."""
    path, _, view = source.partition('#')
    with open(path, encoding='utf-8') as file:
        text = file.read()
    box = re.search(r'<view id="%s" viewBox="([^"]+)"' % re.escape(view) if view else r'<svg\b[^>]*?viewBox="([^"]+)"', text)
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)', text)]
    return min(sizes, default=100) * width / float(box.group(1).split()[2])


def search(browser, session, site, query, pages):
    """What is wrong with what the search shows for a query, if anything."""
    browser.events = []
    browser.call('Page.navigate', session, url='file://%s/index.html?q=%s' % (site, query.replace(' ', '%20')))
    browser.wait('Page.loadEventFired')
    found = []
    for _ in range(100):
        found = browser.call('Runtime.evaluate', session, returnByValue=True, expression="""
            [...document.querySelectorAll('.md-search-result__link')].map(a => a.href)""")['result']['value']
        if found:
            break
        time.sleep(0.1)
    found = [re.sub(r'\?[^#]*', '', link.replace('file://%s/' % site, '')) for link in found]
    if not found or found[0] not in pages:
        return 'the search for "%s" finds first: %s' % (query, found[:3])
    if any(DEVELOPERS.match(link) for link in found):
        return 'the search for "%s" finds pages for developers: %s' % (query, found)
    return None


def look(browser, session, path, picture):
    """The problems of a page."""
    browser.events = []
    browser.call('Page.navigate', session, url='file://' + path)
    browser.wait('Page.loadEventFired')
    # pictures further down load only when they come into view
    browser.call('Runtime.evaluate', session, awaitPromise=True, expression='''(async () => {
        document.querySelectorAll('img').forEach(i => i.loading = 'eager');
        await Promise.race([Promise.all([...document.images].map(i => i.decode().catch(() => 0))), new Promise(r => setTimeout(r, 5000))]);
        await new Promise(r => setTimeout(r, 50));
    })()''')
    result = browser.call('Runtime.evaluate', session, expression=LOOK.replace('WIDTH', str(look.width)).replace('FREE', FREE),
                          returnByValue=True)['result']['value']
    problems = result['problems']
    for drawing in result['drawings']:
        size = letters(drawing['source'], drawing['width'])
        if size < READABLE:
            problems.append('letters of %.1f pixels: %s' % (size, os.path.basename(drawing['source'])))
    for event in browser.events:
        if event.get('method') == 'Runtime.exceptionThrown':
            problems.append('exception: ' + str(event['params']['exceptionDetails'].get('text')))
        elif event.get('method') == 'Log.entryAdded' and event['params']['entry']['level'] == 'error':
            problems.append('console: ' + event['params']['entry']['text'])
    if not picture:
        return problems
    shot = browser.call('Page.captureScreenshot', session, format='jpeg', quality=70, captureBeyondViewport=True,
                        clip={'x': 0, 'y': 0, 'width': look.width, 'height': min(result['height'], 12000), 'scale': 1})
    with open(picture, 'wb') as file:
        file.write(base64.b64decode(shot['data']))
    return problems


def main():
    site, pictures = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
    pages = sorted(os.path.join(folder, name) for folder, _, names in os.walk(site) for name in names
                   if name.endswith('.html') and name != '404.html'
                   and (pictures or not DEVELOPERS.match(os.path.relpath(os.path.join(folder, name), site))))
    browser = Browser()
    target = browser.call('Target.createTarget', url='about:blank')['targetId']
    session = browser.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
    for domain in ('Page', 'Runtime', 'Log'):
        browser.call(domain + '.enable', session)
    found = 0
    for kind, look.width in WIDTHS.items():
        if pictures:
            os.makedirs(os.path.join(pictures, kind), exist_ok=True)
        browser.call('Emulation.setDeviceMetricsOverride', session, width=look.width, height=844, deviceScaleFactor=1,
                     mobile=kind == 'phone')
        for page in pages:
            name = os.path.relpath(page, site)[:-5]
            picture = os.path.join(pictures, kind, name.replace('/', '-') + '.jpg') if pictures else None
            for problem in look(browser, session, page, picture):
                found += 1
                print('%s at %d pixels: %s' % (name, look.width, problem), flush=True)
        for query, wanted in SEARCHES.items():
            problem = search(browser, session, site, query, wanted)
            if problem:
                found += 1
                print('at %d pixels: %s' % (look.width, problem), flush=True)
    browser.call('Browser.close')
    print('%d pages and %d searches at %s pixels, %d problems%s' %
          (len(pages), len(SEARCHES), ' and '.join(map(str, WIDTHS.values())), found, ': pictures in ' + pictures if pictures else ''))
    sys.exit(found > 0)


main()
