"""Turns the repository's documents into pages: see scripts/site."""
import os
import posixpath
import re

LINK = re.compile(r'(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)')
FENCE = re.compile(r'^(?: {0,3})(```|~~~)')


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
            return text
        return '[%s](%s%s)' % (text, posixpath.relpath(path, folder or '.'), '#' + anchor if anchor else '')

    lines, fenced = [], False
    for line in re.sub(r'<!--.*?-->', '', markdown, flags=re.S).split('\n'):
        if FENCE.match(line):
            fenced = not fenced
        lines.append(line if fenced else LINK.sub(link, line))
    return '\n'.join(lines)
