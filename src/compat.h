/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  Differences between PostgreSQL versions.
 *
 * Supported are PostgreSQL 15 to 18, and release candidates of 19.  16 is tested by
 * hand: see docs/testing.md.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_COMPAT_H
#define SPQ_COMPAT_H

#if PG_VERSION_NUM < 150000
#error "spqtree needs PostgreSQL 15 or later"
#endif

/*
 * src/rtree/store/wal.c writes records in the form of GenericXLog, which is private
 * to access/transam/generic_xlog.c.  For a new version, see what scripts/copies
 * says, run test/t/035_rtree_redo.pl, and raise this number.
 */
#if PG_VERSION_NUM >= 200000
#error "spqtree does not know how this version of PostgreSQL replays generic WAL records"
#endif

/* An entry of a page has room for a pointer, and float8 is passed by value. */
#if __SIZEOF_POINTER__ < 8
#error "spqtree needs a 64-bit system"
#endif

/* 16 moved the macros for variable-length values out of postgres.h. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* 18 moved the functions that print EXPLAIN output to headers of their own. */
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif

/*
 * PG_MODULE_MAGIC_EXT (18) gives the module a name for
 * pg_get_loaded_modules().
 */
#ifdef PG_MODULE_MAGIC_EXT
#define SPQ_MODULE_MAGIC(modname, modversion) \
	PG_MODULE_MAGIC_EXT(.name = (modname), .version = (modversion))
#else
#define SPQ_MODULE_MAGIC(modname, modversion) PG_MODULE_MAGIC
#endif

/* 17 uses statistics of arrays, and so needs the PlannerInfo. */
#if PG_VERSION_NUM >= 170000
#define spq_estimate_array_length(root, node) estimate_array_length((root), (node))
#else
#define spq_estimate_array_length(root, node) ((double) estimate_array_length(node))
#endif

/* 18 puts noreturn before the declaration, as C11 does. */
#if PG_VERSION_NUM >= 180000
#define spq_noreturn pg_noreturn
#elif defined(__GNUC__)
#define spq_noreturn __attribute__((noreturn))
#else
#define spq_noreturn
#endif

/* Return the relation in a buffer's tag (storage/buf_internals.h). */
#if PG_VERSION_NUM >= 160000
#define spq_buffer_relation(descriptor) BufTagGetRelNumber(&(descriptor)->tag)
#else
#define spq_buffer_relation(descriptor) ((descriptor)->tag.rnode.relNode)
#endif

/* 18 finds out itself whether a plan may be run again. */
#if PG_VERSION_NUM >= 180000
#define spq_executor_run(desc, count) \
	ExecutorRun((desc), ForwardScanDirection, (count))
#else
#define spq_executor_run(desc, count) \
	ExecutorRun((desc), ForwardScanDirection, (count), false)
#endif

/*
 * Write and read exactly "size" bytes of a temporary file.  16 split BufFileRead
 * into three functions, and made the argument of BufFileWrite const.
 */
#define spq_file_write(file, data, size) \
	BufFileWrite((file), unconstify(void *, (const void *) (data)), (size))
#if PG_VERSION_NUM >= 160000
#define spq_file_read(file, data, size) BufFileReadExact((file), (data), (size))
#else
#define spq_file_read(file, data, size) \
	do { \
		if (BufFileRead((file), (data), (size)) != (size)) \
			ereport(ERROR, \
					(errcode_for_file_access(), \
					 errmsg("could not read from temporary file: unexpected end of file"))); \
	} while (0)
#endif

/* 19 has the paths of an Append in a struct. */
#if PG_VERSION_NUM >= 190000
#define spq_create_append_path(root, rel, paths) \
	((Path *) create_append_path((root), (rel), (AppendPathInput) {.subpaths = (paths)}, NIL, \
								 NULL, 0, false, -1))
#else
#define spq_create_append_path(root, rel, paths) \
	((Path *) create_append_path((root), (rel), (paths), NIL, NIL, NULL, 0, false, -1))
#endif

/* 16 takes the parent instead of its relids. */
#if PG_VERSION_NUM >= 160000
#define spq_adjust_appendrel_attrs_multilevel(root, node, child) \
	adjust_appendrel_attrs_multilevel((root), (node), (child), (child)->top_parent)
