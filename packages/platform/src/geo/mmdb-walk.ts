/**
 * Walks a MaxMind DB file (format 2.0, 28-bit records) from the lowest address to the highest. Own reader: libraries
 * look addresses up, they do not list ranges.
 */

export type MmdbPlace = { country: string; state: string; city: string }
type Tree = { bytes: Buffer; nodeCount: number; dataStart: number; bits: number }

const METADATA_MARK = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
/** Networks of IPv6 are looked at down to /64: nobody's place changes inside a subnet. */
const DEEPEST = 64
/** Added to pointers of 2 and 3 bytes, and to sizes given in 1, 2 and 3 bytes (MaxMind DB 2.0). */
const POINTER_BASE = [0, 2048, 526_336]
const SIZE_BASE = [0, 29, 285, 65_821]

/**
 * Calls `emit` for every leaf in address order: the upper and lower 32 bits of its first address (IPv4: lower is 0) and
 * a number for its record, -1 for none.
 * @throws Error when the file is not of the expected form
 */
export function walkMmdb(bytes: Buffer, emit: (high: number, low: number, record: number) => void): void {
  const tree = openTree(bytes)
  const depthLimit = Math.min(tree.bits, DEEPEST)
  const step = (node: number, depth: number, high: number, low: number): void => {
    for (let side = 0; side < 2; side++) {
      let next = recordOf(tree, node, side)
      const h = side && depth < 32 ? (high | (1 << (31 - depth))) >>> 0 : high
      const l = side && depth >= 32 ? (low | (1 << (63 - depth))) >>> 0 : low
      if (next < tree.nodeCount && depth + 1 < depthLimit) step(next, depth + 1, h, l)
      else {
        while (next < tree.nodeCount) next = recordOf(tree, next, 0)
        emit(h, l, next === tree.nodeCount ? -1 : next - tree.nodeCount - 16)
      }
    }
  }
  step(0, 0, 0, 0)
}

/** Reads the place of a record number given by `walkMmdb`. */
export function mmdbPlaceReader(bytes: Buffer): (record: number) => MmdbPlace {
  const { dataStart } = openTree(bytes)
  return (record) => {
    const value = readValue(bytes, dataStart, dataStart + record).value
    const field = (name: string) => (isMap(value) && typeof value[name] === 'string' ? value[name] : '')
    return { country: field('country_code'), state: field('state1'), city: field('city') }
  }
}

function openTree(bytes: Buffer): Tree {
  const mark = bytes.lastIndexOf(METADATA_MARK)
  const metadata = mark < 0 ? null : readValue(bytes, mark + METADATA_MARK.length, mark + METADATA_MARK.length).value
  if (!isMap(metadata) || metadata['record_size'] !== 28) throw new Error('not a MaxMind DB file with 28-bit records')
  const nodeCount = Number(metadata['node_count'])
  return { bytes, nodeCount, dataStart: nodeCount * 7 + 16, bits: metadata['ip_version'] === 4 ? 32 : 128 }
}

function recordOf({ bytes }: Tree, node: number, side: number): number {
  const at = node * 7
  const middle = bytes[at + 3] ?? 0
  if (side)
    return (
      (((middle & 15) << 24) | ((bytes[at + 4] ?? 0) << 16) | ((bytes[at + 5] ?? 0) << 8) | (bytes[at + 6] ?? 0)) >>> 0
    )
  return (((middle >> 4) << 24) | ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)) >>> 0
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** One value of the data section: maps, strings and unsigned integers; other types are skipped as null. */
function readValue(bytes: Buffer, base: number, start: number): { value: unknown; end: number } {
  let at = start
  const control = bytes.readUInt8(at++)
  if (control >> 5 === 1) {
    const width = (control >> 3) & 3
    const stored = bytes.readUIntBE(at, width + 1)
    const target = width === 3 ? stored : (control & 7) * 2 ** (8 * (width + 1)) + stored + (POINTER_BASE[width] ?? 0)
    return { value: readValue(bytes, base, base + target).value, end: at + width + 1 }
  }
  const type = control >> 5 === 0 ? 7 + bytes.readUInt8(at++) : control >> 5
  let size = control & 31
  if (size >= 29) {
    const width = size - 28
    size = (SIZE_BASE[width] ?? 0) + bytes.readUIntBE(at, width)
    at += width
  }
  if (type === 7) return readMap(bytes, base, at, size)
  if (type === 2) return { value: bytes.toString('utf8', at, at + size), end: at + size }
  const unsigned = type === 5 || type === 6 || type === 9
  return {
    value: unsigned && size <= 6 ? (size === 0 ? 0 : bytes.readUIntBE(at, size)) : null,
    end: type === 14 ? at : at + size,
  }
}

function readMap(bytes: Buffer, base: number, start: number, size: number): { value: unknown; end: number } {
  const value: Record<string, unknown> = {}
  let at = start
  for (let i = 0; i < size; i++) {
    const key = readValue(bytes, base, at)
    const field = readValue(bytes, base, key.end)
    value[String(key.value)] = field.value
    at = field.end
  }
  return { value, end: at }
}
