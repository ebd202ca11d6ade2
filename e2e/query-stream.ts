import { setTimeout as delay } from 'node:timers/promises'
import { DnsClient, type Question, type Reply } from '@fairway/app'

/**
 * One question of a stream: when it was asked and answered (ms of `performance.now()`), and what came; null is lost.
 */
export type Asked = { askedAt: number; answeredAt: number; reply: Reply | null }

/** Asks a name server the same question at a steady rate, from one socket, whatever comes back. */
export type QueryStream = AsyncDisposable & {
  /** In the order of the answers. */
  asked: readonly Asked[]
  /** Resolves when everything asked is answered or lost. */
  stop(): Promise<readonly Asked[]>
}

const LOST_AFTER_MS = 1000

export function askSteadily(
  server: { host: string; port: number },
  question: Question,
  perSecond: number,
): QueryStream {
  const dns = new DnsClient(server)
  const asked: Asked[] = []
  const state = { stopped: false }
  const running = (async () => {
    const startedAt = performance.now()
    const inFlight = new Set<Promise<void>>()
    for (let sent = 0; !state.stopped; await delay(1000 / perSecond / 2)) {
      for (; sent < ((performance.now() - startedAt) / 1000) * perSecond; sent++) {
        const askedAt = performance.now()
        const one: Promise<void> = dns.ask(question, LOST_AFTER_MS).then((reply) => {
          asked.push({ askedAt, answeredAt: performance.now(), reply })
          inFlight.delete(one)
        })
        inFlight.add(one)
      }
    }
    await Promise.all(inFlight)
    dns[Symbol.dispose]()
    return asked
  })()
  const stop = () => ((state.stopped = true), running)
  return {
    asked,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}

/** Questions without an answer, and answers that were none (SERVFAIL, REFUSED…). */
export function failuresOf(asked: readonly Asked[]): { lost: number; refused: number } {
  return {
    lost: asked.filter(({ reply }) => reply === null).length,
    refused: asked.filter(({ reply }) => reply !== null && reply.rcode !== 'NOERROR').length,
  }
}
