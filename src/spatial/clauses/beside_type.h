/*-------------------------------------------------------------------------
 *
 * beside_type.h
 *	  Functions that a type's extension answers for.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_CLAUSES_BESIDE_TYPE_H
#define SPQ_SPATIAL_CLAUSES_BESIDE_TYPE_H

extern bool spq_spatial_is_beside_type(Oid function, Oid type);

#endif							/* SPQ_SPATIAL_CLAUSES_BESIDE_TYPE_H */
