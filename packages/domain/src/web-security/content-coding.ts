/** Codings of content that are undone before anybody looks at it (RFC 9110 8.4). */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd'
/** Why content could not be undone. */
export type CodingProblem = 'unknown-coding' | 'too-many-codings' | 'broken-coding' | 'expands-too-far'

/** So many codings, one within the other: nobody needs two, and each is work. */
export const MOST_CODINGS = 3
/** Text does not become so much smaller; what grows by more is made to fill somebody's memory. */
export const MOST_GROWTH = 200

const NAMES: Record<string, Coding | undefined> = {
  '=gzip': 'gzip',
  '=x-gzip': 'gzip',
  '=deflate': 'deflate',
  '=br': 'br',
  '=zstd': 'zstd',
}

/** The codings that a request names, in the order in which they were put on; `identity` is none. */
export function codingsOf(said: string[]): Coding[] | CodingProblem {
  const found: Coding[] = []
  for (const line of said)
    for (const one of line.split(',')) {
      const name = one.trim().toLowerCase()
      if (name === '' || name === 'identity') continue
      const coding = NAMES[`=${name}`]
      if (coding === undefined) return 'unknown-coding'
      found.push(coding)
    }
  return found.length > MOST_CODINGS ? 'too-many-codings' : found
}

/** What undoing one coding came to, in bytes. */
export type Undone = {
  /** At most one byte more than was asked for. */ text: string
  /** How much of what was given it took. */ used: number
  /** `unfinished`: what was given ends before the stream does. `full`: there is more than was asked for. */
  end: 'whole' | 'unfinished' | 'broken' | 'full'
}

/** Content as the rules read it. `cut`: there is more of it than is looked at. */
export type Opened = { text: string; cut: boolean; problem: '' | CodingProblem }

/** What one coding has left of content, `most` bytes at most; `sent` is how much the visitor has sent of it. */
export function afterUndoing({ text, used, end }: Undone, wasCut: boolean, most: number, sent: number): Opened {
  // What was cut off by us cannot be whole.
  if (end === 'broken' || (end === 'unfinished' && !wasCut)) return { text: '', cut: false, problem: 'broken-coding' }
  if (end !== 'full') return { text, cut: wasCut, problem: '' }
  if (text.length > MOST_GROWTH * (used < sent ? used : sent))
    return { text: '', cut: true, problem: 'expands-too-far' }
  return { text: text.slice(0, most), cut: true, problem: '' }
}

/** Numbered behind what else is said of bodies that cannot be read: they belong to every set, and exclusions may name them. */
export const UNOPENED: Record<CodingProblem, string> = {
  'unknown-coding': '200010',
  'broken-coding': '200011',
  'expands-too-far': '200012',
  'too-many-codings': '200013',
}

/** Whether a finding says that nobody could open the content. */
export const isUnopened = (ruleId: string): boolean => ruleId.startsWith('20001')

/** What is said of a body that could not be opened. */
export const unopened = (problem: CodingProblem) => ({
  ruleId: UNOPENED[problem],
  score: 5,
  variable: 'REQUEST_HEADERS:Content-Encoding',
  matched: '',
})
