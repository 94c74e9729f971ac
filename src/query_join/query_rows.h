/*-------------------------------------------------------------------------
 *
 * query_rows.h
 *	  Rows (id, box), pairs of ids, boxes, or rows (id, value), from a query given
 *	  as text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUERY_JOIN_QUERY_ROWS_H
#define SPQ_QUERY_JOIN_QUERY_ROWS_H

typedef struct SpqQueryRows SpqQueryRows;

/*
 * Receive a row.  Its box is not NULL and consists of the high ends on all
 * axes, then the low ends, as in a box or box3.
 */
typedef void (*SpqQueryRow) (void *arg, int64 id, const float8 *box);

/* Receive a pair of ids. */
typedef void (*SpqQueryPair) (void *arg, int64 a, int64 b);

/* Receive a row with a value of any type, perhaps NULL. */
typedef void (*SpqQueryValue) (void *arg, int64 id, Datum value, bool isnull);

/* The columns that a query may return. */
typedef enum SpqQueryColumns
{
	SPQ_QUERY_BOXES,			/* (id, box) */
	SPQ_QUERY_PAIRS,			/* (id, id) */
	SPQ_QUERY_EITHER,
	SPQ_QUERY_VALUES,			/* (id, anything) */
	SPQ_QUERY_PLACES			/* boxes, points or values of other extensions
								 * that have boxes, passed with id 0 */
} SpqQueryColumns;

extern SpqQueryRows *spq_query_rows_plan(const char *query, const char *argument,
										 SpqQueryColumns columns);
extern bool spq_query_rows_are_pairs(const SpqQueryRows *rows);
extern Oid	spq_query_rows_value_type(const SpqQueryRows *rows);
extern int	spq_query_rows_axes(const SpqQueryRows *rows);
extern double spq_query_rows_estimate(const SpqQueryRows *rows);
extern void spq_query_rows_start(SpqQueryRows *rows);
extern bool spq_query_rows_run(SpqQueryRows *rows, uint64 max_rows, SpqQueryRow callback,
							   void *arg);
extern void spq_query_rows_run_pairs(SpqQueryRows *rows, SpqQueryPair callback, void *arg);
extern void spq_query_rows_run_values(SpqQueryRows *rows, SpqQueryValue callback, void *arg);
extern void spq_query_rows_end(SpqQueryRows *rows);

#endif							/* SPQ_QUERY_JOIN_QUERY_ROWS_H */
