import fs from 'node:fs'

/**
 * One read-only file of typed arrays: 8 bytes magic, length of the directory (u32), the directory as JSON `{stamp,
 * countries, sections: {name: [offset, length]}}`, then the sections, each on 8 bytes.
 * Little endian, as every machine the product runs on.
 */
const MAGIC = 'FWGEO002'
const SECTIONS = {
  /** IPv4: see `Ipv4Table`. */
  v4First: Uint32Array,
  v4Steps: Uint32Array,
  /** IPv6: distinct upper 32 bits of steps, first step of each (one more at the end); next 32 bits and leaves. */
  v6Top: Uint32Array,
  v6First: Uint32Array,
  v6Low: Uint32Array,
  v6Leaf: Uint32Array,
  /** A leaf is a distinct pair of place and network. */
  leafPlace: Uint32Array,
  leafNetwork: Uint32Array,
  networkAsn: Uint32Array,
  placeCountry: Uint16Array,
  placeRegion: Uint32Array,
  placeCity: Uint32Array,
  /** Strings of regions and cities; number 0 is null. */
  stringStart: Uint32Array,
  stringBytes: Uint8Array,
} as const

type SectionName = keyof typeof SECTIONS
export type GeoTables = { [N in SectionName]: InstanceType<(typeof SECTIONS)[N]> } & {
  countries: string[]
  stamp: string
}

export function writeGeoFile(file: string, tables: GeoTables): void {
  const names = Object.keys(SECTIONS) as SectionName[]
  const sections: Record<string, [number, number]> = {}
  let offset = 0
  for (const name of names) {
    sections[name] = [offset, tables[name].length]
    offset = align(offset + tables[name].byteLength)
  }
  const directory = Buffer.from(
    JSON.stringify({ stamp: tables.stamp, countries: tables.countries, bytes: offset, sections }),
  )
  const head = Buffer.alloc(align(12 + directory.length))
  head.write(MAGIC, 'latin1')
  head.writeUInt32LE(directory.length, 8)
  directory.copy(head, 12)
  const draft = `${file}.${process.pid}`
  const fd = fs.openSync(draft, 'w')
  try {
    fs.writeSync(fd, head)
    for (const name of names) {
      const { buffer, byteOffset, byteLength } = tables[name]
      fs.writeSync(
        fd,
        new Uint8Array(buffer, byteOffset, byteLength),
        0,
        byteLength,
        head.length + (sections[name]?.[0] ?? 0),
      )
    }
    fs.ftruncateSync(fd, head.length + offset)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
  fs.renameSync(draft, file)
}

/** @returns null when the file is absent, damaged or of another stamp: it is then built again. */
export async function readGeoFile(file: string, stamp: string): Promise<GeoTables | null> {
  if (!fs.existsSync(file)) return null
  const bytes = await mapFile(file)
  if (bytes.byteLength < 12 || Buffer.from(bytes, 0, 8).toString('latin1') !== MAGIC) return null
  const directoryLength = new DataView(bytes).getUint32(8, true)
  const start = align(12 + directoryLength)
  if (start > bytes.byteLength) return null
  const directory = JSON.parse(Buffer.from(bytes, 12, directoryLength).toString('utf8')) as {
    stamp: string
    countries: string[]
    bytes: number
    sections: Record<SectionName, [number, number]>
  }
  if (directory.stamp !== stamp || start + directory.bytes !== bytes.byteLength) return null
  const tables = Object.entries(SECTIONS).map(([name, kind]) => {
    const [offset, length] = directory.sections[name as SectionName]
    return [name, new kind(bytes, start + offset, length)]
  })
  return { ...(Object.fromEntries(tables) as GeoTables), countries: directory.countries, stamp }
}

const align = (offset: number) => (offset + 7) & ~7

/**
 * Maps the file into memory, so that all roles of a machine share one copy and only the pages in use are resident;
 * reads it whole where that is not possible.
 * The file is only ever replaced by rename, never cut, so a mapped page cannot vanish.
 */
async function mapFile(file: string): Promise<ArrayBuffer> {
  const fd = fs.openSync(file, 'r')
  try {
    return (process.platform === 'linux' && (await mapped(fd))) || wholeFile(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function wholeFile(fd: number): ArrayBuffer {
  const bytes = new ArrayBuffer(fs.fstatSync(fd).size)
  const view = new Uint8Array(bytes)
  for (let at = 0; at < view.length;) {
    const read = fs.readSync(fd, view, at, view.length - at, at)
    if (read === 0) break
    at += read
  }
  return bytes
}

async function mapped(fd: number): Promise<ArrayBuffer | null> {
  const PROT_READ = 1
  const MAP_SHARED = 1
  try {
    const ffi = await import('node:ffi')
    const { functions } = ffi.dlopen('libc.so.6', {
      mmap: { arguments: ['u64', 'u64', 'i32', 'i32', 'i32', 'i64'], return: 'u64' },
    })
    const size = fs.fstatSync(fd).size
    const address: unknown = functions.mmap(0n, BigInt(size), PROT_READ, MAP_SHARED, fd, 0n)
    const failed = 0xffffffffffffffffn
    return typeof address === 'bigint' && address !== failed ? ffi.toArrayBuffer(address, size, false) : null
  } catch {
    // No foreign function interface in this build of Node, or another C library: the caller reads the file.
    return null
  }
}
