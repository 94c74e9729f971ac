# Makes the script of an extension from its pieces (README.md):
#
#	awk -v templates=DIRECTORY[:DIRECTORY] [-v types="FILE..."] -f expand.awk PIECE... >SCRIPT
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
# "@operators TYPE" writes the operators of the class for a type, from the rows of src/types;
# with further types, only those whose right argument is one of them:
#
#	@operators TYPE  RIGHT  ...
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
	} else if (line ~ /^@operators /) {
		n = split(line, parts, /   */)
		sub(/^@operators /, "", parts[1])
		operators(parts, n)
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

# The rows of a class, by their strategy numbers.
function operators(parts, n,    right, i, some) {
	if (!most)
		load_operators()
	for (i = 2; i <= n; i++)
		right[parts[i]]
	for (i = 1; i <= most; i++)
		if ((parts[1], i) in operator && (n == 1 || argument[parts[1], i] in right)) {
			print operator[parts[1], i] ","
			some = 1
		}
	if (!some)
		fail("no rows of operators for " parts[1])
}

# Reads the rows of the files of types (src/types/rows.h).
function load_operators(    file, files, i, n, line, fields, part, kind) {
	n = split(types, files, " ")
	for (i = 1; i <= n; i++) {
		file = files[i]
		while ((getline line <file) > 0) {
			if (line !~ /^\t(BUILTIN|OWN)(_ORDER)?\(/)
				continue
			kind = substr(line, 2, index(line, "(") - 2)
			fields = substr(line, length(kind) + 3)
			if (fields !~ /\),$/ || split(fields, part, /, */) < 5)
				fail("a row of " file " that is not one line: " line)
			if (part[1] == 0)
				continue
			gsub(/"/, "", part[2])
			if ((part[3], part[1]) in operator)
				fail("two rows for strategy " part[1] " of " part[3])
			operator[part[3], part[1]] = "\tOPERATOR " part[1] "\t" (kind ~ /^BUILTIN/ ? "pg_catalog." : "") part[2] \
				" (" part[3] ", " part[4] ")" (kind ~ /_ORDER$/ ? "\n\t\tFOR ORDER BY pg_catalog.float_ops" : "")
			argument[part[3], part[1]] = part[4]
			if (part[1] + 0 > most)
				most = part[1] + 0
		}
		close(file)
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