#else
#define spq_adjust_appendrel_attrs_multilevel(root, node, child) \
	adjust_appendrel_attrs_multilevel((root), (node), (child)->relids, \
									  (child)->top_parent_relids)
#endif

/* 16 stores the number of base relations of a clause. */
#if PG_VERSION_NUM >= 160000
#define spq_set_single_rel(rinfo) ((rinfo)->num_base_rels = 1)
#else
#define spq_set_single_rel(rinfo) ((void) 0)
#endif

/* 18 returns whether WHERE CURRENT OF allows only a TID scan. */
#if PG_VERSION_NUM >= 180000
#define spq_create_tidscan_paths(root, rel) create_tidscan_paths((root), (rel))
#else
#define spq_create_tidscan_paths(root, rel) \
	(create_tidscan_paths((root), (rel)), false)
#endif

/*
 * 17 stores the clauses of a custom join in its path, for pseudoconstant
 * clauses.
 */
#if PG_VERSION_NUM >= 170000
#define spq_set_custom_restrictinfo(path, clauses) \
	((path)->custom_restrictinfo = (clauses))
#else
#define spq_set_custom_restrictinfo(path, clauses) ((void) 0)
#endif

/* 16 replaced the functions that check privileges by a single one. */
#if PG_VERSION_NUM >= 160000
#define spq_function_aclcheck(function, role) \
	object_aclcheck(ProcedureRelationId, (function), (role), ACL_EXECUTE)
#else
#define spq_function_aclcheck(function, role) \
	pg_proc_aclcheck((function), (role), ACL_EXECUTE)
#endif

/* 16 added an argument that requests a copy; a number needs none. */
#if PG_VERSION_NUM >= 160000
#define spq_tuplesort_getdatum(state, value, isnull) \
	tuplesort_getdatum((state), true, false, (value), (isnull), NULL)
#else
#define spq_tuplesort_getdatum(state, value, isnull) \
	tuplesort_getdatum((state), true, (value), (isnull), NULL)
#endif

/* Before 16, the value is always a copy, which must be freed. */
#if PG_VERSION_NUM >= 160000
#define spq_tuplesort_free_datum(value) ((void) 0)
#else
#define spq_tuplesort_free_datum(value) pfree(DatumGetPointer(value))
#endif

/*
 * Extend a relation by a page, and return it pinned and exclusively locked.
 * Since 16, one function does that.
 */
#if PG_VERSION_NUM >= 160000
#define spq_extend_relation(relation, buffer) \
	((buffer) = ExtendBufferedRel(BMR_REL(relation), MAIN_FORKNUM, NULL, EB_LOCK_FIRST))
#else
#define spq_extend_relation(relation, buffer) \
	do { \
		LockRelationForExtension((relation), ExclusiveLock); \
		(buffer) = ReadBuffer((relation), P_NEW); \
		LockBuffer((buffer), BUFFER_LOCK_EXCLUSIVE); \
		UnlockRelationForExtension((relation), ExclusiveLock); \
	} while (0)
#endif

/*
 * Extend a fork of a new relation, which only this backend knows, by a page.
 * Return the page pinned but not locked.
 */
#if PG_VERSION_NUM >= 160000
#define spq_extend_new_relation(relation, fork) \
	ExtendBufferedRel(BMR_REL(relation), (fork), NULL, EB_SKIP_EXTENSION_LOCK)
#else
#define spq_extend_new_relation(relation, fork) \
	ReadBufferExtended((relation), (fork), P_NEW, RBM_NORMAL, NULL)
#endif

/*
 * Log a record that cancels queries on a standby whose snapshot does not see a
 * transaction as finished.  16 added the heap relation.
 */
#if PG_VERSION_NUM >= 160000
#define spq_log_conflict(index, heap, block, xid) \
	gistXLogPageReuse((index), (heap), (block), (xid))
#else
#define spq_log_conflict(index, heap, block, xid) gistXLogPageReuse((index), (block), (xid))
#endif

/* 17 renamed the transaction counters (access/transam.h). */
#if PG_VERSION_NUM >= 170000
#define spq_transam_variables TransamVariables
#else
#define spq_transam_variables ShmemVariableCache
#endif

