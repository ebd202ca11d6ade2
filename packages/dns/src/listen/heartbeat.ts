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
  /** Processes that share the address; the kernel gives them datagrams by where they come from. */
  sharers?: number
  beatMs?: number
}

/**
 * Ports tried at once for each that shares the address, so that one leads to this process: of ten thousand searches
 * three find none.
 */
const PORTS_PER_SHARER = 8

/**
 * Sends the server datagrams of its own and looks whether they come back, the whole way: through the kernel, a batch,
 * and the kernel again.
 * It counts beats, not time: an event loop that stands still misses none. On a shared address it keeps the port from
 * which the kernel leads to this process,
 * and looks for another when nothing came back: who else shares the address may have changed.
 */
export class Heartbeat implements AsyncDisposable {
  readonly #options: HeartbeatOptions
  readonly #token = makeToken()
  readonly #timer: NodeJS.Timeout
  /** The one that leads here, or all that are tried. */
  #sockets: dgram.Socket[] = []
  #heard = false
  /** The first beat judges nothing. */
  #missed = -1
  #received = 0
  #batched = 0

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#search()
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
    await Promise.all(
      this.#sockets.splice(0).map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))),
    )
  }

  #beat(): void {
    const received = this.#options.received()
    const batched = this.#options.batched()
    const isBusy = received - this.#received > BUSY
    this.#missed = (this.#heard || isBusy) && batched > this.#batched ? 0 : this.#missed + 1
    this.#received = received
    this.#batched = batched
    if (this.#missed >= MOST_MISSED) {
      this.#missed = 0
      this.#options.silent()
    }
    if (this.#options.sharers && !this.#heard && !isBusy) this.#search()
    else for (const socket of this.#sockets) this.#send(socket)
    this.#heard = false
  }

  /** Takes new ports in place of those that led nowhere. */
  #search(): void {
    for (const socket of this.#sockets) socket.close()
    const { sharers = 0 } = this.#options
    this.#sockets = Array.from({ length: Math.max(1, sharers * PORTS_PER_SHARER) }, () => this.#open())
  }

  #open(): dgram.Socket {
    const { host, port } = this.#options.at
    const socket = dgram.createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    socket.on('message', (message) => {
      if (!message.equals(this.#token)) return
      this.#heard = true
      // The first that leads here is kept.
      if (this.#sockets.length > 1 && this.#sockets.includes(socket)) this.#keep(socket)
    })
    socket.on('error', () => {})
    socket.unref()
    // An unspecified address is asked where it can be reached.
    socket.connect(port, host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, () => this.#send(socket))
    return socket
  }

  #keep(kept: dgram.Socket): void {
    for (const socket of this.#sockets) if (socket !== kept) socket.close()
    this.#sockets = [kept]
  }

  #send(socket: dgram.Socket): void {
    try {
      for (let i = 0; i < BURST; i++) socket.send(this.#token, () => {})
    } catch {
      // Not connected yet: the beat counts as missed.
    }
  }
}

/** Marked as a response, which another process that meets it leaves alone. */
function makeToken(): Buffer {
  const token = crypto.randomBytes(TOKEN_BYTES)
  token.writeUInt8(token.readUInt8(2) | 0x80, 2)
  return token
}
