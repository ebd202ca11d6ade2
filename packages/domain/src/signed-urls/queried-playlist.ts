/** What stands in the query of a request that CloudFront lets through; the origin never sees it. */
export const CLOUDFRONT_PARAMETERS = ['Policy', 'Signature', 'Key-Pair-Id'] as const

const ADDRESS = /(\bURI=")([^"]+)"/g
const VERSION = '#EXT-X-VERSION:'

/**
 * A playlist of ours for viewers whose signature stands in the query of every request: each address takes it from the
 * playlist's own (`EXT-X-DEFINE:QUERYPARAM`, RFC 8216bis 4.4.2.3), so that all viewers are given the same text. Who
 * comes without one cannot read it.
 */
export function queriedPlaylist(text: string, names: readonly string[] = CLOUDFRONT_PARAMETERS): string {
  const query = names.map((name) => `${name}={$${name}}`).join('&')
  const at = (address: string) => `${address}${address.includes('?') ? '&' : '?'}${query}`
  const lines = text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith(VERSION)) return line === '' ? [line] : []
    if (!line.startsWith('#')) return [at(line)]
    return [line.replaceAll(ADDRESS, (_, name: string, address: string) => `${name}${at(address)}"`)]
  })
  const head = [`${VERSION}11`, ...names.map((name) => `#EXT-X-DEFINE:QUERYPARAM="${name}"`)]
  return lines.toSpliced(1, 0, ...head).join('\n')
}
