import type { Socket } from 'node:net'
import { type Amf, readAmf, writeAmf } from './amf0.ts'
import { ChunkReader, type Message, writeMessage } from './chunks.ts'
import { FOUR_CCS } from './picture.ts'

export const AUDIO = 8
export const VIDEO = 9
export const DATA = 18
const COMMAND = 20
const COMMAND_AMF3 = 17
const ACKNOWLEDGED = 3
const USER_CONTROL = 4
const WINDOW = 5
const PEER_BANDWIDTH = 6
const PING = 6
const PONG = 7
const WINDOW_BYTES = 2_500_000
const HANDSHAKE_BYTES = 1536
/** One who says nothing for so long is gone. */
const SILENT_MS = 15_000
/** Who has not shown a key by then has none. */
const KEY_MS = 20_000
/** Answers that wait for one who does not read. */
const MOST_UNREAD = 64 << 10

/** What becomes of what an encoder sends; `tag` answers false when no more should come for now. */
export type Sink = { tag(type: number, time: number, body: Buffer): boolean; gone(): void }
/** The sink of a key; null for a wrong one, and throws where there is none now: whoever sends is told no more. */
export type Admit = (key: string, publisher: Publisher) => Promise<Sink | null>

/**
 * One encoder that sends by RTMP 1.0: handshake, `connect`, `publish` of a stream whose name is its key, then sound and
 * picture. Nothing can be played here. What is said wrongly ends the connection.
 */
export class Publisher {
  #socket: Socket
  #admit: Admit
  #chunks = new ChunkReader()
  #handshake: Buffer | null = Buffer.alloc(0)
  #sink: Sink | null = null
  #isAsking = false
  /** What has come and is not to be heard yet. */
  #held: Message[] = []
  #received = 0
  #acknowledged = 0

  constructor(socket: Socket, admit: Admit) {
    this.#socket = socket
    this.#admit = admit
    socket.setNoDelay(true)
    socket.setTimeout(SILENT_MS, () => socket.destroy())
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.once('error', () => socket.destroy())
    const keyless = setTimeout(() => this.#sink ?? socket.destroy(), KEY_MS).unref()
    socket.once('close', () => {
      clearTimeout(keyless)
      this.#leave()
    })
  }

  get hasKey(): boolean {
    return this.#sink !== null
  }

  /** Ends the connection. */
  close(): void {
    this.#socket.destroy()
  }

  /** More may come: first what has come already. */
  resume(): void {
    try {
      if (this.#hearAll()) this.#socket.resume()
    } catch {
      this.#socket.destroy()
    }
  }

  #take(bytes: Buffer): void {
    try {
      this.#received += bytes.length
      if (this.#received - this.#acknowledged > WINDOW_BYTES / 2) {
        this.#acknowledged = this.#received
        this.#send(ACKNOWLEDGED, uint32(this.#received >>> 0))
      }
      const rest = this.#shakeHands(bytes)
      if (rest === null) return
      this.#held.push(...this.#chunks.feed(rest))
      if (!this.#hearAll()) this.#socket.pause()
    } catch {
      this.#socket.destroy()
    }
  }

  /** What comes after the handshake; null while it lasts. */
  #shakeHands(bytes: Buffer): Buffer | null {
    if (this.#handshake === null) return bytes
    const before = this.#handshake.length
    const all = (this.#handshake = Buffer.concat([this.#handshake, bytes]))
    if (all[0] !== 3) throw new RangeError('no RTMP')
    const greeted = 1 + HANDSHAKE_BYTES
    if (before < greeted && all.length >= greeted) {
      const greeting = all.subarray(1, greeted)
      this.#socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(HANDSHAKE_BYTES), greeting]))
    }
    if (all.length < greeted + HANDSHAKE_BYTES) return null
    this.#handshake = null
    return all.subarray(greeted + HANDSHAKE_BYTES)
  }

  /** False when no more should be heard for now. */
  #hearAll(): boolean {
    for (const [index, message] of this.#held.entries()) {
      if (this.#hear(message)) continue
      this.#held = this.#held.slice(index + 1)
      return false
    }
    this.#held = []
    return true
  }

  #hear({ type, time, body }: Message): boolean {
    if (type === AUDIO || type === VIDEO || type === DATA) return this.#sink?.tag(type, time, body) ?? true
    if (type === USER_CONTROL && body.length >= 6 && body.readUInt16BE(0) === PING)
      this.#send(USER_CONTROL, Buffer.concat([Buffer.from([0, PONG]), body.subarray(2, 6)]))
    else if (type === COMMAND || type === COMMAND_AMF3) {
      const [name, transaction, about, ...rest] = readAmf(type === COMMAND_AMF3 ? body.subarray(1) : body)
      this.#obey(name, typeof transaction === 'number' ? transaction : 0, about, rest)
    }
    return true
  }

  #obey(name: Amf, transaction: number, about: Amf, [first]: Amf[]): void {
    if (name === 'connect') {
      this.#send(WINDOW, uint32(WINDOW_BYTES))
      this.#send(PEER_BANDWIDTH, Buffer.concat([uint32(WINDOW_BYTES), Buffer.from([2])]))
      this.#answer(
        '_result',
        transaction,
        { fmsVer: 'FMS/3,0,1,123', capabilities: 31, ...takenOf(about) },
        status('NetConnection.Connect.Success'),
      )
    } else if (name === 'createStream') this.#answer('_result', transaction, null, 1)
    else if (name === 'publish' && typeof first === 'string') void this.#publish(first)
    else if (name === 'FCUnpublish' || name === 'deleteStream' || name === 'closeStream') this.#socket.end()
    else if (name === 'play') this.#socket.destroy()
  }

  async #publish(name: string): Promise<void> {
    if (this.#isAsking || this.#sink) return void this.#socket.destroy()
    this.#isAsking = true
    const sink = await this.#admit(name.split('?')[0] ?? '', this).catch(() => null)
    if (this.#socket.destroyed) {
      sink?.gone()
      return
    }
    if (sink === null) {
      this.#answer('onStatus', 0, null, status('NetStream.Publish.BadName', 'error'))
      this.#socket.end()
      return
    }
    this.#sink = sink
    this.#chunks.trust()
    this.#answer('onStatus', 0, null, status('NetStream.Publish.Start'))
  }

  #leave(): void {
    this.#sink?.gone()
    this.#sink = null
  }

  #answer(name: string, transaction: number, ...values: Amf[]): void {
    this.#send(COMMAND, writeAmf(name, transaction, ...values), name === 'onStatus' ? 1 : 0)
  }

  #send(type: number, body: Buffer, stream = 0): void {
    if (this.#socket.writableLength > MOST_UNREAD) this.#socket.destroy()
    if (this.#socket.writable) this.#socket.write(writeMessage({ type, stream, body }))
  }
}

/** Of the codecs that an encoder has beside H.264 (enhanced RTMP, table 5), those that are taken. */
function takenOf(about: Amf): { fourCcList?: Amf[] } {
  if (about === null || typeof about !== 'object' || Array.isArray(about)) return {}
  const offered = about['fourCcList']
  if (!Array.isArray(offered)) return {}
  return { fourCcList: FOUR_CCS.filter((name) => offered.includes(name) || offered.includes('*')) }
}

const status = (code: string, level: 'status' | 'error' = 'status'): Amf => ({ level, code, description: '' })

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
