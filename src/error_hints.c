/*-------------------------------------------------------------------------
 *
 * error_hints.c
 *	  Hints of PostgreSQL's errors about operator classes.
 *
 * PostgreSQL looks for the operator class of a column before it asks the access
 * method anything.  If there is none, its hint tells the user to name or define
 * one, although what is missing is an extension, or an expression.  So this
 * file replaces the hint, and nothing else, of a few errors.
 *
 * An error context callback does it, as PostgreSQL's own callbacks set the
 * position of an error in a statement.  hooks.c keeps it on the stack while a
 * utility statement runs that may create an index.  The error is recognized by
 * its message before translation, and the type by its name in the message: an
 * error context callback must not read the catalogs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <ctype.h>

#include "nodes/parsenodes.h"
#include "tcop/tcopprot.h"
#include "utils/memutils.h"

#include "error_hints.h"

/* An error of PostgreSQL's. */
typedef struct Hint
{
	const char *message;		/* before translation */
	const char *word;			/* another name in it, or NULL */
	const char *hint;
} Hint;

#define NO_CLASS	"data type %s has no default operator class for access method \"%s\""
#define NO_SUCH_CLASS	"operator class \"%s\" does not exist for access method \"%s\""
#define OTHER_CLASS	"operator class \"%s\" does not accept data type %s"
#define NO_METHOD	"access method \"%s\" does not exist"
#define OMIT_CLASS	"Omit the operator class: each spatial type has a default one."

static const Hint hints[] = {
	{NO_CLASS, "geometry", "Create the extension spqtree_postgis, which has operator classes for the types of PostGIS."},
	{NO_CLASS, "geography", "Create the extension spqtree_postgis, which has operator classes for the types of PostGIS."},
	{NO_CLASS, "raster", "Create the extension spqtree_postgis, and index the expression ST_ConvexHull(column)."},
	{NO_CLASS, "box2d", "Index the expression (column::geometry), with the extension spqtree_postgis."},
	{NO_CLASS, "box3d", "Create the extension spqtree_postgis, and index the expression (column::box3)."},
	{NO_CLASS, "cube", "Create the extension spqtree_cube."},
	{NO_CLASS, "earth", "Create the extension spqtree_cube."},
	{NO_CLASS, "ip4r", "Create the extension spqtree_ip4r."},
	{NO_CLASS, "ip6r", "Create the extension spqtree_ip4r."},
	{NO_CLASS, "iprange", "Create the extension spqtree_ip4r."},
	{NO_CLASS, "ip4", "Create the extension spqtree_ip4r, and index the expression ip4r(column)."},
	{NO_CLASS, "ip6", "Create the extension spqtree_ip4r, and index the expression ip6r(column)."},
	{NO_CLASS, "ipaddress", "Create the extension spqtree_ip4r, and index the expression iprange(column)."},
	{NO_CLASS, "seg", "Create the extension spqtree_seg."},
	{NO_CLASS, "sphere3", "Index the expression spqtree_expand(center(column), radius(column))."},
	{NO_CLASS, "lseg3", "Index the expression (box3(column))."},
	{NO_SUCH_CLASS, NULL, OMIT_CLASS},
	{OTHER_CLASS, NULL, OMIT_CLASS},
	{NO_METHOD, NULL, "Create the extension spqtree in this database."}
};

/* Return whether a text contains a name that is not part of a longer one. */
static bool
contains(const char *text, const char *name)
{
	size_t		length = strlen(name);

	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
	{
		unsigned char before = at > text ? at[-1] : ' ',
					after = at[length];

		if (!(isalnum(before) || before == '_') && !(isalnum(after) || after == '_'))
			return true;
	}
	return false;
}

/* method: the access method of the statement, or NULL if only the message tells */
static const char *
hint_of(const ErrorData *error, const char *method)
{
	if (error->elevel != ERROR || !error->message_id ||
		!(method ? strcmp(method, "spqtree") == 0 : contains(error->message, "spqtree")))
		return NULL;
	for (int i = 0; i < (int) lengthof(hints); i++)
	{
		if (strcmp(error->message_id, hints[i].message) == 0 &&
			(!hints[i].word || contains(error->message, hints[i].word)))
			return hints[i].hint;
	}
	return NULL;
}

/* Error context callback: replace the hint of the current error, if there is a better one. */
static void
add_hint(void *arg)
{
	MemoryContext caller = CurrentMemoryContext;
	ErrorData  *error;
	const char *hint;

	if (geterrcode() != ERRCODE_UNDEFINED_OBJECT && geterrcode() != ERRCODE_DATATYPE_MISMATCH)
		return;
	/* an error is not copied into the context of errors */
	MemoryContextSwitchTo(TopMemoryContext);
	error = CopyErrorData();
	MemoryContextSwitchTo(caller);
	hint = hint_of(error, arg);
	FreeErrorData(error);
	if (hint)
		errhint("%s", hint);
}

/*
 * Set up a callback for a utility statement that may create an index, and put it
 * on the stack.  Whoever calls restores the stack.
 */
void
spq_error_hints_begin(ErrorContextCallback *callback, const Node *statement)
{
	callback->callback = add_hint;
	callback->previous = error_context_stack;
	if (IsA(statement, IndexStmt))
		callback->arg = ((const IndexStmt *) statement)->accessMethod;
	else if (IsA(statement, AlterTableStmt))
		callback->arg = NULL;	/* of a constraint, which is not looked for */
	else
		return;
	error_context_stack = callback;
}

/*
 * Called when the library is loaded.  If CREATE INDEX loads it, by calling the
 * handler of the access method, the hook of utility statements comes too late for
 * this statement.  So the callback is put on the stack here, below those of all
 * functions that will be called.  It is removed with that of the function that
 * is running, or stays until the next error: it is constant, so nothing on the
 * stack can outlive it, and a library is loaded once.
 */
void
spq_error_hints_init(void)
{
	static ErrorContextCallback callback = {.callback = add_hint};

	if (debug_query_string == NULL)
		return;
	callback.previous = error_context_stack;
	error_context_stack = &callback;
}
