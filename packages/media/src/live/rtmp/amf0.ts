/** A value of AMF0, as far as encoders use it. */
export type Amf = number | boolean | string | null | undefined | { [key: string]: Amf } | Amf[]

const MOST_DEPTH = 8
const MOST_VALUES = 2_000

/** All values of a message. @throws RangeError when it is cut off or nested too deeply: the sender is at fault */
export function readAmf(bytes: Buffer): Amf[] {
  const reader = { bytes, at: 0, count: 0 }
  const values: Amf[] = []
  while (reader.at < bytes.length) values.push(readValue(reader, 0))
  return values
}

type Reader = { bytes: Buffer; at: number; count: number }

function readValue(reader: Reader, depth: number): Amf {
  if (depth > MOST_DEPTH || ++reader.count > MOST_VALUES) throw new RangeError('too much of AMF0')
  const marker = reader.bytes.readUInt8(reader.at++)
  switch (marker) {
    case 0:
      return (reader.at += 8) && reader.bytes.readDoubleBE(reader.at - 8)
    case 1:
      return reader.bytes.readUInt8(reader.at++) !== 0
    case 2:
      return readText(reader, 2)
    case 3:
      return readObject(reader, depth)
    case 5:
      return null
    case 6:
    case 13:
      return undefined
    case 8:
      reader.at += 4
      return readObject(reader, depth)
    case 10: {
      const length = reader.bytes.readUInt32BE((reader.at += 4) - 4)
      return Array.from({ length: Math.min(length, MOST_VALUES) }, () => readValue(reader, depth + 1))
    }
    case 11:
      return (reader.at += 10) && reader.bytes.readDoubleBE(reader.at - 10)
    case 12:
      return readText(reader, 4)
    default:
      throw new RangeError(`AMF0 marker ${marker}`)
  }
}

function readText(reader: Reader, size: 2 | 4): string {
  const length = reader.bytes.readUIntBE(reader.at, size)
  reader.at += size
  if (reader.at + length > reader.bytes.length) throw new RangeError('a text that is cut off')
  return reader.bytes.toString('utf8', reader.at, (reader.at += length))
}

function readObject(reader: Reader, depth: number): Amf {
  const found = new Map<string, Amf>()
  for (;;) {
    const key = readText(reader, 2)
    if (key === '' && reader.bytes.readUInt8(reader.at) === 9) {
      reader.at++
      return Object.fromEntries(found)
    }
    found.set(key, readValue(reader, depth + 1))
  }
}

export function writeAmf(...values: readonly Amf[]): Buffer {
  return Buffer.concat(values.map(written))
}

function written(value: Amf): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (typeof value === 'boolean') return Buffer.from([1, value ? 1 : 0])
  if (typeof value === 'string') return Buffer.concat([Buffer.from([2]), text(value)])
  if (value === null) return Buffer.from([5])
  if (value === undefined) return Buffer.from([6])
  if (Array.isArray(value)) {
    const head = Buffer.from([10, 0, 0, 0, 0])
    head.writeUInt32BE(value.length, 1)
    return Buffer.concat([head, ...value.map(written)])
  }
  const fields = Object.entries(value).map(([key, inner]) => Buffer.concat([text(key), written(inner)]))
  return Buffer.concat([Buffer.from([3]), ...fields, Buffer.from([0, 0, 9])])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}
