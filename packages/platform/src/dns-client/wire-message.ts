/**
 * A record as it came over the wire: the owner absolute, in lower case and presentation form, without the last dot;
 * names in `rdata` uncompressed.
 */
export type WireData = { name: string; type: number; ttlSeconds: number; rdata: Buffer }
/** `tsigAt` is where the signature of the message stands, 0 when it has none. */
export type WireReply = {
  id: number
  opcode: number
  rcode: number
  isResponse: boolean
  answers: WireData[]
  tsigAt: number
}

const HEADER_BYTES = 12
const NAME_BYTES = 255
const LABEL_BYTES = 63
const CLASS_IN = 1
const TYPE_TSIG = 250

/**
 * Bytes before the names of rdata and how many names, for the types whose names may be compressed (RFC 3597 4). NAPTR
 * has strings before its name.
 */
const NAMES: Readonly<Record<number, { before: number; names: number; strings?: number }>> = {
  2: { before: 0, names: 1 },
  3: { before: 0, names: 1 },
  4: { before: 0, names: 1 },
  5: { before: 0, names: 1 },
  6: { before: 0, names: 2 },
  7: { before: 0, names: 1 },
  8: { before: 0, names: 1 },
  9: { before: 0, names: 1 },
  12: { before: 0, names: 1 },
  14: { before: 0, names: 2 },
  15: { before: 2, names: 1 },
  17: { before: 0, names: 2 },
  18: { before: 2, names: 1 },
  21: { before: 2, names: 1 },
  26: { before: 2, names: 2 },
  33: { before: 6, names: 1 },
  35: { before: 4, names: 1, strings: 3 },
  36: { before: 2, names: 1 },
  39: { before: 0, names: 1 },
}

/** Reads a message whose bytes are anybody's; null when they are no whole message. */
export function readMessage(bytes: Buffer): WireReply | null {
  try {
    return read(bytes)
  } catch (error) {
    // Reading beyond the end.
    if (error instanceof RangeError) return null
    throw error
  }
}

function read(bytes: Buffer): WireReply | null {
  let at = HEADER_BYTES
  for (let left = bytes.readUInt16BE(4); left > 0; left--) {
    const name = readName(bytes, at)
    if (!name) return null
    at = name.next + 4
  }
  const answers: WireData[] = []
  const [answerCount, others] = [bytes.readUInt16BE(6), bytes.readUInt16BE(8) + bytes.readUInt16BE(10)]
  let tsigAt = 0
  for (let index = 0; index < answerCount + others; index++) {
    const name = readName(bytes, at)
    if (!name) return null
    const type = bytes.readUInt16BE(name.next)
    // RFC 8945 5.1: the last record of all.
    if (type === TYPE_TSIG && index === answerCount + others - 1 && bytes.readUInt16BE(10) > 0) tsigAt = at
    const dataAt = name.next + 10
    at = dataAt + bytes.readUInt16BE(name.next + 8)
    if (at > bytes.length) return null
    if (index >= answerCount || bytes.readUInt16BE(name.next + 2) !== CLASS_IN) continue
    const rdata = plainRdata(bytes, type, dataAt, at)
    if (!rdata) return null
    answers.push({ name: nameText(name.wire), type, ttlSeconds: bytes.readUInt32BE(name.next + 4), rdata })
  }
  const flags = bytes.readUInt16BE(2)
  return at === bytes.length
    ? {
        id: bytes.readUInt16BE(0),
        opcode: (flags >> 11) & 15,
        rcode: flags & 15,
        isResponse: flags >= 0x8000,
        answers,
        tsigAt,
      }
    : null
}

function plainRdata(bytes: Buffer, type: number, start: number, end: number): Buffer | null {
  const layout = NAMES[type]
  if (!layout) return bytes.subarray(start, end)
  let at = start + layout.before
  for (let left = layout.strings ?? 0; left > 0; left--) at += bytes.readUInt8(at) + 1
  const parts = [bytes.subarray(start, at)]
  for (let left = layout.names; left > 0; left--) {
    const name = readName(bytes, at)
    if (!name || name.next > end) return null
    parts.push(name.wire)
    at = name.next
  }
  return Buffer.concat([...parts, bytes.subarray(at, end)])
}

/**
 * The name at `at`, uncompressed and in lower case, and where the message goes on; null when it is malformed. Pointers
 * lead only backwards, so that it ends.
 */
export function readName(bytes: Buffer, at: number): { wire: Buffer; next: number } | null {
  const labels: Buffer[] = []
  let next = -1
  let length = 1
  let before = at
  for (let here = at; ;) {
    const size = bytes[here]
    if (size === undefined || (size > LABEL_BYTES && size < 0xc0)) return null
    if (size >= 0xc0) {
      if (here + 2 > bytes.length) return null
      const target = bytes.readUInt16BE(here) & 0x3fff
      // Only backwards, and never into the header, where no name is (RFC 1035 4.1.4).
      if (target >= before || target < HEADER_BYTES) return null
      if (next < 0) next = here + 2
      before = here = target
      continue
    }
    length += size === 0 ? 0 : size + 1
    if (here + 1 + size > bytes.length || length > NAME_BYTES) return null
    labels.push(bytes.subarray(here, here + 1 + size))
    here += 1 + size
    if (size === 0) return { wire: Buffer.from(Buffer.concat(labels).map(lowerByte)), next: next < 0 ? here : next }
  }
}

/** Length bytes are at most 63 and so never letters. */
const lowerByte = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte)

/** Presentation form without the last dot, `.` for the root. */
export function nameText(wire: Uint8Array): string {
  const labels: string[] = []
  for (let at = 0, length = wire[0] ?? 0; length > 0; at += length + 1, length = wire[at] ?? 0)
    labels.push(Array.from(wire.subarray(at + 1, at + 1 + length), escaped).join(''))
  return labels.join('.') || '.'
}

function escaped(byte: number): string {
  if (byte <= 32 || byte >= 127) return `\\${String(byte).padStart(3, '0')}`
  return '.\\"();@$'.includes(String.fromCharCode(byte)) ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte)
}

/** Wire form of a name in lower case whose labels need no escapes: that of a zone, a key or an algorithm. */
export function plainName(text: string): Buffer {
  const labels = text
    .toLowerCase()
    .replace(/\.$/, '')
    .split('.')
    .filter((label) => label !== '')
  return Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')])),
    Buffer.alloc(1),
  ])
}
