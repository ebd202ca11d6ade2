import { ByteWriter } from '../wire/bytes.ts'

const NAME_BYTES = 255
export const RRSIG = 46
export const NSEC = 47

/** Rdata of an NSEC: the next name and the types at the owner (RFC 4034 4). RRSIG and NSEC are added. */
export function nsecRdata(next: Uint8Array, types: Iterable<number>): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter()
  out.put(next)
  const windows = Map.groupBy(
    [...new Set([...types, RRSIG, NSEC])].sort((a, b) => a - b),
    (type) => type >> 8,
  )
  for (const [window, all] of windows) {
    const bits = new Uint8Array((((all.at(-1) ?? 0) & 255) >> 3) + 1)
    for (const type of all) bits[(type & 255) >> 3] = (bits[(type & 255) >> 3] ?? 0) | (0x80 >> (type & 7))
    out.u8(window)
    out.u8(bits.length)
    out.put(bits)
  }
  return out.done()
}

/**
 * The name that follows immediately in a zone's order: `\000.<name>`, so that the denial covers nothing but the name
 * itself (RFC 9824 2).
 */
export function nextName(name: Uint8Array): Uint8Array<ArrayBuffer> {
  if (name.length + 2 <= NAME_BYTES) return Uint8Array.from([1, 0, ...name])
  // There is no room below: the first label is made larger in its last byte that can be.
  const next = Uint8Array.from(name)
  for (let at = next[0] ?? 0; at > 0; at--) {
    const byte = next[at] ?? 0
    if (byte === 255) continue
    next[at] = byte === 64 ? 91 : byte + 1
    return next
  }
  return next
}
