/*-------------------------------------------------------------------------
 *
 * dimension.h
 *	  The names that depend on the number of dimensions.
 *
 * The engine is compiled for boxes of SPQ_DIM axes.  The extension contains it
 * twice, for two axes and for three: join3.c compiles the sources again, with other
 * function names.  A source that includes join.h with SPQ_DIM 3
 * calls the engine of three dimensions, by the names on the left.
 *
 * If a name is missing here, the linker reports that it is defined twice.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_DIMENSION_H
#define SPQ_JOIN_BOXES_DIMENSION_H

#include "box/box.h"

#if SPQ_DIM == 2
#define SPQ_JOIN_ENGINE spq_join2_engine
#define SPQ_SHARED_ENGINE spq_shared2_engine
#elif SPQ_DIM == 3
#define SPQ_JOIN_ENGINE spq_join3_engine
#define SPQ_SHARED_ENGINE spq_shared3_engine
#define spq_join_keep_row spq_join3_keep_row
#define spq_join_memory_is_full spq_join3_memory_is_full
#define spq_join_accept spq_join3_accept
#define spq_join_add_build spq_join3_add_build
#define spq_join_add_probe spq_join3_add_probe
#define spq_join_alloc_buckets spq_join3_alloc_buckets
#define spq_join_begin spq_join3_begin
#define spq_join_begin_shared spq_join3_begin_shared
#define spq_join_build spq_join3_build
#define spq_join_build_done spq_join3_build_done
#define spq_join_choose_cuts spq_join3_choose_cuts
#define spq_join_choose_origin spq_join3_choose_origin
#define spq_join_clear_marks spq_join3_clear_marks
#define spq_join_count_candidates spq_join3_count_candidates
#define spq_join_cut_buckets spq_join3_cut_buckets
#define spq_join_directory_add_levels spq_join3_directory_add_levels
#define spq_join_directory_build spq_join3_directory_build
#define spq_join_directory_drop spq_join3_directory_drop
#define spq_join_directory_restore spq_join3_directory_restore
#define spq_join_end spq_join3_end
#define spq_join_end_block spq_join3_end_block
#define spq_join_enlarge_blocks spq_join3_enlarge_blocks
#define spq_join_fill_buckets spq_join3_fill_buckets
#define spq_join_fill_level spq_join3_fill_level
#define spq_join_finish_build_side spq_join3_finish_build_side
#define spq_join_first_room spq_join3_first_room
#define spq_join_fit_grid spq_join3_fit_grid
#define spq_join_hashed_order spq_join3_hashed_order
#define spq_join_items_add spq_join3_items_add
#define spq_join_items_clear spq_join3_items_clear
#define spq_join_items_free_spare spq_join3_items_free_spare
#define spq_join_items_init spq_join3_items_init
#define spq_join_items_order spq_join3_items_order
#define spq_join_items_reserve spq_join3_items_reserve
#define spq_join_make_batches spq_join3_make_batches
#define spq_join_make_router spq_join3_make_router
#define spq_join_max_buckets spq_join3_max_buckets
#define spq_join_more spq_join3_more
#define spq_join_skip spq_join3_skip
#define spq_join_start_counts spq_join3_start_counts
#define spq_join_clear_counts spq_join3_clear_counts
#define spq_join_next spq_join3_next
#define spq_join_next_batch spq_join3_next_batch
#define spq_join_next_block spq_join3_next_block
#define spq_join_note_memory spq_join3_note_memory
#define spq_join_order_items spq_join3_order_items
#define spq_join_bin_add spq_join3_bin_add
#define spq_join_bin_clear spq_join3_bin_clear
#define spq_join_bin_of spq_join3_bin_of
#define spq_join_bins_that_fit spq_join3_bins_that_fit
#define spq_join_position spq_join3_position
#define spq_join_pass_on_probes spq_join3_pass_on_probes
#define spq_join_private_build spq_join3_private_build
#define spq_join_private_done spq_join3_private_done
#define spq_join_probe spq_join3_probe
#define spq_join_probes_done spq_join3_probes_done
#define spq_join_read_probe spq_join3_read_probe
#define spq_join_remember_accepted spq_join3_remember_accepted
#define spq_join_restart spq_join3_restart
#define spq_join_room spq_join3_room
#define spq_join_route_row spq_join3_route_row
#define spq_join_settle_bins spq_join3_settle_bins
#define spq_join_spool_close spq_join3_spool_close
#define spq_join_spool_read spq_join3_spool_read
#define spq_join_spool_rewind spq_join3_spool_rewind
#define spq_join_spool_write spq_join3_spool_write
#define spq_join_stats spq_join3_stats
#define spq_join_sweep spq_join3_sweep
#define spq_join_sweep_accept spq_join3_sweep_accept
#define spq_join_sweep_start spq_join3_sweep_start
#define spq_join_tile_code spq_join3_tile_code
#define spq_join_tile_order spq_join3_tile_order
#define spq_join_wants_build spq_join3_wants_build
#define spq_shared_choose_ranges spq_shared3_choose_ranges
#define spq_shared_count_ranges spq_shared3_count_ranges
#define spq_shared_divide spq_shared3_divide
#define spq_shared_find_places spq_shared3_find_places
#define spq_shared_forget_rows spq_shared3_forget_rows
#define spq_shared_free_payloads spq_shared3_free_payloads
#define spq_shared_get_items spq_shared3_get_items
#define spq_shared_get_memory spq_shared3_get_memory
#define spq_shared_init spq_shared3_init
#define spq_shared_order spq_shared3_order
#define spq_shared_payload spq_shared3_payload
#define spq_shared_reinit spq_shared3_reinit
#define spq_shared_range_of spq_shared3_range_of
#define spq_shared_samples spq_shared3_samples
#define spq_shared_scatter spq_shared3_scatter
#define spq_shared_size spq_shared3_size
#define spq_shared_sort_range spq_shared3_sort_range
#define spq_shared_take_sample spq_shared3_take_sample
#define spq_shared_wait spq_shared3_wait
#endif

#endif							/* SPQ_JOIN_BOXES_DIMENSION_H */
