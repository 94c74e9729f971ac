"""Turns the repository's documents into pages: see scripts/site."""
import html
import json
import os
import posixpath
import re

from mkdocs.exceptions import PluginError

LINK = re.compile(r'(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)')
FENCE = re.compile(r'^(?: {0,3})(```|~~~)')

ROW = re.compile(r'^\|.*\|')
GROUP = re.compile(r'^\*\*(.+)\*\*$')
HEADING = re.compile(r'^# (.+)$', re.M)

# A paragraph of links to parts of its own page.
CONTENTS = re.compile(r'^(?:\[[^\]]*\]\(#[^)]*\)[ \n]?·?[ \n]?){3,}$')

# Where users begin. The text of the button is the title of the page.
FIRST_PAGE = 'docs/five-minutes'

# Pages that the search does not find, and those that it puts behind others.
NOT_FOUND = re.compile(r'(src|test|bench|sql|data|packaging|postgis|docs/notes)/')
WEIGHTS = [(re.compile(pattern), weight) for pattern, weight in (
    (r'docs/(install|faq)\.html', 1.6), (r'docs/tuning\.html', 1.8), (r'docs/(reference|production|join|index)\.html', 1.2), (r'objects\.html', 0.5),
    (r'docs/(testing|glossary|support|how)\.html', 0.5), (r'CHANGELOG|CONTRIBUTING|SECURITY', 0.25), (r'docs/index\.html', 0.3))]


def page_path(path):
    """An index.md would be its folder's front page, in place of README.md: scripts/site renames it."""
    return re.sub(r'(^|/)index\.md$', r'\1indexes.md', path)


def read(top, path):
    with open(os.path.join(top, path), encoding='utf-8') as file:
        return file.read()


def add_folders(nav, top, listed):
    """Put the pages that no table lists below the README.md of a folder around them, if one is listed."""
    below = {}
    for folder, _, names in os.walk(top):
        for name in names:
            path = posixpath.relpath(posixpath.join(folder, name), top)
            if not name.endswith('.md') or path in listed:
                continue
            around = posixpath.dirname(path)
            while around and around + '/README.md' not in listed:
                around = posixpath.dirname(around)
            if around and around != 'docs':
                below.setdefault(around + '/README.md', []).append(path)
    for entry in nav:
        for title, pages in entry.items():
            if isinstance(pages, list):
                entry[title] = [{HEADING.search(read(top, page)).group(1): [page] + sorted(below[page])} if page in below
                                else page for page in pages]


def on_config(config):
    """Make the navigation of docs/README.md: a tab for each table, with the documents that it links to."""
    top = config['docs_dir']
    nav, listed = [{'Home': 'README.md'}], {'README.md', 'docs/README.md', 'objects.md'}
    for line in read(top, 'docs/README.md').split('\n'):
        group = GROUP.match(line)
        if group:
            nav.append({group.group(1): []})
        for _, target in LINK.findall(line) if ROW.match(line) else []:
            path = page_path(posixpath.normpath(posixpath.join('docs', target.partition('#')[0])))
            if os.path.isdir(os.path.join(top, path)):
                path += '/README.md'
            pages = next(iter(nav[-1].values()))
            pages.append(path)
            listed.add(path)
            if path == 'docs/reference.md':
                pages.append('objects.md')
    for folder in ('', 'docs'):
        for name in sorted(os.listdir(os.path.join(top, folder))):
            path = posixpath.join(folder, name)
            if name.endswith('.md') and path not in listed:
                raise PluginError('docs/README.md does not list ' + path)
    add_folders(nav, top, listed)
    config['nav'] = nav
    return config


def home(markdown, top):
    """The README as the first page: what it is, and one thing to do."""
    start = re.match(r'\s*# .+\n\n((?:.+\n)+)', markdown)
    title = HEADING.search(read(top, FIRST_PAGE + '.md')).group(1)
    return '%s{: .lead }\n\n[%s](%s.md){: .md-button .md-button--primary }\n{: .first }\n%s' % (
        start.group(0), title, FIRST_PAGE, markdown[start.end():])


