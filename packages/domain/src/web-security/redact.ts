import { lowerAscii } from './bytes.ts'
import { decoded } from './target.ts'

/** Stands for what is kept nowhere. A byte no header or target may hold begins it, so nobody's own text reads like it. */
export const REDACTED = '\u0001redacted'

const PARTS = [
  'pass',
  'pwd',
  'secret',
  'token',
  'auth',
  'sess',
  'jwt',
  'apikey',
  'api_key',
  'api-key',
  'credential',
  'signature',
  'cookie',
  'card',
  'cvv',
  'iban',
]
const WHOLE: Record<string, boolean | undefined> = { sid: true, key: true, code: true, sig: true, pin: true, otp: true }

/** Whether what goes by this name lets somebody in, pay or sign: a password, a token, a number of a card. */
export function isSecretName(name: string): boolean {
  const small = lowerAscii(decoded(name, true))
  if (WHOLE[small] === true) return true
  for (const part of PARTS) if (small.includes(part)) return true
  return false
}

/** A target or query with the values of secret parameters taken out. */
export function redactedTarget(target: string): string {
  const mark = target.indexOf('?')
  if (mark < 0) return target
  const pairs: string[] = []
  for (const pair of target.slice(mark + 1).split('&')) {
    const equals = pair.indexOf('=')
    const isSecret = equals >= 0 && equals + 1 < pair.length && isSecretName(pair.slice(0, equals))
    pairs.push(isSecret ? `${pair.slice(0, equals)}=${REDACTED}` : pair)
  }
  return `${target.slice(0, mark)}?${pairs.join('&')}`
}

/** Cookies with their names alone: each may be somebody's session. */
export function redactedCookies(line: string): string {
  const kept: string[] = []
  for (const part of line.split(';')) {
    const equals = part.indexOf('=')
    kept.push(equals < 0 ? part : `${part.slice(0, equals)}=${REDACTED}`)
  }
  return kept.join(';')
}

/** A header's value as it may be kept. The name is in small letters. */
export function redactedHeader(name: string, value: string): string {
  if (name === 'cookie') return redactedCookies(value)
  if (name === 'referer') return redactedTarget(value)
  return isSecretName(name) ? REDACTED : value
}
