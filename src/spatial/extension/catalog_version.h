/*-------------------------------------------------------------------------
 *
 * catalog_version.h
 *	  When to forget what is cached about functions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_EXTENSION_CATALOG_VERSION_H
#define SPQ_SPATIAL_EXTENSION_CATALOG_VERSION_H

/*
 * Return a number that grows when a function or role changes, and when a transaction
 * or subtransaction aborts: it may have made a function a member of an extension,
 * which sends no invalidation.  A cache whose content depends on these compares the
 * number with that of its creation.
 */
extern uint64 spq_spatial_catalog_version(void);

#endif							/* SPQ_SPATIAL_EXTENSION_CATALOG_VERSION_H */
