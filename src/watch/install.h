/*-------------------------------------------------------------------------
 *
 * install.h
 *	  Tables and triggers of a watch.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_INSTALL_H
#define SPQ_WATCH_INSTALL_H

#include "watch/definition/watch.h"

extern void spq_watch_install(SpqWatch *watch);
extern bool spq_watch_has_triggers(const SpqWatch *watch, SpqWatchRole role, Oid table);
extern void spq_watch_install_triggers(const SpqWatch *watch);
extern void spq_watch_depend(const SpqWatch *watch);

#endif							/* SPQ_WATCH_INSTALL_H */
