import type { CachedSample } from '@fairway/contract'
import { type Config, edgeHost, isWildcard, type OutgoingGate } from '@fairway/platform'
import type { Pending } from './purger-store.ts'

/** `gone`: the CDN answers with something newer. `old`: with what it had, or with what cannot be told from it. */
export type Sight = { sample: CachedSample; state: 'gone' | 'old' | 'silent'; date: string }

export type Look = { config: Config; gate: OutgoingGate }

const TIMEOUT_MS = 4_000
/** The answer's head is enough. */
const MOST_BYTES = 1 << 20

/** Served by our own nodes. */
export const isHouse = ({ driver }: Pick<Pending, 'driver'>): boolean =>
  driver === 'simulated' || driver === 'fairway-edge'

/**
 * Asks a CDN for an object that it held, as a visitor would, and compares the Date that the answer bears with the old
 * one's. Never rejects.
 */
export async function lookAt(look: Look, pending: Pending, cname: string, sample: CachedSample): Promise<Sight> {
  const { edgeHttp, edgeHttps } = look.config
  const house = isHouse(pending)
  const own = house ? (pending.simulatedAddress ?? edgeHost(look.config)) : null
  const secure = sample.scheme === 'https'
  const port = house ? (secure ? edgeHttps : edgeHttp).port : secure ? 443 : 80
  const silent: Sight = { sample, state: 'silent', date: '' }
  const url = URL.parse(`${sample.scheme}://${sample.host}`)
  if (url === null) return silent
  const opened = await look.gate
    .request(
      { organizationId: pending.organizationId, purpose: 'purge-check' },
      {
        url,
        path: sample.target,
        connectTo: { host: own === null || isWildcard(own) ? cname : own, port },
        own: house,
        timeoutMs: TIMEOUT_MS,
        mostBytes: MOST_BYTES,
        headers: { host: sample.host, 'user-agent': 'Fairway-Purge/1', 'accept-encoding': 'identity' },
        checkCertificate: false,
      },
    )
    .catch(() => null)
  if (opened === null) return silent
  const { request } = opened
  return new Promise((resolve) => {
    request.on('error', () => resolve(silent))
    request.on('response', (response) => {
      const date = response.headers.date ?? ''
      const state = (response.statusCode ?? 500) >= 500 ? 'silent' : isNewer(date, sample.date) ? 'gone' : 'old'
      resolve({ sample, state, date })
      request.destroy()
    })
    request.end()
  })
}

/** By the origin's own clock on both sides, so it may be wrong; it only has to go on. */
function isNewer(date: string, before: string): boolean {
  const [now, then] = [Date.parse(date), Date.parse(before)]
  return !Number.isNaN(now) && (Number.isNaN(then) || now > then)
}
