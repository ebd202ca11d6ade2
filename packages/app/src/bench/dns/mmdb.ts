import type { GeoRange } from './geo-ranges.ts'

/**
 * Writes ranges as a MaxMind database (format 2.0, 32-bit records, GeoLite2-Country shape) for the servers that read
 * only that.
 */
export function countryDatabase(ranges: readonly GeoRange[]): Buffer {
  const data: Buffer[] = []
  const offsets = new Map<string, number>()
  let dataBytes = 0
  const offsetOf = ({ country, continent }: GeoRange): number => {
    const known = offsets.get(country)
    if (known !== undefined) return known
    const encoded = encode({
      continent: { code: continent, names: { en: continent } },
      country: { iso_code: country, names: { en: country } },
    })
    const at = dataBytes
    offsets.set(country, at)
    data.push(encoded)
    dataBytes += encoded.length
    return at
  }
  const nodes: [number, number][] = [[EMPTY, EMPTY]]
  for (const range of ranges) insert(nodes, bitsOf(range), -2 - offsetOf(range))
  const tree = Buffer.alloc(nodes.length * 8)
  for (const [index, pair] of nodes.entries()) {
    for (const side of [0, 1] as const) tree.writeUInt32BE(recordOf(pair[side], nodes.length), index * 8 + side * 4)
  }
  const metadata = encode({
    binary_format_major_version: u16(2),
    binary_format_minor_version: u16(0),
    build_epoch: 1n,
    database_type: 'GeoLite2-Country',
    description: { en: 'bench' },
    ip_version: u16(6),
    languages: ['en'],
    node_count: nodes.length,
    record_size: u16(32),
  })
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    ...data,
    Buffer.from([0xab, 0xcd, 0xef]),
    Buffer.from('MaxMind.com'),
    metadata,
  ])
}

const EMPTY = -1
const recordOf = (value: number, count: number): number =>
  value === EMPTY ? count : value < EMPTY ? count + 16 + (-2 - value) : value

/** An IPv4 network stands below 96 zero bits in the IPv6 tree. */
function bitsOf({ address, prefixLength }: GeoRange): number[] {
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  return [
    ...Array.from({ length: 96 }, () => 0),
    ...Array.from({ length: prefixLength }, (_, i) => Math.floor(number / 2 ** (31 - i)) & 1),
  ]
}

function insert(nodes: [number, number][], bits: number[], value: number): void {
  let at = 0
  for (const [depth, bit] of bits.entries()) {
    const node = nodes[at]
    const side = bit === 1 ? 1 : 0
    if (!node) return
    if (depth === bits.length - 1) node[side] = value
    else {
      if (node[side] < 0) node[side] = nodes.push([EMPTY, EMPTY]) - 1
      at = node[side]
    }
  }
}

type Value = string | number | bigint | Value[] | { u16: number } | { [key: string]: Value }
const u16 = (value: number) => ({ u16: value })

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([control(2, text.length), text])
  }
  if (typeof value === 'number')
    return Buffer.concat([
      control(6, 4),
      Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]),
    ])
  if (typeof value === 'bigint')
    return Buffer.concat([Buffer.from([0x08, 0x02]), Buffer.from([0, 0, 0, 0, 0, 0, 0, Number(value)])])
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 0x04]), ...value.map(encode)])
  if (typeof value['u16'] === 'number')
    return Buffer.concat([control(5, 2), Buffer.from([value['u16'] >> 8, value['u16'] & 255])])
  const entries = Object.entries(value as { [key: string]: Value })
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([name, inner]) => [encode(name), encode(inner)]),
  ])
}

function control(type: number, size: number): Buffer {
  return size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29])
}
