"""Turns the repository's documents into pages: see scripts/site."""
import os
import posixpath
import re

from mkdocs.exceptions import PluginError

LINK = re.compile(r'(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)')
FENCE = re.compile(r'^(?: {0,3})(```|~~~)')

ROW = re.compile(r'^\|.*\|')
GROUP = re.compile(r'^\*\*(.+)\*\*$')


def on_config(config):
    """Make the navigation of docs/README.md: a tab for each table, with the documents that it links to."""
    top = config['docs_dir']
    nav, listed = [{'Home': 'README.md'}], {'README.md', 'docs/README.md'}
    with open(os.path.join(top, 'docs/README.md'), encoding='utf-8') as file:
        for line in file:
            group = GROUP.match(line)
            if group:
                nav.append({group.group(1): []})
            for _, target in LINK.findall(line) if ROW.match(line) else []:
                path = posixpath.normpath(posixpath.join('docs', target.partition('#')[0]))
                path = re.sub(r'(^|/)index\.md$', r'\1indexes.md', path)
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
            if name.endswith('.md') and path not in listed | {'objects.md'}:
                raise PluginError('docs/README.md does not list ' + path)
    config['nav'] = nav
    return config


def on_page_markdown(markdown, page, config, files):
    """Drop comments, which are for tests, and point links to pages."""
    known = {f.src_path for f in files}
    folder = posixpath.dirname(page.file.src_path)

    def link(match):
        text, target = match.groups()
        path, _, anchor = target.partition('#')
        if not path or '://' in path or path.startswith('mailto:'):
            return match.group(0)
        path = posixpath.normpath(posixpath.join(folder, path))
        # an index.md would be its folder's front page, in place of README.md: scripts/site renames it
        path = re.sub(r'(^|/)index\.md$', r'\1indexes.md', path)
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
        parts.append(LINK.sub(link, '\n'.join(plain)) if plain else None)
        plain.clear()

    for line in re.sub(r'<!--.*?-->', '', markdown, flags=re.S).split('\n'):
        fence = FENCE.match(line)
        if fenced or fence:
            end_plain()
            parts.append(line)
            fenced = fenced != bool(fence)
        else:
            plain.append(line)
    end_plain()
    return '\n'.join(part for part in parts if part is not None)
