/** One message of RTMP: `time` in ms of the sender's clock. */
export type Message = { type: number; time: number; stream: number; body: Buffer }

type Channel = {
  type: number
  time: number
  delta: number
  length: number
  stream: number
  extended: boolean
  parts: Buffer[]
  held: number
}

const MOST_CHANNELS = 32
/** What a stranger may say at a time; and a key frame of a very large picture, which is also all that may be held. */
const MOST_OF_STRANGER = 64 << 10
const MOST_MESSAGE = 8 << 20
const MOST_CHUNK = 1 << 20
/** Also the least: of pieces of a byte each, a message would take many times its size. */
const FIRST_CHUNK = 128
const SET_CHUNK_SIZE = 1
const ABORT = 2
const EXTENDED = 0xff_ff_ff
const HEADER_BYTES = [11, 7, 3, 0] as const

/**
 * Puts messages together from chunks (RTMP 1.0, 5.3), in bounds of its own: a sender that claims more than a picture
 * can need is at fault.
 */
export class ChunkReader {
  #buffer: Buffer = Buffer.alloc(0)
  #channels = new Map<number, Channel>()
  #chunkSize = FIRST_CHUNK
  #most = MOST_OF_STRANGER
  #held = 0

  /** The sender has shown a key: pictures may come. */
  trust(): void {
    this.#most = MOST_MESSAGE
  }

  /** Messages that have become whole. @throws RangeError when the sender is at fault */
  feed(bytes: Buffer): Message[] {
    this.#buffer = this.#buffer.length === 0 ? bytes : Buffer.concat([this.#buffer, bytes])
    const messages: Message[] = []
    for (;;) {
      const used = this.#readChunk(messages)
      if (used === 0) return messages
      this.#buffer = this.#buffer.subarray(used)
    }
  }

  /** Bytes of the chunk that was taken; 0 when it is not whole yet. */
  #readChunk(messages: Message[]): number {
    const buffer = this.#buffer
    const first = buffer[0]
    if (first === undefined) return 0
    const format = first >> 6
    const low = first & 0x3f
    let at = low === 0 ? 2 : low === 1 ? 3 : 1
    if (buffer.length < at) return 0
    const id = low === 0 ? 64 + buffer.readUInt8(1) : low === 1 ? 64 + buffer.readUInt16LE(1) : low
    const headerBytes = HEADER_BYTES[format] ?? 0
    if (buffer.length < at + headerBytes) return 0
    const known = this.#channels.get(id)
    if (!known && format !== 0) throw new RangeError('a chunk that goes on with nothing')
    const channel: Channel = known
      ? { ...known }
      : { type: 0, time: 0, delta: 0, length: 0, stream: 0, extended: false, parts: [], held: 0 }
    let stamp = channel.extended ? EXTENDED : 0
    if (format < 3) {
      stamp = buffer.readUIntBE(at, 3)
      channel.extended = stamp === EXTENDED
      if (format < 2) {
        if (channel.held > 0) throw new RangeError('a message within a message')
        channel.length = buffer.readUIntBE(at + 3, 3)
        channel.type = buffer.readUInt8(at + 6)
      }
      if (format === 0) channel.stream = buffer.readUInt32LE(at + 7)
      at += headerBytes
    }
    if (channel.extended) {
      if (buffer.length < at + 4) return 0
      stamp = buffer.readUInt32BE(at)
      at += 4
    }
    if (channel.length > this.#most) throw new RangeError('a message that is too long')
    const isNew = channel.held === 0
    const size = Math.min(this.#chunkSize, channel.length - channel.held)
    if (buffer.length < at + size) return 0
    if (isNew) {
      if (format === 0) {
        channel.time = stamp
        channel.delta = 0
      } else if (format < 3) channel.delta = stamp
      if (format !== 0) channel.time = (channel.time + channel.delta) >>> 0
    }
    // Held pieces are copies: what the socket gave is used again.
    const part = Buffer.from(buffer.subarray(at, at + size))
    if (isNew) channel.parts = [part]
    else channel.parts.push(part)
    channel.held += size
    this.#held += size
    if (this.#held > this.#most * 2) throw new RangeError('too much that is not whole')
    if (channel.held >= channel.length) {
      this.#take(
        { type: channel.type, time: channel.time, stream: channel.stream, body: Buffer.concat(channel.parts) },
        messages,
      )
      this.#held -= channel.held
      channel.parts = []
      channel.held = 0
    }
    this.#channels.set(id, channel)
    if (this.#channels.size > MOST_CHANNELS) throw new RangeError('too many chunk streams')
    return at + size
  }

  #take(message: Message, messages: Message[]): void {
    if (message.type === SET_CHUNK_SIZE) {
      const size = message.body.readUInt32BE(0)
      if (size < FIRST_CHUNK || size > MOST_CHUNK) throw new RangeError('a chunk size out of bounds')
      this.#chunkSize = size
    } else if (message.type === ABORT) {
      const id = message.body.readUInt32BE(0)
      this.#held -= this.#channels.get(id)?.held ?? 0
      this.#channels.delete(id)
    } else messages.push(message)
  }
}

/** A message as chunks of the size that is in force until another is announced. */
export function writeMessage({ type, stream, body }: Omit<Message, 'time'>, chunkSize = FIRST_CHUNK): Buffer {
  const channel = type === 20 ? 3 : 2
  const header = Buffer.alloc(12)
  header.writeUInt8(channel, 0)
  header.writeUIntBE(body.length, 4, 3)
  header.writeUInt8(type, 7)
  header.writeUInt32LE(stream, 8)
  const parts: Buffer[] = [header]
  for (let at = 0; at < body.length; at += chunkSize) {
    if (at > 0) parts.push(Buffer.from([0xc0 | channel]))
    parts.push(body.subarray(at, at + chunkSize))
  }
  return Buffer.concat(parts)
}
