/*-------------------------------------------------------------------------
 *
 * typed_literals.c
 *	  The text of a statement of pg_stat_statements, as one that can be parsed.
 *
 * pg_stat_statements replaces constants by parameters, also that of a literal with a
 * type.  The grammar has no such parameter, but a cast of it:
 *
 *		b && box '((1,2),(3,4))'	b && box $1		b && CAST($1 AS box)
 *
 * A name right before a parameter is that of a type.  Of keywords, those that may be
 * names of columns are types, too, but for BETWEEN; of those with a schema, all.
 *
 * Without a space before the constant there is none before the parameter, and box$1 is
 * a name.  It is read as a literal if box is a type, and 1 the next parameter.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/keywords.h"
#include "lib/stringinfo.h"
#include "nodes/makefuncs.h"
#include "parser/parse_type.h"
#include "parser/scanner.h"

#include "advise/advise.h"

/* Tokens as scanner.h promises to number them, and one for keywords that are no types. */
enum
{
	NAME = 258,
	UNICODE_NAME = 259,			/* U&"..." */
	PARAMETER = 267,
	KEYWORD = 1000
};

/* Return the tokens for keywords. */
static const uint16 *
keyword_tokens(void)
{
	uint16	   *tokens = palloc(sizeof(uint16) * ScanKeywords.num_keywords);

	for (int i = 0; i < ScanKeywords.num_keywords; i++)
		tokens[i] = ScanKeywordCategories[i] == COL_NAME_KEYWORD &&
			strcmp(GetScanKeyword(i, &ScanKeywords), "between") != 0 ? NAME : KEYWORD;
	return tokens;
}

/* Return the length of the type's name in one that ends with a parameter, or 0. */
static int
type_before(const char *name, int parameter)
{
	const char *dollar = strrchr(name, '$');

	if (dollar == NULL || dollar == name || strcmp(dollar, psprintf("$%d", parameter)) != 0)
		return 0;
	if (!OidIsValid(LookupTypeNameOid(NULL, makeTypeName(pnstrdup(name, dollar - name)), true)))
		return 0;
	return dollar - name;
}

/* Return a statement with casts of the parameters that stand for literals with a type. */
char *
spq_advise_typed_literals(const char *query)
{
	core_yy_extra_type extra;
	core_yyscan_t scanner = scanner_init(query, &extra, &ScanKeywords, keyword_tokens());
	core_YYSTYPE value;
	YYLTYPE		place;
	StringInfoData result;
	int			token,
				before = 0,
				name = 0,		/* where the last token begins; if a name,
								 * with its schema */
				copied = 0,
				last = 0,		/* parameter */
				length;

	initStringInfo(&result);
	for (; (token = core_yylex(&value, &place, scanner)) != 0; before = token)
	{
		if (token == PARAMETER)
			last = value.ival;
		if (token == PARAMETER && before == NAME)
		{
			appendBinaryStringInfo(&result, query + copied, name - copied);
			appendStringInfo(&result, "CAST($%d AS %.*s)", value.ival, place - name, query + name);
			name = copied = place + 1 + strspn(query + place + 1, "0123456789");
		}
		else if (token == NAME && before != '.' && query[place] != '"' &&
				 (length = type_before(value.str, last + 1)) > 0)
		{
			appendBinaryStringInfo(&result, query + copied, place - copied);
			appendStringInfo(&result, "CAST($%d AS %.*s)", ++last, length, query + place);
			name = copied = place + strlen(value.str);
			token = PARAMETER;
		}
		else if (before == '.' || token == UNICODE_NAME)
		{
			if (before != '.')
				name = place;
			token = NAME;		/* even of a keyword */
		}
		else if (token != '.')
			name = place;
	}
	scanner_finish(scanner);
	appendStringInfoString(&result, query + copied);
	return result.data;
}
