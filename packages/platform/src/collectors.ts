import crypto from 'node:crypto'
import type { Config } from './config.ts'
import { type HostPort, urlOf } from './host-port.ts'

/** One that did not take something is asked after the others for so long. */
const AWAY_MS = 10_000

/** Every collector of the installation. */
export const collectorsOf = ({
  collectors,
  collectorListen,
}: Pick<Config, 'collectors' | 'collectorListen'>): readonly HostPort[] =>
  collectors.length > 0 ? collectors : [collectorListen]

/** Whether what one collector has taken may come to another one too. */
export const hasSeveralCollectors = (config: Pick<Config, 'collectors' | 'collectorListen'>): boolean =>
  collectorsOf(config).length > 1

/**
 * Which collector this node sends to: one of its own, so that nodes spread over all of them, and the next one while
 * that does not take anything.
 */
export class CollectorChoice {
  readonly #urls: readonly string[]
  readonly #awayUntil = new Map<string, number>()

  constructor(config: Pick<Config, 'collectors' | 'collectorListen' | 'nodeName'>) {
    const urls = collectorsOf(config).map(urlOf)
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
