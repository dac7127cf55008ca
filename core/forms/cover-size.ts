/** The largest cover of a form, for the service and for the scripts that make pictures smaller before they are sent. */

/** The most bytes: 2 MB. */
export const MAX_COVER_BYTES = 2 * 1_024 * 1_024;
/** The largest width and height. */
export const MAX_COVER_PIXELS = 1_800;
