import { setTimeout as delay } from 'node:timers/promises'
import { DnsClient, type DnsReply, type Peer } from '@fairway/platform'

/** Refusals and silence, one after the other, from which on a server is left alone. */
const GIVE_UP_AFTER = 20
/** A gentle asker takes so many times as long from one question to the next. */
const GENTLE_TIMES = 4

/**
 * Asks several servers of one zone in turn, no faster than so many questions a second together. A server that stops
 * answering is left out.
 */
export class PacedAsker implements AsyncDisposable {
  asked = 0
  #clients: { client: DnsClient; failures: number }[]
  #turn = 0
  #nextAt = 0
  #gapMs: number
  #signal: AbortSignal

  constructor(servers: readonly Peer[], queriesPerSecond: number, signal: AbortSignal, timeoutMs = 1_500) {
    this.#clients = servers.map((at) => ({ client: new DnsClient(at, { timeoutMs }), failures: 0 }))
    this.#gapMs = 1_000 / queriesPerSecond
    this.#signal = signal
  }

  /** The answer of the first server that gives one; null when none does. @throws when the task is stopped */
  async ask(name: string, type: string): Promise<DnsReply | null> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const able = this.#clients.filter(({ failures }) => failures < GIVE_UP_AFTER)
      const one = able[this.#turn++ % Math.max(1, able.length)]
      if (!one) return null
      await this.#slot()
      const reply = await one.client.ask(name, type)
      this.#signal.throwIfAborted()
      // A server that does not have the zone refuses, fails, or refers upwards; only the zone's own word counts.
      if (reply && (reply.rcode === 'NOERROR' || reply.rcode === 'NXDOMAIN')) {
        one.failures = 0
        return reply
      }
      one.failures++
    }
    return null
  }

  /** Slower from now on, and every server has another chance: some drop what comes too fast. */
  beGentle(): void {
    this.#gapMs *= GENTLE_TIMES
    for (const one of this.#clients) one.failures = 0
  }

  async #slot(): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + this.#gapMs
    this.asked++
    if (at - now >= 1) await delay(at - now, undefined, { signal: this.#signal })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map(({ client }) => client[Symbol.asyncDispose]()))
  }
}
