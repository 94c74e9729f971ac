# Makes the script of an extension from its pieces (README.md):
#
#	awk -v templates=DIRECTORY[:DIRECTORY] -f expand.awk PIECE... >SCRIPT
#
# Lines of SQL are copied.  "@use" and "@each" put values into a template, whose lines are
# treated as those of a piece; so a template can use another, one level deeper:
#
#	@use TEMPLATE  name=value  ...
#
#	@each TEMPLATE  name=value  ...
#	name   name   ...
#	value  value  ...
#	@end
#
# Two spaces or more are between columns, one is part of a value.

FNR == 1 && NR > 1 { finish(); print "" }
{ treat($0, 0) }
END { finish() }

function treat(line, depth,    parts, n) {
	if (depth in table)
		row(line, depth)
	else if (line ~ /^@(use|each) /) {
		n = split(line, parts, /   */)
		sub(/^@[a-z]* /, "", parts[1])
		begin(parts, n, depth)
		if (line ~ /^@use /) {
			fill(depth)
			delete table[depth]
		}
	} else if (line ~ /^@/)
		fail("unknown: " line)
	else
		print line
}

# The template, and the values that are the same in each row.
function begin(parts, n, depth,    i, at) {
	load(parts[1])
	table[depth] = parts[1]
	header[depth] = 1
	for (i = 2; i <= n; i++) {
		at = index(parts[i], "=")
		name[depth, i - 1] = known_name(substr(parts[i], 1, at - 1), depth)
		value[depth, i - 1] = substr(parts[i], at + 1)
	}
	same[depth] = values[depth] = n - 1
}

# A line of a table: the names, the values, or the end.
function row(line, depth,    parts, n, i) {
	n = split(line, parts, /   */)
	if (line == "@end")
		delete table[depth]
	else if (header[depth]) {
		for (i = 1; i <= n; i++)
			name[depth, same[depth] + i] = known_name(parts[i], depth)
		values[depth] = same[depth] + n
		header[depth] = 0
		first[depth] = 1
	} else if (n != values[depth] - same[depth])
		fail("a row of " n " values below " values[depth] - same[depth] " names")
	else {
		for (i = 1; i <= n; i++)
			value[depth, same[depth] + i] = parts[i]
		if (!first[depth])
			print ""
		first[depth] = 0
		fill(depth)
	}
}

function known_name(key, depth) {
	if (!((table[depth], key) in known))
		fail("the template " table[depth] " has no {" key "}")
	return key
}

# Reads a template, once.  Its comments are its own.
function load(template,    directory, n, i, file, line, rest) {
	if (template in lines)
		return
	n = split(templates, directory, ":")
	for (i = 1; i <= n && !(template in lines); i++) {
		file = directory[i] "/" template ".sql"
		while ((getline line <file) > 0) {
			lines[template] += 0
			if (line ~ /^--/)
				continue
			text[template, ++lines[template]] = line
			for (rest = line; match(rest, /[{][a-z]+[}]/); rest = substr(rest, RSTART + RLENGTH))
				known[template, substr(rest, RSTART + 1, RLENGTH - 2)] = 1
		}
		close(file)
	}
	if (!(template in lines))
		fail("no template " template)
}

# Puts the values into the template.
function fill(depth,    i, given, line) {
	for (i = 1; i <= values[depth]; i++)
		if (value[depth, i] != "-")
			given[name[depth, i]] = value[depth, i]
	for (i = 1; i <= lines[table[depth]]; i++) {
		line = filled(text[table[depth], i], given)
		if (line != "" || text[table[depth], i] == "")
			treat(line, depth + 1)
	}
}

# A line without a value that it names is left out.
function filled(line, given,    done, key) {
	done = ""
	while (match(line, /[{][a-z]+[}]/)) {
		key = substr(line, RSTART + 1, RLENGTH - 2)
		if (!(key in given))
			return ""
		done = done substr(line, 1, RSTART - 1) given[key]
		line = substr(line, RSTART + RLENGTH)
	}
	return done line
}

function finish(    depth) {
	for (depth in table)
		if (!failed)
			fail("no @end above")
}

function fail(what) {
	print FILENAME ":" FNR ": " what | "cat >&2"
	failed = 1
	exit 1
}
