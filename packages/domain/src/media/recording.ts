import { type LivePlaylist, emptyLivePlaylist } from './live-playlist.ts'

/** One segment as it was kept: of which quality, of which time that the encoder began to send, and which of that. */
export type RecordedSegment = { rung: string; session: number; number: number; seconds: number; at: number }

/** One line for each, appended as they come: a process that dies loses no line but the one it was writing. */
export const recordedLine = ({ rung, session, number, seconds, at }: RecordedSegment): string =>
  `${rung} ${session} ${number} ${seconds.toFixed(5)} ${at}\n`

const LINE = /^(\d{1,5}p) (\d{1,8}) (\d{1,7}) (\d{1,3}\.\d{5}) (\d{1,14})$/

/** The inverse; what is cut off or none of ours is left out, and what stands there twice counts once. */
export function readRecorded(text: string): RecordedSegment[] {
  const found = new Map<string, RecordedSegment>()
  // Whatever stands behind the last line's end was not written to its end.
  for (const line of text.split('\n').slice(0, -1)) {
    const [, rung = '', session, number, seconds, at] = LINE.exec(line) ?? []
    if (rung === '' || Number(seconds) === 0) continue
    const one = {
      rung,
      session: Number(session),
      number: Number(number),
      seconds: Number(seconds),
      at: Number(at),
    }
    found.set(`${rung} ${nameOf(one)}`, one)
  }
  return [...found.values()]
}

const nameOf = ({ session, number }: Pick<RecordedSegment, 'session' | 'number'>): string => `r${session}s${number}`
export const recordedName = (segment: Pick<RecordedSegment, 'session' | 'number'>): string => `${nameOf(segment)}.m4s`
export const recordedMap = (session: number): string => `i${session}.mp4`

/**
 * The playlists of a recording, by quality: what every quality has, so that a player may change between them anywhere.
 * Where the encoder came back, or something is missing, stands a discontinuity: the time in between is cut out.
 */
export function recordedPlaylists(segments: readonly RecordedSegment[]): Map<string, LivePlaylist> {
  const byRung = Map.groupBy(segments, ({ rung }) => rung)
  const names = [...byRung.values()].map((all) => new Set(all.map(nameOf)))
  const lists = new Map<string, LivePlaylist>()
  for (const [rung, all] of byRung) {
    const common = all
      .filter((one) => names.every((has) => has.has(nameOf(one))))
      .sort((a, b) => a.session - b.session || a.number - b.number)
    if (common.length === 0) return new Map()
    const target = Math.max(1, ...common.map(({ seconds }) => Math.round(seconds)))
    lists.set(rung, {
      ...emptyLivePlaylist(target),
      hasEnded: true,
      segments: common.map((one, index) => {
        const before = common[index - 1]
        return {
          uri: recordedName(one),
          map: recordedMap(one.session),
          seconds: one.seconds,
          at: one.at,
          breaks: before !== undefined && (before.session !== one.session || before.number + 1 !== one.number),
        }
      }),
    })
  }
  return lists
}

/** What a recording is called among the videos. UTC, so that the order of names is that of time. */
export const recordingName = (stream: string, startedAt: Date, copy: number): string =>
  `${stream} ${startedAt.toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')}${copy > 1 ? ` (${copy})` : ''}.mp4`