/*
 * The numbers of rows that the statistics of a table have, those in shared memory
 * and what this session has not yet added to them.  16 renamed them.
 */
#if PG_VERSION_NUM >= 160000
#define spq_stats_live_rows(stats) ((stats)->live_tuples)
#define spq_stats_dead_rows(stats) ((stats)->dead_tuples)
#define spq_pending_live_rows(pending) ((pending)->counts.delta_live_tuples)
#define spq_pending_dead_rows(pending) ((pending)->counts.delta_dead_tuples)
#else
#define spq_stats_live_rows(stats) ((stats)->n_live_tuples)
#define spq_stats_dead_rows(stats) ((stats)->n_dead_tuples)
#define spq_pending_live_rows(pending) ((pending)->t_counts.t_delta_live_tuples)
#define spq_pending_dead_rows(pending) ((pending)->t_counts.t_delta_dead_tuples)
#endif

/* 18 takes whether the caller is ANALYZE. */
#if PG_VERSION_NUM >= 180000
#define spq_vacuum_delay_point() vacuum_delay_point(false)
#else
#define spq_vacuum_delay_point() vacuum_delay_point()
#endif

/*
 * 17 asks an access method whether it can build an index in parallel, and then
 * plans workers.  Earlier versions plan them only for nbtree.
 */
#if PG_VERSION_NUM >= 170000
#define SPQ_CAN_BUILD_PARALLEL .amcanbuildparallel = true,
#define spq_build_workers(heap, index, info) ((info)->ii_ParallelWorkers)
#else
#define SPQ_CAN_BUILD_PARALLEL
#define spq_build_workers(heap, index, info) \
	plan_create_index_workers(RelationGetRelid(heap), RelationGetRelid(index))
#endif

/*
 * 18 asks an access method for the strategies of equality and of some other
 * operators.
 */
#if PG_VERSION_NUM >= 180000
#include "access/cmptype.h"
#define SPQ_TRANSLATE_STRATEGIES(of_strategy, of_type) \
	.amtranslatestrategy = (of_strategy), \
	.amtranslatecmptype = (of_type),
#else
typedef enum CompareType
{
	COMPARE_INVALID = 0,
	COMPARE_EQ = 3,
	COMPARE_OVERLAP = 7,
	COMPARE_CONTAINED_BY = 8
} CompareType;

#define SPQ_TRANSLATE_STRATEGIES(of_strategy, of_type)
#endif

/* 18 counts the searches of an index scan, for EXPLAIN. */
#if PG_VERSION_NUM >= 180000
#define spq_count_index_search(scan) \
	do { \
		if ((scan)->instrument) \
			(scan)->instrument->nsearches++; \
	} while (0)
#else
#define spq_count_index_search(scan) ((void) 0)
#endif

/*
 * 18 lets extensions add an option to EXPLAIN.  19 also asks whether a setting may
 * contain it.
 */
#if PG_VERSION_NUM >= 190000
#define SPQ_EXPLAIN_OPTIONS
#define spq_register_explain_option(name, handler) \
	RegisterExtensionExplainOption((name), (handler), GUCCheckBooleanExplainOption)
#elif PG_VERSION_NUM >= 180000
#define SPQ_EXPLAIN_OPTIONS
#define spq_register_explain_option(name, handler) \
	RegisterExtensionExplainOption((name), (handler))
#endif

/* 17 tells amestimateparallelscan the numbers of keys, 18 also the index. */
#if PG_VERSION_NUM >= 180000
#define SPQ_ESTIMATE_PARALLEL_SCAN_ARGS Relation index, int nkeys, int norderbys
#elif PG_VERSION_NUM >= 170000
#define SPQ_ESTIMATE_PARALLEL_SCAN_ARGS int nkeys, int norderbys
#else
#define SPQ_ESTIMATE_PARALLEL_SCAN_ARGS void
#endif

/*
 * 18 counts the disabled nodes of a path, and compares costs only of paths
 * with equal counts.  Make this path worse than any that settings can disable.
 */
#if PG_VERSION_NUM >= 180000
#define spq_forbid_path(path) ((path)->disabled_nodes += 10000)
#else
#define spq_forbid_path(path) ((void) (path))
#endif

/*
 * Add up the disabled nodes of a join path: those of its children, and the
 * join itself if "disabled".  Before 18, a disabled join gets a higher cost
 * instead.
 */
