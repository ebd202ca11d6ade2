import { type CaptionFault, LIMITS } from '@fairway/contract'
import { cleanText } from './clean-text.ts'
import { timeOf } from './read-time.ts'
import { settingsOf } from './settings.ts'
import { clock } from './write.ts'

/** Times in milliseconds of the film. */
type Cue = { from: number; to: number; settings: string; text: string }
type ReadCaptions = { cues: number; endsAt: number; text: string }
type CaptionProblem = { fault: CaptionFault; line: number }

const HEAD = /^WEBVTT(?:[ \t].*)?$/
const NO_CUE = /^(?:NOTE(?:[ \t].*)?|(?:STYLE|REGION)[ \t]*)$/
const ARROW = '-->'
const VTT_TIMES =
  /^[ \t]*((?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]+-->[ \t]+((?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3})(?:[ \t]+(.*))?$/
const SRT_TIMES =
  /^[ \t]*(\d{1,4}:[0-5]\d:[0-5]\d[,.]\d{1,3})[ \t]*-->[ \t]*(\d{1,4}:[0-5]\d:[0-5]\d[,.]\d{1,3})(?:[ \t].*)?$/
/** Beside line ends and tabs: nothing that a text has, and what a file in another encoding is full of. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/**
 * Reads WebVTT or SubRip and writes it as WebVTT: times checked and in order, markup that WebVTT does not know taken
 * out, styles and notes left behind. Strict, so that whoever sends a file learns what is wrong with it, and where.
 */
export function readCaptions(bytes: Uint8Array): ReadCaptions | CaptionProblem {
  const text = decode(bytes)
  if (typeof text !== 'string') return text
  const lines = text.split(/\r\n|\r|\n/)
  const odd = lines.findIndex((line) => CONTROL.test(line))
  if (odd >= 0) return { fault: 'validation.captionControl', line: odd + 1 }
  const isVtt = HEAD.test(lines[0] ?? '')
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first < 0) return { fault: 'validation.captionNone', line: 1 }
  if (!isVtt && !SRT_TIMES.test(lines[first] ?? '') && !SRT_TIMES.test(lines[first + 1] ?? ''))
    return { fault: 'validation.captionFormat', line: first + 1 }
  const cues = cuesOf(lines, isVtt)
  if (!Array.isArray(cues)) return cues
  if (cues.length === 0) return { fault: 'validation.captionNone', line: 1 }
  const sorted = cues.toSorted((one, other) => one.from - other.from || one.to - other.to)
  const endsAt = sorted.reduce((latest, { to }) => Math.max(latest, to), 0) / 1000
  return { cues: sorted.length, endsAt, text: writeCaptions(sorted) }
}

export const isCaptionProblem = (read: ReadCaptions | CaptionProblem): read is CaptionProblem => 'fault' in read

const writeCaptions = (cues: readonly Cue[]): string =>
  `WEBVTT\n${cues.map(({ from, to, settings, text }) => `\n${clock(from)} ${ARROW} ${clock(to)}${settings && ` ${settings}`}\n${text}\n`).join('')}`

function cuesOf(lines: readonly string[], isVtt: boolean): Cue[] | CaptionProblem {
  const cues: Cue[] = []
  let next = isVtt ? endOf(lines, 0) : 0
  for (;;) {
    while (next < lines.length && isBlank(lines[next])) next++
    if (next >= lines.length) return cues
    const at = next
    const end = endOf(lines, at)
    next = end
    if (isVtt && NO_CUE.test(lines[at] ?? '')) continue
    const line = lines[at]?.includes(ARROW) ? at : at + 1
    const times = timesOf(lines[line] ?? '', isVtt)
    if (times === null) return { fault: 'validation.captionTime', line: Math.min(line, end - 1) + 1 }
    const { from, to, settings } = times
    if (to < from) return { fault: 'validation.captionOrder', line: line + 1 }
    if (to > LIMITS.captions.seconds * 1000) return { fault: 'validation.captionLate', line: line + 1 }
    const said = lines.slice(line + 1, end)
    // A blank line is missing: what follows would be read as words.
    const arrow = said.findIndex((one) => one.includes(ARROW))
    if (arrow >= 0) return { fault: 'validation.captionArrow', line: line + arrow + 2 }
    if (said.reduce((sum, one) => sum + one.length, 0) > LIMITS.captions.characters)
      return { fault: 'validation.captionLong', line: line + 1 }
    const text = cleanText(said.join('\n'), { isVtt, from, to })
    // What lasts no time, or says nothing, is seen by nobody.
    if (to === from || text === '') continue
    if (cues.length >= LIMITS.captions.cues) return { fault: 'validation.captionMany', line: line + 1 }
    cues.push({ from, to, settings, text })
  }
}

const isBlank = (line = ''): boolean => line.trim() === ''

/** The blank line after a block, or the end. */
function endOf(lines: readonly string[], at: number): number {
  let end = at
  while (end < lines.length && !isBlank(lines[end])) end++
  return end
}

function timesOf(line: string, isVtt: boolean): { from: number; to: number; settings: string } | null {
  const [, from, to, settings] = (isVtt ? VTT_TIMES : SRT_TIMES).exec(line) ?? []
  if (from === undefined || to === undefined) return null
  return { from: timeOf(from), to: timeOf(to), settings: isVtt ? settingsOf(settings ?? '') : '' }
}

/** UTF-8 and nothing else, with or without its mark. A letter that was lost on the way here is found as well. */
function decode(bytes: Uint8Array): string | CaptionProblem {
  const strict = new TextDecoder('utf-8', { fatal: true })
  const read = (part: Uint8Array): string | null => {
    try {
      const text = strict.decode(part)
      return text.includes('\uFFFD') ? null : text
    } catch {
      return null
    }
  }
  const whole = read(bytes)
  if (whole !== null) return whole
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start)
    const next = end < 0 ? bytes.length : end + 1
    if (read(bytes.subarray(start, next)) === null) return { fault: 'validation.captionEncoding', line }
    start = next
  }
  return { fault: 'validation.captionEncoding', line: 1 }
}
