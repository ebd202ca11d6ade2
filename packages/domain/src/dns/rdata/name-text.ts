import type { ZoneFileFault } from '@fairway/contract'
import { escapeBytes, readCharacter } from './escapes.ts'

/**
 * Labels of a name from left to right as bytes, in lower case since that is how names are compared (RFC 4343). The root
 * has none.
 */
export type Labels = readonly (readonly number[])[]

const LABEL_BYTES = 63
const NAME_BYTES = 255

/** Reads a name in presentation form: one without the last dot is below `origin`, and `@` is the origin. */
export function readName(text: string, origin: Labels): { labels: Labels } | { fault: ZoneFileFault } {
  if (text === '@') return { labels: origin }
  if (text === '.') return { labels: [] }
  const labels: number[][] = []
  let label: number[] = []
  for (let at = 0; at < text.length;) {
    if (text.charCodeAt(at) === 46) {
      if (label.length === 0) return { fault: 'emptyLabel' }
      labels.push(label)
      label = []
      at++
      continue
    }
    const character = readCharacter(text, at)
    if (character === null) return { fault: 'badEscape' }
    for (const byte of character.bytes) label.push(byte >= 65 && byte <= 90 ? byte + 32 : byte)
    if (label.length > LABEL_BYTES) return { fault: 'longLabel' }
    at = character.next
  }
  if (label.length === 0 && labels.length === 0) return { fault: 'emptyLabel' }
  const all = label.length === 0 ? labels : [...labels, label, ...origin]
  return wireLength(all) > NAME_BYTES ? { fault: 'longName' } : { labels: all }
}

const PLAIN = /^[a-z0-9_*-]{1,63}(?:\.[a-z0-9_*-]{1,63})*\.?$/i

/** An origin, with its text as `nameText` writes it. */
export type Origin = { labels: Labels; text: string }

/** The same as `nameText` writes it; of plain names, as nearly all are, nothing is taken apart. */
export function readNameText(
  text: string,
  { labels, text: origin }: Origin,
): { name: string } | { fault: ZoneFileFault } {
  const above = text.endsWith('.') ? '' : origin === '.' ? '.' : `.${origin}`
  // Without escapes a name has one byte more on the wire than in its text.
  if (PLAIN.test(text) && !above.includes('\\') && text.length + above.length < NAME_BYTES)
    return { name: `${text.toLowerCase()}${above}` }
  const read = readName(text, labels)
  return 'labels' in read ? { name: nameText(read.labels) } : read
}

/** Labels of a name that is known to be absolute and well-formed, as `nameText` writes it. */
export function labelsOf(text: string): Labels {
  const read = readName(text, [])
  return 'labels' in read ? read.labels : []
}

/** Absolute presentation form with the last dot; `.` is the root. */
export const nameText = (labels: Labels): string =>
  labels.length === 0 ? '.' : labels.reduce((text, label) => `${text}${escapeBytes(label, '."();@$\\ ')}.`, '')

const wireLength = (labels: Labels): number => labels.reduce((sum, label) => sum + label.length + 1, 1)

/** Wire form (RFC 1035 3.1). */
export const nameBytes = (labels: Labels): number[] => [...labels.flatMap((label) => [label.length, ...label]), 0]

/**
 * Labels of `name` above `parent`, or null when it is neither `parent` nor below it. Text would mislead: in
 * `a\.example.com` the first dot parts nothing.
 */
export function labelsBelow(name: Labels, parent: Labels): Labels | null {
  const own = name.length - parent.length
  return own >= 0 && compareNames(name.slice(own), parent) === 0 ? name.slice(0, own) : null
}

/** Order of names in a zone (RFC 4034 6.1): by labels from the right, a name before those below it. */
export function compareNames(a: Labels, b: Labels): number {
  for (let back = 1; back <= Math.min(a.length, b.length); back++) {
    const order = compareBytes(a[a.length - back] ?? [], b[b.length - back] ?? [])
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareBytes(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = (a[at] ?? 0) - (b[at] ?? 0)
    if (order !== 0) return order
  }
  return a.length - b.length
}