#if PG_VERSION_NUM >= 180000
#define spq_count_disabled_nodes(path, probe, build, disabled) \
	((path)->disabled_nodes = (probe)->disabled_nodes + (build)->disabled_nodes + \
	 ((disabled) ? 1 : 0))
#define spq_cost_of_disabled(disabled) 0
#else
#define spq_count_disabled_nodes(path, probe, build, disabled) ((void) 0)
#define spq_cost_of_disabled(disabled) ((disabled) ? disable_cost : 0)
#endif

/* The number of disabled nodes in a path, for paths that are no joins. */
#if PG_VERSION_NUM >= 180000
#define spq_disabled_nodes(path) ((path)->disabled_nodes)
#define spq_set_disabled_nodes(path, number) ((path)->disabled_nodes = (number))
#else
#define spq_disabled_nodes(path) 0
#define spq_set_disabled_nodes(path, number) ((void) (number))
#endif

/*
 * In 19, other extensions may choose how relations are joined, whether in
 * parallel, and how a table is scanned.  They do not know our join and our
 * nearest rows, so if they choose any, they do not want these.
 */
#if PG_VERSION_NUM >= 190000
#define spq_other_join_is_wanted(root, extra, parallel) \
	((((extra)->pgs_mask ^ (root)->glob->default_pgs_mask) & PGS_JOIN_ANY) != 0 || \
	 (!(parallel) && ((extra)->pgs_mask & PGS_CONSIDER_NONPARTIAL) == 0))
#define spq_set_default_joins(root, extra) ((extra)->pgs_mask = (root)->glob->default_pgs_mask)
#define spq_other_scan_is_wanted(root, rel) \
	((((rel)->pgs_mask ^ (root)->glob->default_pgs_mask) & PGS_SCAN_ANY) != 0)
#else
#define spq_other_join_is_wanted(root, extra, parallel) false
#define spq_set_default_joins(root, extra) ((void) (extra))
#define spq_other_scan_is_wanted(root, rel) false
#endif

/* 18 renamed the offset of the access method's data in a parallel scan. */
#if PG_VERSION_NUM >= 180000
#define spq_parallel_scan_offset(scan) ((scan)->parallel_scan->ps_offset_am)
#else
#define spq_parallel_scan_offset(scan) ((scan)->parallel_scan->ps_offset)
#endif

/* 19 keeps the names of lock tranches in shared memory, for all processes. */
#if PG_VERSION_NUM >= 190000
#define spq_new_lwlock_tranche(name) LWLockNewTrancheId(name)
#define spq_register_lwlock_tranche(tranche, name) ((void) 0)
#else
#define spq_new_lwlock_tranche(name) LWLockNewTrancheId()
#define spq_register_lwlock_tranche(tranche, name) LWLockRegisterTranche((tranche), (name))
#endif

/* 16 replaced the functions that check ownership by a single one. */
#if PG_VERSION_NUM >= 160000
#define spq_relation_ownercheck(relid, role) \
	object_ownercheck(RelationRelationId, (relid), (role))
#else
#define spq_relation_ownercheck(relid, role) pg_class_ownercheck((relid), (role))
#endif

/*
 * 16 takes the SpecialJoinInfo of an outer join; clauses of an equivalence
 * class belong to none.
 */
#if PG_VERSION_NUM >= 160000
#define spq_generate_join_implied_equalities(root, relids, outer_relids, inner) \
	generate_join_implied_equalities((root), (relids), (outer_relids), (inner), NULL)
#else
#define spq_generate_join_implied_equalities(root, relids, outer_relids, inner) \
	generate_join_implied_equalities((root), (relids), (outer_relids), (inner))
#endif

/* 16 leaves out columns of GROUP BY that are constant or equal to others. */
#if PG_VERSION_NUM >= 160000
#define spq_group_clause(root) ((root)->processed_groupClause)
#else
#define spq_group_clause(root) ((root)->parse->groupClause)
#endif

/*
 * Whether a column of a table is never null.  17 keeps a set of them; since 18, a
 * constraint that was not validated says nothing.
 */
