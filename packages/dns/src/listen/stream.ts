import { once } from 'node:events'
import type net from 'node:net'
import type { Transport } from '../answer/answerer.ts'
import { MESSAGE_BYTES } from '../wire/codes.ts'
import { Peer } from '../wire/peer.ts'
import type { Handler } from './handler.ts'
import type { TransferTurns } from '../transfer/transfer-turns.ts'
import type { TcpCounters, TcpLimits } from './tcp-limits.ts'
import type { Job, Turns } from './turns.ts'
import type { Unsent } from './unsent.ts'

export type StreamOptions = {
  socket: net.Socket
  /** The client's, as text. */
  address: string
  transport: Transport
  handler: Handler
  /** Room for one answer with its length, shared by all: nothing is kept in it. */
  out: Buffer
  turns: Turns
  transferTurns: TransferTurns
  unsent: Unsent
  counters: TcpCounters
  limits: TcpLimits
}

const LENGTH_BYTES = 2
/** In so much there is at least one whole message. */
const WHOLE_BYTES = LENGTH_BYTES + MESSAGE_BYTES
/** What one connection is answered before others have their turn: of what is very large, one message. */
const MESSAGES_A_TURN = 32
const BYTES_A_TURN = 1 << 15

/**
 * One connection with messages behind their lengths (RFC 7766 8). What the client asks is read no faster than it reads
 * the answers: what it does not take stays unanswered, and then unread, in its own memory.
 */
export class Stream implements Job {
  /** When it was answered last. */
  heardAt = performance.now()
  readonly socket: net.Socket
  readonly #options: StreamOptions
  readonly #peer: Peer
  #rest: Buffer = Buffer.alloc(0)
  /** A transfer is on its way; what is asked behind it waits. */
  #isSending = false
  #hasEnded = false

  constructor(options: StreamOptions) {
    this.#options = options
    const { socket, turns, unsent } = options
    this.socket = socket
    this.#peer = new Peer().setText(options.address)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('drain', () => {
      unsent.done(socket)
      turns.add(this)
    })
    socket.on('end', () => {
      this.#hasEnded = true
      turns.add(this)
    })
    socket.on('close', () => {
      turns.remove(this)
      unsent.done(socket)
    })
  }

  /** Nothing is asked, and nothing is on its way. */
  get isQuiet(): boolean {
    return this.#rest.length === 0 && this.socket.writableLength === 0 && !this.#isSending
  }

  /** Answers some of what is asked; true when there is more and the client takes it. */
  serve(): boolean {
    const { socket } = this
    if (socket.destroyed || socket.writableNeedDrain || this.#isSending) return false
    const more = this.#answerSome()
    // Answering may have begun a transfer, or filled what the client has not read.
    if (socket.writableNeedDrain || this.#isSending) return false
    if (more) return true
    if (this.#hasEnded) socket.end()
    else if (socket.isPaused()) socket.resume()
    return false
  }

  #take(chunk: Buffer): void {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    if (this.#rest.length >= WHOLE_BYTES) this.socket.pause()
    this.#options.turns.add(this)
  }

  /** True when a whole message is left. */
  #answerSome(): boolean {
    const { handler, transport, out, counters } = this.#options
    const rest = this.#rest
    const answers: Buffer[] = []
    let bytes = 0
    let at = 0
    let more = false
    for (let messages = 0; rest.length - at >= LENGTH_BYTES; messages++) {
      const length = rest.readUInt16BE(at)
      if (rest.length - at - LENGTH_BYTES < length) break
      more = messages >= MESSAGES_A_TURN || bytes >= BYTES_A_TURN
      if (more) break
      const message = rest.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length)
      at += LENGTH_BYTES + length
      counters.queries++
      const transfer = handler.transfer(message, this.#options.address)
      if (transfer) {
        void this.#send(transfer)
        break
      }
      const answered = handler.handle(message, length, this.#peer, transport, out.subarray(LENGTH_BYTES))
      if (answered === 0) continue
      this.heardAt = performance.now()
      out.writeUInt16BE(answered, 0)
      answers.push(Buffer.from(out.subarray(0, LENGTH_BYTES + answered)))
      bytes += LENGTH_BYTES + answered
    }
    // A copy once half was taken: neither is a chunk kept for a few bytes of it, nor all of it copied at every turn.
    const left = rest.subarray(at)
    this.#rest = left.length * 2 < rest.buffer.byteLength ? Buffer.from(left) : left
    const [first] = answers
    if (first) this.#write(answers.length === 1 ? first : Buffer.concat(answers))
    return more
  }

  /** False when the client does not take it at once. */
  #write(bytes: Buffer): boolean {
    const { socket } = this
    if (socket.write(bytes)) return true
    this.#options.unsent.wait(socket, socket.writableLength)
    return false
  }

  /** Sends the messages of a transfer as fast as the client takes them, and others have their turn between them. */
  async #send(messages: Iterable<Buffer | null>): Promise<void> {
    const { socket } = this
    const { transferTurns, limits } = this.#options
    this.#isSending = true
    const steps = messages[Symbol.iterator]()
    try {
      for (;;) {
        // What was answered before goes first.
        await transferTurns.next()
        if (socket.destroyed) return
        const { done, value: message } = steps.next()
        if (done) break
        this.heardAt = performance.now()
        if (message === null) continue
        const length = Buffer.alloc(LENGTH_BYTES)
        length.writeUInt16BE(message.length)
        if (!this.#write(Buffer.concat([length, message])))
          await once(socket, 'drain', { signal: AbortSignal.timeout(limits.idleMs) })
      }
      this.#isSending = false
      this.#options.turns.add(this)
    } catch {
      socket.destroy()
    } finally {
      steps.return?.()
    }
  }
}
