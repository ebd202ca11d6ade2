/**
 * What the edge serves of its own, for any host. Visitors of customers' sites see these paths, so no brand is in them;
 * the edge's Lua holds the same words.
 */
const OWN = '/.well-known/cdn'

export const EDGE_PATHS = {
  /** What beacons and probes fetch; never kept. */
  test: `${OWN}/test.bin`,
  /** Half a megabyte, for throughput. */
  large: `${OWN}/large.bin`,
  /** The test object for a CDN that fetches it from here and keeps it. */
  kept: `${OWN}/object.bin`,
  health: `${OWN}/health`,
  /** Where the answer to a challenge goes. */
  clearance: `${OWN}/clearance`,
  /** Inside only: where nginx goes with what it refuses by itself. */
  refused: `${OWN}/refused`,
} as const
