const LONGEST_NUMBER = 15
/** No segment has a thousand parts. */
const LONGEST_PART = 3
/** What no player writes is one address, for an answer that says so. */
const UNREADABLE = '_HLS_msn=-'

/**
 * What a player asks of a playlist that it waits for (RFC 8216bis 6.2.5), in one spelling; empty when it asks nothing.
 * It is all that addresses of playlists differ by, so that all who wait for the same wait together.
 */
export function deliveryDirectives(args: string): string {
  if (!args.includes('_HLS_')) return ''
  const [msn, part, skip] = [valueOf(args, '_HLS_msn='), valueOf(args, '_HLS_part='), valueOf(args, '_HLS_skip=')]
  if (msn === undefined && part === undefined && skip === undefined) return ''
  if (msn !== undefined && !isNumber(msn, LONGEST_NUMBER)) return UNREADABLE
  if (part !== undefined && (msn === undefined || !isNumber(part, LONGEST_PART))) return UNREADABLE
  if (skip !== undefined && skip !== 'YES' && skip !== 'v2') return UNREADABLE
  const asked = [
    msn === undefined ? '' : `_HLS_msn=${bare(msn)}`,
    part === undefined ? '' : `_HLS_part=${bare(part)}`,
    skip === undefined ? '' : '_HLS_skip=YES',
  ]
  return asked.filter((one) => one !== '').join('&')
}

/** Of the parameter that stands once; one that stands twice is none. */
function valueOf(args: string, name: string): string | undefined {
  const all = `&${args}`
  const at = all.indexOf(`&${name}`)
  if (at < 0) return undefined
  const from = at + 1 + name.length
  const end = all.indexOf('&', from)
  if (all.indexOf(`&${name}`, from) >= 0) return '-'
  return end < 0 ? all.slice(from) : all.slice(from, end)
}

function isNumber(text: string, longest: number): boolean {
  if (text.length === 0 || text.length > longest) return false
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return false
  }
  return true
}

/** Without zeros in front. */
function bare(digits: string): string {
  let from = 0
  while (from < digits.length - 1 && digits.charCodeAt(from) === 48) from += 1
  return digits.slice(from)
}

export function isPlaylist(path: string): boolean {
  return path.endsWith('.m3u8')
}

/** What names other files, for players of HLS or DASH. */
export function isManifest(path: string): boolean {
  return isPlaylist(path) || path.endsWith('.mpd')
}
