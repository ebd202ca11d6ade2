import { cookiesOf, networkOf } from '@fairway/domain/web-security'
import { presentPool, taskOf } from './captchas.ts'
import { countsOf, soundOf } from './tones.ts'

export const COOKIE = 'fairway_clearance'
/** As long as a challenge may take to be solved. */
const SOLVE_SECONDS = 600
/** A person reads for so long at least; a program that answers at once is none. */
const READ_SECONDS = 2
/** No clearance lasts longer than a day. One that says so was made while a clock was ahead. */
const MOST_SECONDS = 86_400 + SOLVE_SECONDS
/** Who sends more cookies of the name than this wants us to work. */
const MOST_COOKIES = 8

/** What a challenge is about: nothing in it is secret, and nobody else can make one. */
export type Challenge = {
  seed: string
  bits: number
  question: [number, number]
  /** Of a question to a person, where there is one; empty otherwise. */ picture: string
}

/** What only this installation can sign. */
export function signed(key: string, text: string): string {
  const digest = ngx.hmac_sha1(key, text)
  const parts: string[] = []
  for (let i = 0; i < digest.length; i++) parts.push(string.format('%02x', digest.charCodeAt(i)))
  return parts.join('')
}

const bound = (kind: string, strength: number, at: number): string =>
  [kind, ngx.var.host ?? '', networkOf(ngx.var.remote_addr ?? ''), `${strength}`, `${at}`].join('\n')

/** Whether the visitor's cookie says that a challenge at least so hard was solved, here and not too long ago. */
export function isCleared(key: string, strength: number): boolean {
  // Before a node has been told its secret, everybody could sign.
  if (key === '') return false
  const now = ngx.time()
  const values = cookiesOf([ngx.var.http_cookie ?? ''], COOKIE)
  for (let i = 0; i < values.length && i < MOST_COOKIES; i++) {
    const [level, until] = (values[i] ?? '').split('.')
    const solved = tonumber(level) ?? 0
    const end = tonumber(until) ?? 0
    // As it was written and in no other way: `0x1` is a number, too.
    if (solved >= strength && end > now && end <= now + MOST_SECONDS && values[i] === clearance(key, solved, end))
      return true
  }
  return false
}

const clearance = (key: string, strength: number, until: number): string =>
  `${strength}.${until}.${signed(key, bound('clearance', strength, until))}`

/** The hardest challenge that the visitor has solved; 0 for none. */
export function clearedStrength(key: string): number {
  for (const strength of [3, 2, 1]) if (isCleared(key, strength)) return strength
  return 0
}

