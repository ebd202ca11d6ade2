import crypto from 'node:crypto'
import dgram from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { HostPort } from '@fairway/platform'

/** Too short for a question: no query is as long as this. */
const TOKEN_BYTES = 16
/** Datagrams of one beat: the first is read by the event loop, the others as a batch. */
const BURST = 4
const BEAT_MS = 500
/** Two seconds. */
const MOST_MISSED = 4
/** With more datagrams in one beat our own may be lost like any. */
const BUSY = 5000

export type HeartbeatOptions = {
  /** What is listened to. */
  at: HostPort
  /** Datagrams received so far, and those among them that came in batches. */
  received: () => number
  batched: () => number
  /** Nothing has come back, or nothing in batches, for two seconds of turns of the event loop. */
  silent: () => void
  beatMs?: number
}

/**
 * Sends the server datagrams of its own and looks whether they come back, the whole way: through the kernel, a batch, and the kernel again.
 * It counts beats, not time: an event loop that stands still misses none.
 */
export class Heartbeat implements AsyncDisposable {
  readonly #options: HeartbeatOptions
  readonly #token = crypto.randomBytes(TOKEN_BYTES)
  readonly #socket: dgram.Socket
  readonly #timer: NodeJS.Timeout
  #heard = false
  /** The first beat judges nothing. */
  #missed = -1
  #received = 0
  #batched = 0

  constructor(options: HeartbeatOptions) {
    this.#options = options
    const { host, port } = options.at
    this.#socket = dgram.createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    this.#socket.on('message', (message) => {
      if (message.equals(this.#token)) this.#heard = true
    })
    this.#socket.on('error', () => {})
    this.#socket.unref()
    // An unspecified address is asked where it can be reached.
    this.#socket.connect(port, host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)
    this.#timer = setInterval(() => this.#beat(), options.beatMs ?? BEAT_MS)
    this.#timer.unref()
  }

  /** Whether a datagram is ours, to be sent back as it is. */
  isOwn(bytes: Uint8Array, length: number): boolean {
    if (length !== TOKEN_BYTES) return false
    for (let i = 0; i < TOKEN_BYTES; i++) if (bytes[i] !== this.#token[i]) return false
    return true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()))
  }

  #beat(): void {
    const received = this.#options.received()
    const batched = this.#options.batched()
    const isBusy = received - this.#received > BUSY
    this.#missed = (this.#heard || isBusy) && batched > this.#batched ? 0 : this.#missed + 1
    this.#received = received
    this.#batched = batched
    this.#heard = false
    if (this.#missed >= MOST_MISSED) {
      this.#missed = 0
      this.#options.silent()
    }
    for (let i = 0; i < BURST; i++) this.#send()
  }

  #send(): void {
    try {
      this.#socket.send(this.#token, () => {})
    } catch {
      // Not connected yet: the beat counts as missed.
    }
  }
}
