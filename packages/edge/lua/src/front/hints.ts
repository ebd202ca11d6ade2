/** What of an answer's Link header (RFC 8288) may be said before the answer (RFC 8297): what is to be fetched or connected to. */
const FORETOLD: Record<string, boolean | undefined> = { preload: true, preconnect: true, modulepreload: true }
const MOST_LINKS = 16
const MOST_BYTES = 2_000

/** The links of it that are hints, as one header; empty when none is, or when it is no Link header. */
export function hintsOf(link: string): string {
  if (link.length > MOST_BYTES * 4 || hasControls(link)) return ''
  const kept: string[] = []
  let bytes = 0
  for (const value of linkValues(link)) {
    if (!isHint(value)) continue
    bytes += value.length + 2
    if (kept.length >= MOST_LINKS || bytes > MOST_BYTES) break
    kept.push(value)
  }
  return kept.join(', ')
}

/** A line break, or what is no ASCII, would be another header, or none. */
function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 32 || code > 126) return true
  }
  return false
}

/** Splits at commas that stand neither in an address nor in quotes. */
function linkValues(text: string): string[] {
  const values: string[] = []
  let begin = 0
  let inAddress = false
  let inQuotes = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inQuotes) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) inQuotes = false
    } else if (inAddress) {
      if (code === GREATER) inAddress = false
    } else if (code === QUOTE) inQuotes = true
    else if (code === LESS) inAddress = true
    else if (code === COMMA) {
      values.push(text.slice(begin, at).trim())
      begin = at + 1
    }
  }
  if (!inAddress && !inQuotes) values.push(text.slice(begin).trim())
  return values
}

function isHint(value: string): boolean {
  const end = value.indexOf('>')
  if (!value.startsWith('<') || end < 2) return false
  for (const part of value.slice(end + 1).split(';')) {
    const parameter = part.trim().toLowerCase()
    if (!parameter.startsWith('rel')) continue
    const equals = parameter.indexOf('=')
    if (equals < 0 || parameter.slice(0, equals).trim() !== 'rel') continue
    // The first counts (RFC 8288 3.3); of several relations in one each has to be a hint.
    let isOne = false
    for (const relation of unquoted(parameter.slice(equals + 1).trim()).split(' ')) {
      if (relation === '') continue
      if (FORETOLD[relation] !== true) return false
      isOne = true
    }
    return isOne
  }
  return false
}

const unquoted = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, text.length - 1) : text

const [QUOTE, COMMA, LESS, GREATER, BACKSLASH] = [34, 44, 60, 62, 92]
