/*-------------------------------------------------------------------------
 *
 * options.c
 *	  WITH (fillfactor = ...).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/reloptions.h"
#include "utils/rel.h"

#include "rtree/bulk_load/build.h"

/*
 * Only CREATE INDEX leaves room: a page that was split is half full anyway.
 * The default keeps one or two groups of eight places free in each leaf.  More
 * room only defers the splits of a table that grows, and after these the size
 * is the same.
 */
#define FILLFACTOR_MIN		10
#define FILLFACTOR_DEFAULT	95

typedef struct Options
{
	int32		vl_len_;		/* varlena header (do not touch directly!) */
	int			fillfactor;
} Options;

/*
 * Parse the options of an index.  Local options need no registration when the
 * library is loaded, and only few kinds of options can be registered.
 */
bytea *
spq_rtree_options(Datum options, bool validate)
{
	local_relopts relopts;

	init_local_reloptions(&relopts, sizeof(Options));
	add_local_int_reloption(&relopts, "fillfactor",
							"Packs index pages only to this percentage",
							FILLFACTOR_DEFAULT, FILLFACTOR_MIN, 100,
							offsetof(Options, fillfactor));
	return build_local_reloptions(&relopts, options, validate);
}

int
spq_rtree_fillfactor(Relation index)
{
	const Options *options = (const Options *) index->rd_options;

	return options ? options->fillfactor : FILLFACTOR_DEFAULT;
}
