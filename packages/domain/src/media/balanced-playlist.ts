import type { StreamPathway } from '@fairway/contract'

const VARIANT = '#EXT-X-STREAM-INF:'
const BESIDE = /^#EXT-X-MEDIA:.*$/
/** Quoted texts whole: a name may hold what looks like another attribute. */
const ATTRIBUTE = /([A-Z0-9-]+)="([^"]*)"/g
const GROUPS: ReadonlySet<string> = new Set(['GROUP-ID', 'AUDIO', 'SUBTITLES'])

/** What a playlist that names none calls where it came from (RFC 8216bis 4.4.6.2). */
export const ENTRY_PATHWAY = '.'

/** Whether a multivariant playlist of ours is that of a file, and not of a live stream (`masterPlaylist`). */
export const isOfFile = (master: string): boolean => master.includes('\n#EXT-X-START:TIME-OFFSET=0\n')

/**
 * A multivariant playlist of ours with each variant once for each pathway, and where players ask which to take (RFC
 * 8216bis 4.4.6.6). `folder` is its path with a slash at both ends. `scheme` is `https:`, or empty for the playlist's
 * own, and all pathways are asked at one port: a host that is replaced later cannot bring one along.
 */
export function balancedPlaylist(
  master: string,
  of: { pathways: readonly StreamPathway[]; serverUri: string; folder: string; scheme: '' | 'https:'; port: string },
): string {
  const lines = master.split('\n').filter((line) => line !== '')
  const head = lines.filter((line) => line.startsWith('#') && !BESIDE.test(line) && !line.startsWith(VARIANT))
  const first = of.pathways.reduce<StreamPathway | undefined>(
    (heaviest, one) => (heaviest && heaviest.weight >= one.weight ? heaviest : one),
    undefined,
  )
  const body = of.pathways.flatMap(({ id, host }) => {
    const at = (uri: string) => `${of.scheme}//${host}${of.port}${of.folder}${uri}`
    const own = (line: string) =>
      line.replaceAll(ATTRIBUTE, (whole, name: string, value: string) =>
        GROUPS.has(name) ? `${name}="${value}-${id}"` : name === 'URI' ? `URI="${at(value)}"` : whole,
      )
    return lines.flatMap((line) => {
      if (BESIDE.test(line)) return [own(line)]
      if (line.startsWith(VARIANT)) return [`${own(line)},PATHWAY-ID="${id}"`]
      return line.startsWith('#') ? [] : [at(line)]
    })
  })
  const steering = `#EXT-X-CONTENT-STEERING:SERVER-URI="${of.serverUri}",PATHWAY-ID="${first?.id ?? ''}"`
  return `${[...head, steering, ...body].join('\n')}\n`
}

/**
 * The same where addresses are signed: they stay relative, so that each viewer's token goes on with them, and players
 * are told of the other hosts as copies with another name (`PATHWAY-CLONES`). What all viewers get holds no token.
 */
export function enteredPlaylist(master: string, serverUri: string): string {
  const steering = `#EXT-X-CONTENT-STEERING:SERVER-URI="${serverUri}",PATHWAY-ID="${ENTRY_PATHWAY}"`
  const lines = master.split('\n').filter((line) => line !== '')
  const at = lines.findIndex((line) => BESIDE.test(line) || line.startsWith(VARIANT))
  return `${lines.toSpliced(at < 0 ? lines.length : at, 0, steering).join('\n')}\n`
}
