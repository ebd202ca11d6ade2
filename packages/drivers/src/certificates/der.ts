/** One element of DER (X.690): its tag byte, its contents, and all of it. */
export type Der = { tag: number; body: Buffer; raw: Buffer }

export class DerError extends Error {}

/** The elements that follow each other in these bytes. @throws DerError when they are none */
export function readDer(bytes: Buffer): Der[] {
  const found: Der[] = []
  for (let at = 0; at < bytes.length;) {
    const tag = bytes[at] ?? 0
    let length = bytes[at + 1] ?? -1
    let start = at + 2
    if (length > 0x80) {
      const count = length - 0x80
      if (count > 4 || start + count > bytes.length) throw new DerError('a length that is none')
      length = bytes.readUIntBE(start, count)
      start += count
    }
    if (length < 0 || length === 0x80 || start + length > bytes.length)
      throw new DerError('an element that does not end')
    found.push({ tag, body: bytes.subarray(start, start + length), raw: bytes.subarray(at, start + length) })
    at = start + length
  }
  return found
}

/** The one element that these bytes are. @throws DerError */
export function oneDer(bytes: Buffer): Der {
  const [only] = readDer(bytes)
  if (!only) throw new DerError('nothing is there')
  return only
}

export const childrenOf = (parent: Der | undefined): Der[] => (parent ? readDer(parent.body) : [])

export function derOf(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, body])
}

/** UTCTime or GeneralizedTime as epoch ms (RFC 5280 4.1.2.5); NaN for anything else. */
export function timeOf(der: Der | undefined): number {
  const text = der?.body.toString('latin1') ?? ''
  const [, year = '', month, day, hour, minute, second] =
    /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(text) ?? []
  const full = year.length === 2 ? `${Number(year) < 50 ? '20' : '19'}${year}` : year
  return Date.parse(`${full}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
