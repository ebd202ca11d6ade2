const FIRST_MS = 5_000
const MOST_MS = 30_000
const LOOK_MS = 15_000
const FETCH_MS = 10_000

/**
 * How long to wait before a live stream is asked for again that could not be had `tries` times.
 * @param chance 0 to 1: all viewers lose a stream in the same moment, and do not come back in one
 */
export const againAfter = (tries: number, chance: number): number =>
  Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(tries, 8) * (1 + chance))

/** How long to wait before it is looked whether a stream that has ended is on air again. */
export const lookAfter = (chance: number): number => LOOK_MS * (1 + chance)

/** The first playlist that a main playlist names; null when there is none. */
export function firstPlaylist(main: string, base: string): string | null {
  const line = main.split(/\r?\n/).find((one) => one !== '' && !one.startsWith('#'))
  return line === undefined ? null : (URL.parse(line, base)?.href ?? null)
}

/** Whether a playlist is one of a broadcast that goes on. */
export const isOnAir = (playlist: string): boolean =>
  playlist.includes('#EXTINF:') && !playlist.includes('#EXT-X-ENDLIST')

/** Whether what a main playlist leads to is on air; false also when it cannot be had. */
export async function isOnAirAt(src: string): Promise<boolean> {
  const text = async (url: string) => {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) })
    return response.ok ? response.text() : ''
  }
  try {
    const next = firstPlaylist(await text(src), src)
    return next !== null && isOnAir(await text(next))
  } catch {
    return false
  }
}
