"""Opens each page of a site in headless Chromium, at the width of a desktop and of a phone.

usage: site_look.py SITE PICTURES

Reports pages that are wider than the window, pictures that do not load, broken Markdown that is
shown as text, and errors in the console. Writes a picture of each page to PICTURES.
"""
import base64
import json
import os
import subprocess
import sys

WIDTHS = {'desk': 1280, 'phone': 390}
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
  for (const p of document.querySelectorAll('article p, article li, article td')) {
    const copy = p.cloneNode(true);
    copy.querySelectorAll('code, pre').forEach(e => e.remove());
    const text = copy.textContent;
    if (/\n(1\.|[-*]) \S/.test(text) || /^\s*\|.*\|\s*\n/m.test(text) ||
        /\*\*|```|\]\(|<!--/.test(text))
      problems.push('shown as text: ' + text.trim().slice(0, 100).replace(/\n/g, ' '));
  }
  return {problems, height: document.documentElement.scrollHeight};
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
    result = browser.call('Runtime.evaluate', session, expression=LOOK.replace('WIDTH', str(look.width)), returnByValue=True)['result']['value']
    problems = result['problems']
    for event in browser.events:
        if event.get('method') == 'Runtime.exceptionThrown':
            problems.append('exception: ' + str(event['params']['exceptionDetails'].get('text')))
        elif event.get('method') == 'Log.entryAdded' and event['params']['entry']['level'] == 'error':
            problems.append('console: ' + event['params']['entry']['text'])
    shot = browser.call('Page.captureScreenshot', session, format='jpeg', quality=70, captureBeyondViewport=True,
                        clip={'x': 0, 'y': 0, 'width': look.width, 'height': min(result['height'], 12000), 'scale': 1})
    with open(picture, 'wb') as file:
        file.write(base64.b64decode(shot['data']))
    return problems


def main():
    site, pictures = os.path.abspath(sys.argv[1]), sys.argv[2]
    pages = sorted(os.path.join(folder, name) for folder, _, names in os.walk(site) for name in names
                   if name.endswith('.html') and name != '404.html')
    browser = Browser()
    target = browser.call('Target.createTarget', url='about:blank')['targetId']
    session = browser.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
    for domain in ('Page', 'Runtime', 'Log'):
        browser.call(domain + '.enable', session)
    found = 0
    for kind, look.width in WIDTHS.items():
        os.makedirs(os.path.join(pictures, kind), exist_ok=True)
        browser.call('Emulation.setDeviceMetricsOverride', session, width=look.width, height=844, deviceScaleFactor=1,
                     mobile=kind == 'phone')
        for page in pages:
            name = os.path.relpath(page, site)[:-5]
            for problem in look(browser, session, page, os.path.join(pictures, kind, name.replace('/', '-') + '.jpg')):
                found += 1
                print('%s at %d pixels: %s' % (name, look.width, problem), flush=True)
    browser.call('Browser.close')
    print('%d pages at %s pixels, %d problems: pictures in %s' %
          (len(pages), ' and '.join(map(str, WIDTHS.values())), found, pictures))
    sys.exit(found > 0)


main()