/** The cookie that says so. */
export function clearanceCookie(key: string, strength: number, seconds: number): string {
  const until = ngx.time() + seconds
  const secure = ngx.var.scheme === 'https' ? '; Secure' : ''
  return `${COOKIE}=${clearance(key, strength, until)}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Leading zero bits that a browser looks for: tens of thousands of digests, a moment for each. */
const BITS: Record<number, number | undefined> = { 1: 12, 2: 15, 3: 15 }

/** From which strength on a person answers, not a browser. */
const BY_A_PERSON = 3

/** A challenge that only this visitor's network can answer, on this host. `rule` is who asks; it is counted by it. */
export function newChallenge(key: string, strength: number, seconds: number, rule: string): Challenge {
  const now = ngx.time()
  const pool = strength >= BY_A_PERSON ? presentPool() : ''
  // Two visitors of one network in one second are asked two questions.
  const salt = ngx.var.fw_incident ?? ''
  const mark = signed(key, bound(`challenge ${seconds} ${pool} ${salt} ${rule}`, strength, now))
  return {
    seed: `${strength}.${seconds}.${now}.${mark}.${pool}.${salt}.${rule}`,
    bits: BITS[strength] ?? 15,
    question: questionOf(mark),
    picture: pool === '' ? '' : (taskOf(pool, mark)?.svg ?? ''),
  }
}

/** Two numbers that go with a mark. */
function questionOf(mark: string): [number, number] {
  return [1 + ((tonumber(`0x${mark.slice(0, 4)}`) ?? 0) % 9), 1 + ((tonumber(`0x${mark.slice(4, 8)}`) ?? 0) % 9)]
}

type Seed = { strength: number; seconds: number; age: number; mark: string; pool: string; rule: string }

/** What a seed says; undefined for one that is not ours, not this visitor's, or too old. */
function seedOf(key: string, seed: string): Seed | undefined {
  const [level, lasts, at, mark, pool, salt, rule] = seed.split('.')
  const strength = tonumber(level) ?? 0
  const seconds = tonumber(lasts) ?? 0
  const issued = tonumber(at) ?? 0
  const age = ngx.time() - issued
  if (key === '' || mark === undefined || age < 0 || age > SOLVE_SECONDS) return undefined
  const rest = `${pool ?? ''}.${salt ?? ''}.${rule ?? ''}`
  const said = `challenge ${seconds} ${pool ?? ''} ${salt ?? ''} ${rule ?? ''}`
  const isExact = seed === `${strength}.${seconds}.${issued}.${mark}.${rest}`
  if (!isExact || mark !== signed(key, bound(said, strength, issued))) return undefined
  return { strength, seconds, age, mark, pool: pool ?? '', rule: rule ?? '' }
}

/** The tones of a question, for those who cannot see it; undefined for a seed that is none. */
export function soundOfSeed(key: string, seed: string): string | undefined {
  const found = seedOf(key, seed)
  return found === undefined || found.pool === '' ? undefined : soundOf(tonesOf(key, found.mark))
}

// The mark is known to whoever sees the page, so the counts are made from it with the secret.
const tonesOf = (key: string, mark: string): string => countsOf(signed(key, `tones ${mark}`))

export type Answer = { nonce: string; sum: string; text: string }

/** What a right answer clears: strength and seconds; undefined for a wrong one, or one that comes too late or soon. */
export function solved(
  key: string,
  seed: string,
  answer: Answer,
): { strength: number; seconds: number; rule: string } | undefined {
  const found = seedOf(key, seed)
  if (found === undefined) return undefined
  const { strength, seconds, age, mark, rule } = found
  if (strength < BY_A_PERSON && answer.nonce !== '') {
    if (answer.nonce.length > 20 || zeroBits(ngx.sha1_bin(`${seed}${answer.nonce}`)) < (BITS[strength] ?? 15))
      return undefined
  } else if (age < READ_SECONDS) return undefined
  else if (!isRight(key, found, answer)) {
    // Nobody guesses at one question twice.
    ngx.shared.challenges.add(`s${mark}`, '1', SOLVE_SECONDS)
    return undefined
  }
  // Each opens one door once.
  const [added] = ngx.shared.challenges.add(`s${mark}`, '1', SOLVE_SECONDS)
  return added === true ? { strength, seconds, rule } : undefined
}

/** Which rule's challenge a browser has shown; undefined for a seed that is none, and from the second time on. */
export function shownRule(key: string, seed: string): string | undefined {
  const found = seedOf(key, seed)
  if (found === undefined) return undefined
  const [added] = ngx.shared.challenges.add(`n${found.mark}`, '1', SOLVE_SECONDS)
  return added === true ? found.rule : undefined
}

/** Whether a person's answer is right: what is on the picture, or how many tones there are; else the sum. */
function isRight(key: string, { mark, pool }: Seed, { sum, text }: Answer): boolean {
  if (pool === '') {
    const [a, b] = questionOf(mark)
    return sum === `${a + b}`
  }
  const [typed] = string.gsub(text, '%s', '')
  const task = taskOf(pool, mark)
  return typed.toLowerCase() === (task?.text ?? '\0') || typed === tonesOf(key, mark)
}

function zeroBits(digest: string): number {
  let bits = 0
  for (let i = 0; i < digest.length; i++) {
    let byte = digest.charCodeAt(i)
    if (byte === 0) bits += 8
    else {
      while (byte < 128) {
        bits += 1
        byte *= 2
      }
      return bits
    }
  }
  return bits
}
