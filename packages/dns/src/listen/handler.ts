import type { Log } from '@fairway/platform'
import type { Answerer, Transport } from '../answer/answerer.ts'
import type { Outcome } from '../answer/outcome.ts'
import type { Client } from '../answer/client.ts'
import { isNotice } from '../transfer/notices.ts'
import type { Transfers } from '../transfer/transfers.ts'
import { CLASS_IN, HEADER_BYTES, RCODE, TYPE } from '../wire/codes.ts'
import type { Peer } from '../wire/peer.ts'
import { Query } from '../wire/query.ts'
import { VERDICT, type RateLimit } from './rate-limit.ts'

/** Told of every answer, on the query path: it must be quick and keep nothing of what it gets. */
export type Observe = (outcome: Outcome, client: Client, query: Query, transport: Transport) => void

/**
 * Stands between the sockets and the answering code: a fault of ours costs one client a SERVFAIL, never the process.
 */
export class Handler {
  /** Answers that went wrong inside us. */
  failures = 0
  readonly #answerer: Answerer
  readonly #limit: RateLimit
  readonly #observe: Observe
  readonly #transfers: Transfers
  readonly #log: Log
  readonly #reported = new Set<string>()

  constructor(answerer: Answerer, limit: RateLimit, transfers: Transfers, observe: Observe, log: Log) {
    this.#transfers = transfers
    this.#answerer = answerer
    this.#limit = limit
    this.#observe = observe
    this.#log = log
  }

  /**
   * To be called for each message of a batch, and then `prefetch`, before the first is handled: what answering them
   * will read from memory is waited for together.
   */
  expect(bytes: Uint8Array, length: number): void {
    this.#answerer.client.expect(bytes, length)
  }

  prefetch(): void {
    this.#answerer.client.prefetch()
  }

  /** Like `Answerer.answer`, but never throws. */
  handle(bytes: Uint8Array, length: number, peer: Peer, transport: Transport, out: Uint8Array): number {
    const answerer = this.#answerer
    let answered: number
    try {
      if (isNotice(bytes, length)) return this.#transfers.notices.answer(bytes, length, peer, out)
      answered = answerer.answer(bytes, length, peer, transport, out)
      if (answered > 0 && answerer.query.tsigAt > 0)
        answered = this.#transfers.finish(bytes, length, answerer.query, out, answered)
    } catch (error) {
      this.#report('answer', error)
      answered = answerer.fail(bytes, length, out)
    }
    if (answered === 0) return 0
    if (transport === 'udp') {
      const verdict = this.#limit.check(peer, answerer.outcome)
      if (verdict === VERDICT.drop) return 0
      if (verdict === VERDICT.slip) answered = answerer.cut(out)
    }
    try {
      this.#observe(answerer.outcome, answerer.client, answerer.query, transport)
    } catch (error) {
      this.#report('observe', error)
    }
    return answered
  }

  /**
   * The messages of a transfer when the message asks for one, in the one way to do so that needs a stream; else null.
   * `address` is the client's; null among the messages is a pause.
   */
  transfer(message: Buffer, address: string): Iterable<Buffer | null> | null {
    if (!mayAskForTransfer(message)) return null
    const query = new Query()
    // Kept for as long as the transfer takes.
    const bytes = Buffer.from(message)
    if (query.parse(bytes, bytes.length) !== RCODE.NOERROR || query.class !== CLASS_IN) return null
    return this.#transfers.answer(bytes, query, address)
  }

  /** Once for each kind of fault: a flood of queries must not become a flood of lines. */
  #report(stage: string, error: unknown): void {
    this.failures++
    const kind = `${stage}: ${error instanceof Error ? error.message : String(error)}`
    if (this.#reported.has(kind) || this.#reported.size >= 100) return
    this.#reported.add(kind)
    this.#log.error({ event: 'answer.failed', stage, err: error })
  }
}

/** A look at the type alone, for other queries should not be parsed twice. */
function mayAskForTransfer(bytes: Buffer): boolean {
  let at = HEADER_BYTES
  while (at < bytes.length && bytes.readUInt8(at) !== 0) at += bytes.readUInt8(at) + 1
  if (at + 3 > bytes.length) return false
  const type = bytes.readUInt16BE(at + 1)
  return type === TYPE.AXFR || type === TYPE.IXFR
}
