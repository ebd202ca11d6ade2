/** From the first byte on, up to one that is left out. */
type Span = { from: number; to: number }

/** One range of bytes, as players send it (RFC 9110 14.1.2). */
const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i

/**
 * What of a file of this size is asked for: `all` where the header is not understood or asks for several, which a server
 * may take as none; `none` when nothing of it is there (416).
 */
export function readRange(header: string | undefined, size: number): Span | 'all' | 'none' {
  const [, first = '', last = ''] = RANGE.exec(header?.trim() ?? '') ?? []
  if (first === '') {
    if (last === '') return 'all'
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { from: size - length, to: size }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return 'all'
  if (from >= size) return 'none'
  return { from, to: last === '' ? size : Math.min(Number(last) + 1, size) }
}