#if PG_VERSION_NUM >= 170000
#define spq_is_not_null(rel, relid, column) bms_is_member((column), (rel)->notnullattnums)
#else
#include "access/htup_details.h"
#include "catalog/pg_attribute.h"
#include "utils/syscache.h"
#define spq_is_not_null(rel, relid, column) spq_attribute_is_not_null((relid), (column))

static inline bool
spq_attribute_is_not_null(Oid relid, AttrNumber column)
{
	HeapTuple	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(relid), Int16GetDatum(column));
	bool		result = HeapTupleIsValid(tuple) &&
		((Form_pg_attribute) GETSTRUCT(tuple))->attnotnull;

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return result;
}
#endif

/* 18 takes counters for EXPLAIN, 19 also flags of the scan. */
#if PG_VERSION_NUM >= 190000
#define spq_index_beginscan(table, index, snapshot, nkeys) \
	index_beginscan((table), (index), (snapshot), NULL, (nkeys), 0, 0)
#elif PG_VERSION_NUM >= 180000
#define spq_index_beginscan(table, index, snapshot, nkeys) \
	index_beginscan((table), (index), (snapshot), NULL, (nkeys), 0)
#else
#define spq_index_beginscan(table, index, snapshot, nkeys) \
	index_beginscan((table), (index), (snapshot), (nkeys), 0)
#endif

/*
 * The same for the state of an index scan or index-only scan, whose fields begin with
 * this prefix.  Its counters exist since 18; 19 keeps them elsewhere.
 */
