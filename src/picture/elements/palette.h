/*-------------------------------------------------------------------------
 *
 * palette.h
 *	  Colors of a picture.
 *
 * The picture has its own dark background, so that it is the same in light and
 * dark viewers.  Density goes from indigo, a little lighter than the paper,
 * over violet and red to a pale yellow.  Lightness grows in even steps (OKLCH,
 * 0.27 to 0.955), so that density is also visible in gray and to color-blind
 * readers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_ELEMENTS_PALETTE_H
#define SPQ_PICTURE_ELEMENTS_PALETTE_H

#define SPQ_PICTURE_COLORS		20

/* Density, from the lowest to the highest. */
static const char *const spq_picture_colors[SPQ_PICTURE_COLORS] = {
	"#1e1f4f", "#2a265d", "#372c6b", "#453378", "#543986",
	"#643f92", "#77439b", "#92459a", "#ab4a92", "#c15187",
	"#d45a7c", "#e56573", "#f27369", "#fc8360", "#fe9862",
	"#ffab6a", "#febf77", "#ffd084", "#fce29e", "#fbf2bc"
};

/* The same for tiles that a query does not visit. */
static const char *const spq_picture_grays[SPQ_PICTURE_COLORS] = {
	"#1e202f", "#222433", "#262838", "#292c3c", "#2d3041",
	"#313445", "#35384a", "#393c4e", "#3d4053", "#414458",
	"#45485d", "#494c61", "#4d5166", "#52556b", "#565970",
	"#5a5e75", "#5e627a", "#63677f", "#676b84", "#6c7089"
};

/* Outlines of inner pages; the first color is for those above the leaves. */
#define SPQ_PICTURE_OUTLINES	4

static inline const char *
spq_picture_outline(int level)
{
	static const char *const colors[SPQ_PICTURE_OUTLINES] = {
		"#3fd0c9", "#f4f1ff", "#6ea8ff", "#a4e05c"
	};

	return colors[(level - 1) % SPQ_PICTURE_OUTLINES];
}

#define SPQ_PICTURE_PAPER		"#0d0f1a"	/* around the map */
#define SPQ_PICTURE_EMPTY		"#191c2e"	/* where there is no tile */
#define SPQ_PICTURE_LINE		"#0d0f1a"	/* between cells */
#define SPQ_PICTURE_TEXT		"#e8e6f0"
#define SPQ_PICTURE_FAINT		"#9a98b0"	/* secondary text */
#define SPQ_PICTURE_OVERSIZE	"#3fd0c9"	/* cells with boxes too large for
											 * sub-cells */
#define SPQ_PICTURE_BOX			"#ffffff"
#define SPQ_PICTURE_QUERY		"#ffffff"

#endif							/* SPQ_PICTURE_ELEMENTS_PALETTE_H */
