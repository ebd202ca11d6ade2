import crypto from 'node:crypto'
import { trustApiAuthorities } from './api-authorities.ts'
import type { Config } from './config.ts'
import { urlOf } from './host-port.ts'
import { nodeSecret } from './node-sealing.ts'
import { nodeToken, sameSecret } from './secrets.ts'

/** One that did not take something is asked after the others for so long. */
const AWAY_MS = 10_000

/** The origin of every collector of the installation. */
export const collectorsOf = ({
  collectors,
  collectorListen,
}: Pick<Config, 'collectors' | 'collectorListen'>): readonly string[] =>
  collectors.length > 0
    ? collectors.map((one) => (one.startsWith('https://') ? one : `http://${one}`))
    : [urlOf(collectorListen)]

/** Whether what one collector has taken may come to another one too. */
export const hasSeveralCollectors = (config: Pick<Config, 'collectors' | 'collectorListen'>): boolean =>
  collectorsOf(config).length > 1

/** What collectors are shown. Whoever overhears it can neither ask the API anything nor open what is sealed for nodes. */
const collectorToken = (config: Config): string => nodeSecret(config, 'collector posts', 32).toString('base64url')

/** The header by which a collector knows nodes, the API and other collectors. */
export const collectorAuthorization = (config: Config): string => `Bearer ${collectorToken(config)}`

/** Whether a header shows a node, the API or another collector of this installation. */
export type CollectorCaller = (authorization: string | undefined) => boolean

/** Nodes of the release before show the token that they show to the API. */
export function isCollectorCaller(config: Config): CollectorCaller {
  const shown = [collectorAuthorization(config), `Bearer ${nodeToken(config)}`]
  return (authorization = '') => shown.filter((one) => sameSecret(authorization, one)).length > 0
}

/**
 * Asks a collector as one that it knows.
 * @throws what fetch does, and Problem when the authorities that are to be trusted cannot be read
 */
export async function askCollector(config: Config, url: string | URL, init: RequestInit): Promise<Response> {
  trustApiAuthorities(config)
  const headers = new Headers(init.headers)
  headers.set('authorization', collectorAuthorization(config))
  return fetch(url, { ...init, headers })
}

/**
 * Which collector this node sends to: one of its own, so that nodes spread over all of them, and the next one while
 * that does not take anything.
 */
export class CollectorChoice {
  readonly #urls: readonly string[]
  readonly #awayUntil = new Map<string, number>()

  constructor(config: Pick<Config, 'collectors' | 'collectorListen' | 'nodeName'>) {
    const urls = collectorsOf(config)
    const own = crypto.createHash('sha256').update(config.nodeName).digest().readUInt32LE(0) % urls.length
    this.#urls = [...urls.slice(own), ...urls.slice(0, own)]
  }

  get urls(): readonly string[] {
    return this.#urls
  }

  /** Those that are thought to be there come first. */
  order(now = performance.now()): string[] {
    const isAway = (url: string) => (this.#awayUntil.get(url) ?? 0) > now
    return [...this.#urls.filter((url) => !isAway(url)), ...this.#urls.filter(isAway)]
  }

  isFirst(url: string): boolean {
    return this.order()[0] === url
  }

  noteAway(url: string): void {
    this.#awayUntil.set(url, performance.now() + AWAY_MS)
  }

  /**
   * Sends to the first that takes it. The same thing may have come to two of them then: it needs a name by which they
   * know it.
   * @throws what the last one said when none takes it
   */
  async send<T>(to: (url: string) => Promise<T>): Promise<T> {
    let last: unknown
    for (const url of this.order()) {
      try {
        const taken = await to(url)
        this.#awayUntil.delete(url)
        return taken
      } catch (error) {
        last = error
        this.noteAway(url)
      }
    }
    throw last
  }
}
