import type { RemoteInfo } from 'node:dgram'
import type { HostPort } from '@fairway/platform'
import type { Libc } from '@fairway/platform/lean'
import { addressText, type Family } from '../wire/address.ts'
import { UDP_ANSWER_BYTES } from '../wire/codes.ts'
import { Peer } from '../wire/peer.ts'
import type { Handler } from './handler.ts'
import type { UdpCounters } from './udp-options.ts'
import { MSG_DONTWAIT, SOCKADDR_BYTES, portIn, sockaddrForm, writeSockaddr } from './sockets.ts'

/** Answers one datagram into `out` and answers the length; 0 for none. */
export type AnswerTo = (bytes: Uint8Array, length: number, peer: Peer, out: Uint8Array) => number
export type MmsgOptions = {
  libc: Libc
  fd: number
  family: Family
  counters: UdpCounters
  /** Told of every datagram of a batch, and that there are no more, before the first is answered. */
  ahead: Pick<Handler, 'expect' | 'prefetch'>
  answer: AnswerTo
  /** Takes an answer that the kernel has no room for now; its bytes are copied. */
  queue: (bytes: Uint8Array, to: HostPort) => void
}

const SLOTS = 64
/** What our OPT records say is taken; longer queries are cut and so answered FORMERR. */
const QUERY_BYTES = UDP_ANSWER_BYTES
/**
 * Calls in one turn of the event loop, so that a flood does not keep it from everything else for more than some ten
 * milliseconds.
 */
const ROUNDS_A_TURN = 64
/**
 * A turn of the event loop costs as much as several answers: while datagrams come, the next are left to gather for so
 * long (and what the kernel adds, some 50) and taken in the same turn.
 */
const GATHER_MICROSECONDS = 200
/** Such a wait is worth its cost while it brings as many. */
const WORTH_WAITING = 2
/** A wait counts as so many calls of the turn. */
const ROUNDS_A_WAIT = 5
/** A full socket buffer and more, but no end under a flood. */
const LAST_ROUNDS = 200
/** `struct mmsghdr`: name, its length, vector, its length, control, its length, flags, received bytes. */
const HEADER = { bytes: 64, name: 0, nameBytes: 8, vector: 16, vectors: 24, received: 56 } as const
const VECTOR = { bytes: 16, length: 8 } as const

/**
 * All memory that the kernel is given addresses of. It must outlive the last call, and a garbage collector cannot see
 * an address:
 * what is freed too early is EFAULT at best.
 */
const held = new Set<Mmsg>()

/**
 * Datagrams in batches (`recvmmsg`, `sendmmsg`) on a socket that belongs to `dgram`. The event loop reads the first
 * datagram of a burst; whatever waits behind it is taken
 * and answered here, in a few calls, and while more come, what has gathered after a moment. Neither call ever waits,
 * and what one of them refuses, `dgram` does.
 */
