import type { ObjectFinding } from '@fairway/contract'

/** A test object as it was answered; header names are lower case. */
export type ObjectSeen =
  | { status: number; headers: Readonly<Record<string, string | undefined>>; bytes: number | null }
  | { error: string; isCertificate: boolean }

const MOST_BYTES = 100_000
const seen = (check: ObjectFinding['check'], state: ObjectFinding['state'], text = ''): ObjectFinding => ({
  check,
  state,
  seen: text.slice(0, 300),
})

/**
 * What a browser on a page of `origin` needs: an answer, below 100 KB, that other pages may read (CORS) and time
 * (Timing-Allow-Origin). `bytes` is null when the object is longer than was read.
 */
export function judgeObject(object: ObjectSeen, { secure }: { secure: boolean }): ObjectFinding[] {
  const tls = secure ? seen('tls', 'good') : seen('tls', 'advice')
  if ('error' in object)
    return [
      seen('reachable', object.isCertificate ? 'unknown' : 'fault', object.isCertificate ? '' : object.error),
      ...(['status', 'size', 'cors', 'timing', 'cache'] as const).map((check) => seen(check, 'unknown')),
      object.isCertificate ? seen('tls', 'fault', object.error) : secure ? seen('tls', 'unknown') : tls,
    ]
  const { status, headers, bytes } = object
  const fine = status === 200
  const cors = headers['access-control-allow-origin'] ?? ''
  const timing = headers['timing-allow-origin'] ?? ''
  const cache = headers['cache-control'] ?? ''
  const size = bytes === null ? `> ${MOST_BYTES} B` : `${bytes} B`
  return [
    seen('reachable', 'good'),
    seen('status', fine ? 'good' : 'fault', String(status)),
    fine
      ? seen('size', bytes !== null && bytes < MOST_BYTES && bytes > 0 ? 'good' : 'fault', size)
      : seen('size', 'unknown'),
    seen('cors', cors.trim() === '*' ? 'good' : 'fault', cors),
    seen('timing', timing.split(',').some((one) => one.trim() === '*') ? 'good' : 'fault', timing),
    seen('cache', /\b(?:no-store|private|no-cache)\b|max-age=0\b/i.test(cache) ? 'advice' : 'good', cache),
    tls,
  ]
}

/** Everything that a measurement needs was seen right. */
export const isObjectRight = (findings: readonly ObjectFinding[]): boolean =>
  findings.length > 0 && findings.every(({ state }) => state === 'good' || state === 'advice')

/**
 * The object is at fault and not its CDN. One that cannot be reached, or answers 5xx, is not: visitors see the same, and
 * that is what they are to measure.
 */
export const isObjectAtFault = (findings: readonly ObjectFinding[]): boolean =>
  findings.some(({ check, state }) => check === 'reachable' && state === 'good') &&
  !findings.some(
    ({ check, state, seen: text }) => check === 'status' && state === 'fault' && /^(?:5|408|429)/.test(text),
  ) &&
  findings.some(({ state }) => state === 'fault')
