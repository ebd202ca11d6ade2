import http from 'node:http'
import https from 'node:https'
import type { CachedSample } from '@fairway/contract'
import { lookupThrough, type Config } from '@fairway/platform'
import type { Pending } from './purger-store.ts'

/** `gone`: the CDN answers with something newer. `old`: with what it had, or with what cannot be told from it. */
export type Sight = { sample: CachedSample; state: 'gone' | 'old' | 'silent'; date: string }

const TIMEOUT_MS = 4_000
const NOWHERE = new Set(['0.0.0.0', '::'])

/**
 * Asks a CDN for an object that it held, as a visitor would, and compares the Date that the answer bears with the old
 * one's. Never rejects.
 */
export function lookAt(config: Config, pending: Pending, cname: string, sample: CachedSample): Promise<Sight> {
  const { edgeHttp, edgeHttps } = config
  const own =
    pending.driver === 'simulated' || pending.driver === 'fairway-edge'
      ? (pending.simulatedAddress ?? edgeHttp.host)
      : null
  const secure = sample.scheme === 'https'
  const port = own === null ? (secure ? 443 : 80) : (secure ? edgeHttps : edgeHttp).port
  return new Promise((resolve) => {
    const done = (state: Sight['state'], date = '') => resolve({ sample, state, date })
    const request = (secure ? https : http).request({
      host: own === null || NOWHERE.has(own) ? cname : own,
      port,
      path: sample.target,
      method: 'GET',
      agent: false,
      lookup: lookupThrough(config.resolver),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        host: sample.host,
        'user-agent': 'Fairway-Purge/1',
        'accept-encoding': 'identity',
        connection: 'close',
      },
      ...(secure ? { servername: sample.host, rejectUnauthorized: false } : {}),
    })
    request.on('error', () => done('silent'))
    request.on('response', (response) => {
      const date = response.headers.date ?? ''
      done((response.statusCode ?? 500) >= 500 ? 'silent' : isNewer(date, sample.date) ? 'gone' : 'old', date)
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