#if PG_VERSION_NUM >= 190000
#define spq_begin_child_scan(state, prefix) \
	index_beginscan((state)->ss.ss_currentRelation, (state)->prefix##_RelationDesc, \
					(state)->ss.ps.state->es_snapshot, (state)->prefix##_Instrument, \
					(state)->prefix##_NumScanKeys, 0, 0)
#elif PG_VERSION_NUM >= 180000
#define spq_begin_child_scan(state, prefix) \
	index_beginscan((state)->ss.ss_currentRelation, (state)->prefix##_RelationDesc, \
					(state)->ss.ps.state->es_snapshot, &(state)->prefix##_Instrument, \
					(state)->prefix##_NumScanKeys, 0)
#else
#define spq_begin_child_scan(state, prefix) \
	index_beginscan((state)->ss.ss_currentRelation, (state)->prefix##_RelationDesc, \
					(state)->ss.ps.state->es_snapshot, (state)->prefix##_NumScanKeys, 0)
#endif

/* 18 takes whether a deferrable key counts. */
#if PG_VERSION_NUM >= 180000
#define spq_primary_key_index(relation) RelationGetPrimaryKeyIndex((relation), true)
#else
#define spq_primary_key_index(relation) RelationGetPrimaryKeyIndex(relation)
#endif

/* 18 has generated columns whose values are not stored. */
#if PG_VERSION_NUM >= 180000
#define spq_is_virtual_column(relid, attnum) \
	(get_attgenerated((relid), (attnum)) == ATTRIBUTE_GENERATED_VIRTUAL)
#else
#define spq_is_virtual_column(relid, attnum) false
#endif

/*
 * 16 lets input functions report an error without raising it.  Earlier
 * versions raise it, so whatever follows is not reached.
 */
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#define spq_ereturn(escontext, value, ...) ereturn((escontext), (value), __VA_ARGS__)
#define spq_soft_error_occurred(escontext) SOFT_ERROR_OCCURRED(escontext)
#define spq_float8_in(number, end, type, string, escontext) \
	float8in_internal((number), (end), (type), (string), (escontext))
#else
#define spq_ereturn(escontext, value, ...) \
	do { \
		ereport(ERROR, __VA_ARGS__); \
		return (value); \
	} while (0)
#define spq_soft_error_occurred(escontext) false
#define spq_float8_in(number, end, type, string, escontext) \
	float8in_internal((number), (end), (type), (string))
#endif

/*
 * 19 replaced its own function for the hypotenuse by that of C99.  They differ
 * in the last bit, and pg_hypot() raises an error where hypot() returns
 * infinity.
 */
#if PG_VERSION_NUM >= 190000
#define spq_hypot(x, y) hypot((x), (y))
#define SPQ_HYPOT_RAISES false
#else
#define spq_hypot(x, y) pg_hypot((x), (y))
#define SPQ_HYPOT_RAISES true
#endif

/*
 * Reads of the blocks of a range, one after the other.  18 reads them ahead,
 * several at a time.
 */
#include "storage/bufmgr.h"
#if PG_VERSION_NUM >= 180000
#include "storage/read_stream.h"
#endif

typedef struct SpqRangeReader
{
	Relation	relation;
	BufferAccessStrategy strategy;
	BlockNumber next;
#if PG_VERSION_NUM >= 180000
	BlockRangeReadStreamPrivate range;
	ReadStream *stream;
#endif
} SpqRangeReader;

/* Begin to read the blocks from "first" up to, but not including, "end". */
static inline void
spq_range_reader_begin(SpqRangeReader *reader, Relation relation, BufferAccessStrategy strategy,
					   BlockNumber first, BlockNumber end)
{
	reader->relation = relation;
	reader->strategy = strategy;
	reader->next = first;
#if PG_VERSION_NUM >= 180000
	reader->range.current_blocknum = first;
	reader->range.last_exclusive = end;
	reader->stream = read_stream_begin_relation(READ_STREAM_MAINTENANCE | READ_STREAM_FULL |
												READ_STREAM_USE_BATCHING,
												strategy, relation, MAIN_FORKNUM,
												block_range_read_stream_cb, &reader->range, 0);
#endif
}

/* Return the next block, pinned. */
static inline Buffer
spq_range_reader_next(SpqRangeReader *reader)
{
#if PG_VERSION_NUM >= 180000
	return read_stream_next_buffer(reader->stream, NULL);
#else
	return ReadBufferExtended(reader->relation, MAIN_FORKNUM, reader->next++, RBM_NORMAL,
							  reader->strategy);
#endif
}

static inline void
spq_range_reader_end(SpqRangeReader *reader)
{
#if PG_VERSION_NUM >= 180000
	read_stream_end(reader->stream);
#endif
}

/* 19 takes flags for scans; we need none. */
#if PG_VERSION_NUM >= 190000
#define spq_beginscan_sampling(relation, snapshot) \
	table_beginscan_sampling((relation), (snapshot), 0, NULL, false, false, false, SO_NONE)
#define spq_beginscan_parallel(relation, scan) \
	table_beginscan_parallel((relation), (scan), SO_NONE)
#else
#define spq_beginscan_sampling(relation, snapshot) \
	table_beginscan_sampling((relation), (snapshot), 0, NULL, false, false, false)
#define spq_beginscan_parallel(relation, scan) \
	table_beginscan_parallel((relation), (scan))
#endif

/* 19 passes the state of the EXPLAIN to the planner. */
#if PG_VERSION_NUM >= 190000
#define spq_plan_query(query, text, options) \
	pg_plan_query((query), (text), (options), NULL, NULL)
#define SPQ_PLANNER_ARGS \
	Query *query, const char *text, int options, ParamListInfo params, \
	ExplainState *explain
#define SPQ_PLANNER_PASS query, text, options, params, explain
#else
#define spq_plan_query(query, text, options) pg_plan_query((query), (text), (options), NULL)
#define SPQ_PLANNER_ARGS \
	Query *query, const char *text, int options, ParamListInfo params
#define SPQ_PLANNER_PASS query, text, options, params
#endif

/* 19 has another hook for a relation's facts (optimizer/pathnode.h). */
#if PG_VERSION_NUM >= 190000
#define spq_relation_hook build_simple_rel_hook
#define spq_relation_hook_type build_simple_rel_hook_type
#define SPQ_RELATION_ARGS PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *entry
#define SPQ_RELATION_PASS root, rel, entry
#else
#define spq_relation_hook get_relation_info_hook
#define spq_relation_hook_type get_relation_info_hook_type
#define SPQ_RELATION_ARGS \
	PlannerInfo *root, Oid relation, bool inhparent, RelOptInfo *rel
#define SPQ_RELATION_PASS root, relation, inhparent, rel
#endif

/* Set the tag of a block of a relation, as the table of buffers has it. */
#if PG_VERSION_NUM >= 160000
#define spq_init_buffer_tag(tag, relation, fork, block) \
	InitBufferTag((tag), &(relation)->rd_locator, (fork), (block))
#else
#define spq_init_buffer_tag(tag, relation, fork, block) \
	INIT_BUFFERTAG(*(tag), (relation)->rd_node, (fork), (block))
#endif

/*
 * Begin to set hints on a page that is locked, perhaps only shared.  If this
 * returns false, the page must not be changed.  19 computes the checksum of a page
 * and writes it without a copy, so nobody may change it during that time; earlier
 * versions write a copy.
 */
#if PG_VERSION_NUM >= 190000
#define spq_begin_hints(buffer) BufferBeginSetHintBits(buffer)
#else
#define spq_begin_hints(buffer) ((void) (buffer), true)
#endif

/* Finish setting hints that were begun.  "changed": whether any were set. */
#if PG_VERSION_NUM >= 190000
#define spq_finish_hints(buffer, changed) \
	BufferFinishSetHintBits((buffer), (changed), true)
#else
#define spq_finish_hints(buffer, changed) \
	do { \
		if (changed) \
			MarkBufferDirtyHint((buffer), true); \
	} while (0)
#endif

/* Return whether this backend has locked the contents of a shared buffer. */
#if PG_VERSION_NUM >= 190000
#define spq_is_locked_by_me(buffer) BufferIsLockedByMe(buffer)
#else
#define spq_is_locked_by_me(buffer) \
	LWLockHeldByMe(BufferDescriptorGetContentLock(GetBufferDescriptor((buffer) - 1)))
#endif

/*
 * 19 keeps the routines that the handler of an access method returns.  Earlier
 * versions free them, so return a copy.
 */
#if PG_VERSION_NUM >= 190000
#define spq_routines_of_handler(routines) (routines)
#else
#define spq_routines_of_handler(routines) \
	memcpy(palloc(sizeof(IndexAmRoutine)), (routines), sizeof(IndexAmRoutine))
#endif

/*
 * 19 must be told that a descriptor has all its columns before a slot uses it.
 */
#if PG_VERSION_NUM >= 190000
#define spq_finalize_descriptor(descriptor) TupleDescFinalize(descriptor)
#else
#define spq_finalize_descriptor(descriptor) ((void) 0)
#endif

/* 19 takes the enabled kinds of nested loops (optimizer/cost.h). */
#if PG_VERSION_NUM >= 190000
#define spq_initial_cost_nestloop(root, workspace, type, outer, inner, extra) \
	initial_cost_nestloop((root), (workspace), (type), \
						  PGS_NESTLOOP_PLAIN | PGS_CONSIDER_NONPARTIAL, (outer), (inner), (extra))
#else
#define spq_initial_cost_nestloop(root, workspace, type, outer, inner, extra) \
	initial_cost_nestloop((root), (workspace), (type), (outer), (inner), (extra))
#endif

/* 18 has both sides of a set operation as paths of their own (nodes/pathnodes.h). */
#if PG_VERSION_NUM >= 180000
#define spq_setop_children(path) \
	list_make2(((SetOpPath *) (path))->leftpath, ((SetOpPath *) (path))->rightpath)
#else
#define spq_setop_children(path) list_make1(((SetOpPath *) (path))->subpath)
#endif

/*
 * Raise an error if the user may not run a plan.  16 keeps the rights that are needed
 * apart from the range table (executor/executor.h).
 */
#if PG_VERSION_NUM >= 160000
#define spq_check_permissions(statement) \
	((void) ExecCheckPermissions((statement)->rtable, (statement)->permInfos, true))
#else
#define spq_check_permissions(statement) ((void) ExecCheckRTPerms((statement)->rtable, true))
#endif

/* 19 has one kind of paths that remove duplicates. */
#if PG_VERSION_NUM >= 190000
#define SPQ_CASE_UPPER_UNIQUE
#else
#define SPQ_CASE_UPPER_UNIQUE \
	case T_UpperUniquePath: \
		return list_make1(((UpperUniquePath *) path)->subpath);
#endif

/* 18 has another way to say that a key descends. */
#if PG_VERSION_NUM >= 180000
#define spq_key_descends(key) ((key)->pk_cmptype == COMPARE_GT)
#else
#define spq_key_descends(key) ((key)->pk_strategy == BTGreaterStrategyNumber)
#endif

#endif							/* SPQ_COMPAT_H */
