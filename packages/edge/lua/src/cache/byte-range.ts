/** Bytes of an object, from 0, both ends included; `to` is undefined for all that follow. */
export type ByteRange = { from: number; to?: number }
/** What a part says of itself (RFC 9110 14.4). */
export type ContentRange = { from: number; to: number; total: number }

/** One range with a beginning (RFC 9110 14.1.2); undefined for several, for the last bytes, and for what is none. */
export function byteRange(text: string): ByteRange | undefined {
  if (!text.toLowerCase().startsWith('bytes=')) return undefined
  const dash = text.indexOf('-')
  const from = wholeNumber(text.slice(6, dash < 0 ? 6 : dash))
  if (from === undefined) return undefined
  const end = text.slice(dash + 1)
  if (end === '') return { from }
  const to = wholeNumber(end)
  return to === undefined || to < from ? undefined : { from, to }
}

/** `bytes 0-9/200`; undefined without a total, or for what is none. */
export function contentRange(text: string): ContentRange | undefined {
  const [dash, slash] = [text.indexOf('-'), text.indexOf('/')]
  if (!text.toLowerCase().startsWith('bytes ') || dash < 0 || slash < dash) return undefined
  const [from, to, total] = [
    wholeNumber(text.slice(6, dash)),
    wholeNumber(text.slice(dash + 1, slash)),
    wholeNumber(text.slice(slash + 1)),
  ]
  if (from === undefined || to === undefined || total === undefined || to < from || to >= total) return undefined
  return { from, to, total }
}

/** Not longer than what is counted exactly everywhere. */
function wholeNumber(text: string): number | undefined {
  if (text === '' || text.length > 15) return undefined
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return undefined
    value = value * 10 + digit
  }
  return value
}