export class Mmsg implements Disposable {
  readonly #options: MmsgOptions
  readonly #form: { bytes: number; addressAt: number }
  readonly #names = new Uint8Array(SLOTS * SOCKADDR_BYTES)
  readonly #queries = new Uint8Array(SLOTS * QUERY_BYTES)
  readonly #answers = new Uint8Array(SLOTS * UDP_ANSWER_BYTES)
  readonly #vectors = new Uint32Array((2 * SLOTS * VECTOR.bytes) / 4)
  readonly #headers = new Uint32Array((2 * SLOTS * HEADER.bytes) / 4)
  /** Where the header of each slot stands that is received into, and that is sent from. */
  readonly #receive: bigint[] = []
  readonly #send: bigint[] = []
  readonly #queryOf: Uint8Array[] = []
  readonly #answerOf: Uint8Array[] = []
  readonly #lengths = new Int32Array(SLOTS)
  /** Calls that this turn of the event loop still has. */
  #roundsLeft = ROUNDS_A_TURN
  readonly #renewRounds = () => {
    this.#roundsLeft = ROUNDS_A_TURN
  }
  readonly #peer = new Peer()

  constructor(options: MmsgOptions) {
    this.#options = options
    this.#form = sockaddrForm(options.family)
    this.#layOut()
    held.add(this)
  }

  [Symbol.dispose](): void {
    held.delete(this)
  }

  /** Answers a datagram that the event loop has read, and all that wait behind it. */
  serve(first: Uint8Array, from: RemoteInfo): void {
    // A client whose address has more to it than numbers (an interface of a link-local one) is `dgram`'s.
    const isPlain = writeSockaddr(this.#names, 0, this.#options.family, { host: from.address, port: from.port })
    if (isPlain) this.#answer(0, first, first.length)
    else this.#queueFirst(first, from)
    // Slot 0 is the event loop's.
    let count = this.#serveBatch(isPlain ? 0 : 1)
    if (count === 0) return
    if (this.#roundsLeft === ROUNDS_A_TURN) setImmediate(this.#renewRounds)
    while (--this.#roundsLeft > 0) {
      if (count < SLOTS - 1 && !this.#letGather(count)) return
      count = this.#serveBatch(1)
    }
  }

  /**
   * Waits for a batch after one of `count` datagrams that took all there were; false when waiting is not worth it or
   * the turn is over.
   */
  #letGather(count: number): boolean {
    if (count < WORTH_WAITING || this.#roundsLeft < ROUNDS_A_WAIT) return false
    this.#roundsLeft -= ROUNDS_A_WAIT
    this.#options.libc.usleep(GATHER_MICROSECONDS)
    return true
  }

  /** Answers all that waits, of which nothing has come to the event loop yet. */
  serveRest(): void {
    for (let round = 0; round < LAST_ROUNDS; round++) if (this.#serveBatch(1) < SLOTS - 1) return
  }

  /** Answers a batch, and slot 0 with it when it sends from there on; answers how many came. */
  #serveBatch(from: number): number {
    const { libc, fd, counters, ahead } = this.#options
    const count = Math.max(0, libc.recvmmsg(fd, this.#receive[1] ?? 0n, SLOTS - 1, MSG_DONTWAIT, 0n))
    for (let slot = 1; slot <= count; slot++)
      ahead.expect(this.#queryOf[slot] ?? this.#queries, this.#receivedBytes(slot))
    ahead.prefetch()
    for (let slot = 1; slot <= count; slot++)
      this.#answer(slot, this.#queryOf[slot] ?? this.#queries, this.#receivedBytes(slot))
    counters.received += count
    counters.batched += count
    this.#flush(from, count + 1)
    return count
  }

  #receivedBytes(slot: number): number {
    return this.#headers[headerWord(slot, HEADER.received)] ?? 0
  }

  #answer(slot: number, bytes: Uint8Array, length: number): void {
    const { family, answer } = this.#options
    const name = slot * SOCKADDR_BYTES
    const peer = this.#peer.setBytes(this.#names, name + this.#form.addressAt, family)
    // Nobody has port 0; an answer to it cannot be sent.
    const answered = portIn(this.#names, name) === 0 ? 0 : answer(bytes, length, peer, this.#answerOf[slot] ?? bytes)
    this.#lengths[slot] = answered
    this.#vectors[vectorWord(SLOTS + slot) + VECTOR.length / 4] = answered
  }

  /** Sends the answers of slots `from`…`to`, some of which may be none. */
  #flush(from: number, to: number): void {
    const { libc, fd, counters } = this.#options
    for (let at = from; at < to;) {
      let end = at
      while (end < to && (this.#lengths[end] ?? 0) > 0) end++
      if (end === at) {
        at++
        continue
      }
      const sent = libc.sendmmsg(fd, this.#send[at] ?? 0n, end - at, MSG_DONTWAIT)
      if (sent > 0) {
        counters.sent += sent
        at += sent
        continue
      }
      for (; at < end; at++) this.#queue(at)
    }
  }

  #queue(slot: number): void {
    const name = slot * SOCKADDR_BYTES
    const to = {
      host: addressText(this.#names, name + this.#form.addressAt, this.#options.family),
      port: portIn(this.#names, name),
    }
    this.#options.queue(
      this.#answers.subarray(slot * UDP_ANSWER_BYTES, slot * UDP_ANSWER_BYTES + (this.#lengths[slot] ?? 0)),
      to,
    )
  }

  #queueFirst(first: Uint8Array, from: RemoteInfo): void {
    const out = this.#answerOf[0] ?? first
    const answered = this.#options.answer(first, first.length, this.#peer.setText(from.address), out)
    if (answered > 0) this.#options.queue(out.subarray(0, answered), { host: from.address, port: from.port })
  }

  #layOut(): void {
    const { libc } = this.#options
    const [names, queries, answers, vectors, headers] = [
      this.#names,
      this.#queries,
      this.#answers,
      this.#vectors,
      this.#headers,
    ].map((memory) => libc.addressOf(memory.buffer))
    if (
      names === undefined ||
      queries === undefined ||
      answers === undefined ||
      vectors === undefined ||
      headers === undefined
    )
      throw new Error('memory without an address')
    const vectorView = new DataView(this.#vectors.buffer)
    const headerView = new DataView(this.#headers.buffer)
    for (let slot = 0; slot < SLOTS; slot++) {
      const sides = [
        { index: slot, data: queries + BigInt(slot * QUERY_BYTES), bytes: QUERY_BYTES },
        { index: SLOTS + slot, data: answers + BigInt(slot * UDP_ANSWER_BYTES), bytes: 0 },
      ]
      for (const { index, data, bytes } of sides) {
        vectorView.setBigUint64(index * VECTOR.bytes, data, true)
        vectorView.setBigUint64(index * VECTOR.bytes + VECTOR.length, BigInt(bytes), true)
        const header = index * HEADER.bytes
        headerView.setBigUint64(header + HEADER.name, names + BigInt(slot * SOCKADDR_BYTES), true)
        headerView.setUint32(header + HEADER.nameBytes, this.#form.bytes, true)
        headerView.setBigUint64(header + HEADER.vector, vectors + BigInt(index * VECTOR.bytes), true)
        headerView.setBigUint64(header + HEADER.vectors, 1n, true)
      }
      this.#receive.push(headers + BigInt(slot * HEADER.bytes))
      this.#send.push(headers + BigInt((SLOTS + slot) * HEADER.bytes))
      this.#queryOf.push(this.#queries.subarray(slot * QUERY_BYTES, (slot + 1) * QUERY_BYTES))
      this.#answerOf.push(this.#answers.subarray(slot * UDP_ANSWER_BYTES, (slot + 1) * UDP_ANSWER_BYTES))
    }
  }
}

const vectorWord = (index: number): number => (index * VECTOR.bytes) / 4
const headerWord = (index: number, field: number): number => (index * HEADER.bytes + field) / 4
