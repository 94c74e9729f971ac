/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  The one place for differences between PostgreSQL versions.
 *
 * Supported: PostgreSQL 15, 16, 17 and 18.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_COMPAT_H
#define SPQ_COMPAT_H

#if PG_VERSION_NUM < 150000
#error "spqtree needs PostgreSQL 15 or later"
#endif

/* PG_MODULE_MAGIC_EXT (18) lets pg_get_loaded_modules() name the module. */
#ifdef PG_MODULE_MAGIC_EXT
#define SPQ_MODULE_MAGIC(modname, modversion) \
	PG_MODULE_MAGIC_EXT(.name = (modname), .version = (modversion))
#else
#define SPQ_MODULE_MAGIC(modname, modversion) PG_MODULE_MAGIC
#endif

/* Ask for a cache line that will be read soon. */
#ifdef __GNUC__
#define spq_prefetch(address) __builtin_prefetch(address)
#else
#define spq_prefetch(address) ((void) (address))
#endif

#endif							/* SPQ_COMPAT_H */
