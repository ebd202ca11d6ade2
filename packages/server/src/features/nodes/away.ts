/** Nodes give a sign of life every five seconds. One that has missed three holds nobody up any more. */
export const AWAY_SECONDS = 15

/** A node that is there, as a condition on its row. */
export const IS_THERE = `last_seen_at > now() - interval '${AWAY_SECONDS} seconds'`