def on_page_markdown(markdown, page, config, files):
    """Drop comments, which are for tests, and point links to pages."""
    known = {f.src_path for f in files}
    folder = posixpath.dirname(page.file.src_path)
    markdown = re.sub(r'<!--.*?-->', '', markdown, flags=re.S)

    def link(match):
        text, target = match.groups()
        path, _, anchor = target.partition('#')
        if not path or '://' in path or path.startswith('mailto:'):
            return match.group(0)
        path = page_path(posixpath.normpath(posixpath.join(folder, path)))
        if path + '/README.md' in known:
            path += '/README.md'
        if path not in known:  # a file of the source tree, which the site does not have
            if not os.path.exists(os.path.join(os.environ['SOURCE'], path)):
                raise PluginError('%s: there is no %s' % (page.file.src_path, path))
            return text
        return '[%s](%s%s)' % (text, posixpath.relpath(path, folder or '.'), '#' + anchor if anchor else '')

    # outside of fenced blocks; the text of a link may go over the end of a line
    parts, plain, fenced = [], [], False

    def end_plain():
        paragraphs = '\n'.join(plain).split('\n\n') if plain else []
        paragraphs = [p + '\n{: .contents }' if CONTENTS.match(p.strip()) else p for p in paragraphs]
        parts.append(LINK.sub(link, '\n\n'.join(paragraphs)) if plain else None)
        plain.clear()

    if page.file.src_path == 'README.md':
        page.meta['hide'] = ['navigation', 'toc']
        markdown = home(markdown, config['docs_dir'])
    for line in markdown.split('\n'):
        fence = FENCE.match(line)
        if fenced or fence:
            end_plain()
            parts.append(line)
            fenced = fenced != bool(fence)
        else:
            plain.append(line)
    end_plain()
    return '\n'.join(part for part in parts if part is not None)


PICTURE = re.compile(r'<img alt="([^"]*)" src="([^"]+\.svg)" ?/?>')
VIEW = re.compile(r'<view id="([^"]+)" viewBox="\S+ \S+ (\S+) (\S+)"><title>([^<]*)</title>')
FIGURE = re.compile(r'<td>([\d.,]+ \([\d.]+–[\d.]+\))\s*</td>')
OUTPUT = re.compile(r'<div class="(language-text highlight|highlight)"><pre>(<span></span>)?<code>(.*?)</code></pre>', re.S)
RULE = re.compile(r'^(-[-+]+)$', re.M)
HEAD = re.compile(r'^( +)QUERY PLAN *\n', re.M)


def picture(match, top, folder):
    """A drawing in panels is one picture for each, so that they can go below each other; others can scroll."""
    alt, source = match.groups()
    views = VIEW.findall(read(top, posixpath.join(folder, source)))
    if not views:
        return '<span class="map">%s</span>' % match.group(0)
    return '<span class="panels" role="group" aria-label="%s">%s</span>' % (alt, ''.join(
        '<img alt="%s" src="%s#%s" style="aspect-ratio: %s / %s">' % (title, source, view, width, height)
        for view, width, height, title in views))


def output(match):
    """What psql prints: rows keep their columns, and the other lines wrap."""
    language, empty, code = match.groups()
    lines = html.unescape(re.sub(r'<[^>]*>', '', code)).split('\n')
    plan = any(line.lstrip().startswith('->  ') for line in lines)
    if HEAD.search(code):
        code = re.sub(r'^(-[-+]+)\n', r'<span class="rule">\1</span>', code, flags=re.M)
        code = HEAD.sub(r'<span class="rule"><span class="pad">\1</span>QUERY PLAN</span>', code)
        rows = ''
    elif any(RULE.match(line) for line in lines) or language == 'highlight' and not plan:
        rows = ' rows" style="--columns: %d' % max(map(len, lines))
    else:
        rows = ''
    return '<div class="%s%s"><pre>%s<code>%s</code></pre>' % (language, rows, empty or '', code)


def on_page_content(content, page, config, files):
    """Make pictures and output of psql fit a phone."""
    folder = posixpath.dirname(page.file.src_path)
    content = PICTURE.sub(lambda match: picture(match, config['docs_dir'], folder), content)
    content = FIGURE.sub(r'<td><span class="figure">\1</span></td>', content)
    return OUTPUT.sub(output, content)


def on_post_build(config):
    """Write the sections that the search of theme/assets/site_search.js finds, from the plugin's index."""
    index = os.path.join(config['site_dir'], 'search', 'search_index.json')
    with open(index, encoding='utf-8') as file:
        sections = json.load(file)['docs']
    os.remove(index)
    titles, found = {}, []
    for section in sections:
        url, _, anchor = section['location'].partition('#')
        titles.setdefault(url, section['title'])
        # a page comes with the text of all of its sections, the first of which is its heading
        if NOT_FOUND.match(url) or not anchor:
            continue
        weight = next((weight for pattern, weight in WEIGHTS if pattern.match(url)), 1)
        found.append({'location': section['location'], 'title': section['title'], 'page': titles[url],
                      'text': re.sub(r'\s+', ' ', section['text']), 'weight': weight})
    with open(os.path.join(config['site_dir'], 'assets', 'search_index.js'), 'w', encoding='utf-8') as file:
        file.write('window.spqtree_sections = %s\n' % json.dumps(found, ensure_ascii=False))
