"""Prints a page of all objects of the extensions, from the COMMENT ON of their scripts.

usage: objects.py SCRIPT...
"""
import os
import re
import sys

KINDS = ['FUNCTION', 'AGGREGATE', 'OPERATOR', 'TYPE', 'CAST', 'ACCESS METHOD', 'OPERATOR CLASS', 'OPERATOR FAMILY', 'VIEW']
TITLES = {'FUNCTION': 'Functions', 'AGGREGATE': 'Aggregates', 'OPERATOR': 'Operators', 'TYPE': 'Types', 'CAST': 'Casts',
          'ACCESS METHOD': 'Access methods', 'OPERATOR CLASS': 'Operator classes',
          'OPERATOR FAMILY': 'Operator families', 'VIEW': 'Views'}
# the longest first: OPERATOR CLASS is no OPERATOR
COMMENT = re.compile(r"COMMENT ON (%s) ((?:[^']|\n)+?)\s+IS\s+'((?:[^']|'')*)';" % '|'.join(sorted(KINDS, key=len, reverse=True)))
# what operators and classes are made of, which nobody calls by name
PARTS = re.compile(r'^(implementation of|.*support function|.*operator class|planner support|I/O)|^SP-GiST|^access method')


def escape(text):
    return text.replace("''", "'").replace('|', '\\|').replace('<', '&lt;').replace('\n', ' ')


print('# All objects\n\nThis page is made from the comments of the objects, which `\\dx+` and `\\df+` show. '
      'The [reference](docs/reference.md) explains them.\n')
for path in sys.argv[1:]:
    with open(path, encoding='utf-8') as file:
        script = file.read()
    found = COMMENT.findall(script)
    if len(found) != script.count('COMMENT ON '):
        sys.exit('%s: %d of its %d comments can be read' % (path, len(found), script.count('COMMENT ON ')))
    name = os.path.basename(path).split('--')[0]
    print('## Extension %s\n' % name)
    for kind in KINDS:
        rows = [(what, text) for k, what, text in found
                if k == kind and not (kind == 'FUNCTION' and PARTS.match(text))]
        if rows:
            print('### %s of %s\n\n| %s | |\n| --- | --- |' % (TITLES[kind], name, kind.lower()))
            for what, text in rows:
                print('| `%s` | %s |' % (re.sub(r'\s+', ' ', what).replace('|', '\\|'), escape(text)))
            print()
