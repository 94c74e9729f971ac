"""Checks the links of a site: each page, picture and anchor that a page names must be there.

usage: links.py DIRECTORY
"""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links = set(), []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ('id', 'name') and value:
                self.ids.add(value)
            elif name in ('href', 'src') and value and tag != 'link':
                self.links.append(value)


top = os.path.abspath(sys.argv[1])
pages = {}
for folder, _, names in os.walk(top):
    for name in names:
        if name.endswith('.html'):
            path = os.path.join(folder, name)
            pages[path] = Page()
            with open(path, encoding='utf-8') as file:
                pages[path].feed(file.read())

bad = 0
checked = 0
for path, page in sorted(pages.items()):
    if os.path.basename(path) == '404.html':  # its links are absolute
        continue
    for link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        checked += 1
        target = path if not parts.path else os.path.normpath(
            os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path)))
        if os.path.isdir(target):
            target = os.path.join(target, 'index.html')
        anchor = urllib.parse.unquote(parts.fragment)
        if not os.path.exists(target):
            problem = 'no such page'
        elif anchor and target in pages and anchor not in pages[target].ids and anchor != '__skip':
            problem = 'no such anchor'
        else:
            continue
        bad += 1
        print('%s: %s: %s' % (os.path.relpath(path, top), link, problem))
print('%d pages, %d links, %d of them broken' % (len(pages), checked, bad))
sys.exit(bad > 0)
