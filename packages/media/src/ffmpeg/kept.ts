import fs from 'node:fs'
import path from 'node:path'
import { segmentsOf } from './measure.ts'

/** What an attempt before this one has made whole of a quality, and is not made again. */
export type Kept = { segments: number; seconds: number; isWhole: boolean }

const INDEX = 'index.m3u8'
/** What comes behind it has a playlist and a beginning of its own, which nobody is told of. */
export const REST = { index: 'rest.m3u8', init: 'rest.mp4' } as const
const END = '#EXT-X-ENDLIST'

/**
 * Takes over what lies in the folder of an attempt that was cut off. Its files have both names from then on: whoever
 * plays by the old ones goes on. Null when there is nothing whole.
 */
export function keep(from: string, to: string): Kept | null {
  const text = read(path.join(from, INDEX))
  const segments = segmentsOf(text)
  const names = ['init.mp4', ...segments.map(({ name }) => name)]
  if (segments.length === 0 || !names.every((name) => fs.existsSync(path.join(from, name)))) return null
  fs.mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of names) {
    fs.rmSync(path.join(to, name), { force: true })
    fs.linkSync(path.join(from, name), path.join(to, name))
  }
  write(path.join(to, INDEX), text)
  const seconds = segments.reduce((sum, one) => sum + one.seconds, 0)
  return { segments: segments.length, seconds, isWhole: text.includes(END) }
}

/** How many segments an attempt has made whole. */
export const keptIn = (folder: string): number => segmentsOf(read(path.join(folder, INDEX))).length

/** Nothing of it is missing. */
export const isWhole = (folder: string): boolean => read(path.join(folder, INDEX)).includes(END)

/**
 * Says in the playlist what has come behind the part that was kept. False when it cannot be played together with that,
 * since it was not made by the same encoder.
 */
export function join(folder: string, kept: Kept): boolean {
  const rest = read(path.join(folder, REST.index))
  if (segmentsOf(rest).length === 0) return true
  const own = avcOf(path.join(folder, 'init.mp4'))
  if (own === null || avcOf(path.join(folder, REST.init)) !== own) return false
  const before = read(path.join(folder, INDEX))
  const lines = [
    ...headOf(before, rest),
    ...entriesOf(before).slice(0, kept.segments),
    ...entriesOf(rest),
    ...(rest.includes(END) ? [END] : []),
  ]
  const text = `${lines.join('\n')}\n`
  if (text !== before) write(path.join(folder, INDEX), text)
  return true
}

/** Only of use while it is made. */
export function forgetRest(folder: string): void {
  for (const name of Object.values(REST)) fs.rmSync(path.join(folder, name), { force: true })
}

const entriesOf = (playlist: string): string[] =>
  [...playlist.matchAll(/^#EXTINF:[^\n]*\n[\w.]+$/gm)].map(([entry]) => entry)

/** The longest segment may be in either. */
function headOf(before: string, rest: string): string[] {
  const target = (text: string) => Number(/^#EXT-X-TARGETDURATION:(\d+)$/m.exec(text)?.[1] ?? 0)
  const head = before.slice(0, before.indexOf('#EXTINF:')).trim()
  const longest = Math.max(target(before), target(rest))
  return head.replace(/^#EXT-X-TARGETDURATION:.*$/m, `#EXT-X-TARGETDURATION:${longest}`).split('\n')
}

/** What a decoder has to know before the first picture, as text to compare. */
function avcOf(init: string): string | null {
  const bytes = fs.existsSync(init) ? fs.readFileSync(init) : Buffer.alloc(0)
  const at = bytes.indexOf('avcC')
  return at < 4 ? null : bytes.subarray(at, at - 4 + bytes.readUInt32BE(at - 4)).toString('hex')
}

const read = (file: string): string => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')

/** Readers see the old file or the new one. */
function write(file: string, text: string): void {
  fs.writeFileSync(`${file}.new`, text)
  fs.renameSync(`${file}.new`, file)
}
