import type { CdnScores } from '@fairway/contract'

/** The API takes posts of four megabytes, and nodes keep a snapshot of every organisation in memory. */
export const SNAPSHOT_BYTES = 2_000_000
/** No measure, and nothing that a feed says of a place, is written in more. */
const FIGURE_BYTES = 700

const COARSENESS = ['world', 'continent', 'country', 'region', 'city']

/** The coarser the greater: a city within a network first, the world last. */
const rankOf = (key: string): number =>
  (COARSENESS.length - COARSENESS.indexOf(key.split(/[:|]/, 1)[0] ?? '')) * 2 - (key.includes('|') ? 1 : 0)

type Sized = { places: CdnScores['places']; key: string; bytes: number; rank: number; samples: number }

/**
 * Takes places out of `cdns` until they are written in at most so many bytes: the finest first, and of those the ones
 * with the fewest samples, since a coarser place answers for them. Answers how many were taken.
 */
export function keepWithin(cdns: Record<string, CdnScores>, mostBytes = SNAPSHOT_BYTES): number {
  if (figuresIn(cdns) * FIGURE_BYTES <= mostBytes) return 0
  const all = Object.values(cdns).flatMap(({ places }) =>
    Object.entries(places).map(([key, place]): Sized => {
      const { rum, sum, nel, edge, feed = [] } = place
      const samples = [rum, sum, nel, edge, ...feed].reduce((total, one) => total + (one?.samples ?? 0), 0)
      const bytes = Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(place)) + 2
      return { places, key, bytes, rank: rankOf(key), samples }
    }),
  )
  let left = all.reduce((total, { bytes }) => total + bytes, 0)
  if (left <= mostBytes) return 0
  let taken = 0
  for (const { places, key, bytes } of all.sort((a, b) => a.rank - b.rank || a.samples - b.samples)) {
    if (left <= mostBytes) break
    delete places[key]
    left -= bytes
    taken++
  }
  return taken
}

function figuresIn(cdns: Record<string, CdnScores>): number {
  let figures = 0
  for (const { places } of Object.values(cdns))
    for (const place of Object.values(places)) figures += Object.keys(place).length + (place.feed?.length ?? 0)
  return figures
}
