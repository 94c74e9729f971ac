/*-------------------------------------------------------------------------
 *
 * settings.h
 *	  The settings of the extension (spqtree.*).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SETTINGS_H
#define SPQ_SETTINGS_H

/* spqtree.enable_hashjoin */
enum
{
	SPQ_HASHJOIN_OFF,
	SPQ_HASHJOIN_ON,			/* subject to enable_hashjoin */
	SPQ_HASHJOIN_ALWAYS
};

extern bool spq_enable;
extern int	spq_enable_hashjoin;
extern bool spq_enable_indexjoin;
extern bool spq_enable_counts;
extern bool spq_enable_nearest;
extern bool spq_enable_repeated;
extern bool spq_enable_unique_semijoin;
extern bool spq_enable_equivalents;
extern int	spq_sample_rows;

extern void spq_settings_init(void);

#endif							/* SPQ_SETTINGS_H */
