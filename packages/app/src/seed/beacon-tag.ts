/**
 * The tag that the demo's pages carry, below the home; written by the seed once the organisation has its beacon key.
 */
export const BEACON_TAG_FILE = 'beacon-tag.html'
