import { hexDigit } from './bytes.ts'
import { bytesOfWords, sha256After, sha256Block, sha256Start, type Sha256State } from './sha256.ts'

/**
 * What a key of HMAC-SHA-256 (RFC 2104) comes down to: the states after its two pads. The edge holds these alone, and
 * saves half of the work.
 */
export type MacKey = { inner: Sha256State; outer: Sha256State }

/** `key` in bytes, at most 64. */
export function macKey(key: string): MacKey {
  const padded = (pad: number): Sha256State => {
    const words: number[] = []
    for (let i = 0; i < 16; i++) {
      let word = 0
      for (let j = 0; j < 4; j++) {
        const at = i * 4 + j
        word = (word << 8) | ((at < key.length ? key.charCodeAt(at) : 0) ^ pad)
      }
      words.push(word)
    }
    return sha256Block(sha256Start(), words)
  }
  return { inner: padded(0x36), outer: padded(0x5c) }
}

/** The eight words of a text's HMAC. */
export function macOf({ inner, outer }: MacKey, text: string): Sha256State {
  return sha256After(outer, 64, bytesOfWords(sha256After(inner, 64, text)))
}

/** A server's clock may be ahead of the edge's by so much. */
const AHEAD_SECONDS = 60

/**
 * What is wrong with a token for a path; empty when nothing is. A token is the epoch second it was made in, a hyphen,
 * and the HMAC of path, line feed and that second, in small hexadecimal digits.
 */
export function tokenProblem(
  key: MacKey,
  path: string,
  token: string,
  seconds: number,
  now: number,
): '' | 'token-invalid' | 'token-expired' {
  const hyphen = token.indexOf('-')
  if (hyphen < 1 || hyphen > 12 || token.length !== hyphen + 65) return 'token-invalid'
  let at = 0
  for (let i = 0; i < hyphen; i++) {
    const digit = token.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return 'token-invalid'
    at = at * 10 + digit
  }
  const words = macOf(key, `${path}\n${token.slice(0, hyphen)}`)
  // All words are looked at, however early one differs: how long it takes says nothing of the right ones.
  let difference = 0
  for (let i = 0; i < 8; i++) {
    let said = 0
    for (let j = 0; j < 8; j++) {
      const digit = hexDigit(token.charCodeAt(hyphen + 1 + i * 8 + j))
      difference |= digit < 0 ? 1 : 0
      said = (said << 4) | (digit & 15)
    }
    difference |= said ^ (words[i] ?? 0)
  }
  if (difference !== 0) return 'token-invalid'
  if (at > now + AHEAD_SECONDS) return 'token-invalid'
  return now >= at + seconds ? 'token-expired' : ''
}
