/** Path of a Location when it is on this host; empty for another's, or for one that is relative to the path. */
export function sameHostPath(location: string, host: string): string {
  if (location.startsWith('/') && !location.startsWith('//')) return pathOnly(location)
  for (const scheme of ['http://', 'https://']) {
    if (!location.startsWith(scheme)) continue
    const rest = location.slice(scheme.length)
    const slash = rest.indexOf('/')
    if (slash < 0) return ''
    const authority = rest.slice(0, slash).toLowerCase()
    const colon = authority.indexOf(':')
    return (colon < 0 ? authority : authority.slice(0, colon)) === host ? pathOnly(rest.slice(slash)) : ''
  }
  return ''
}

function pathOnly(target: string): string {
  for (let i = 0; i < target.length; i++) {
    const char = target.charAt(i)
    if (char === '?' || char === '#') return target.slice(0, i)
  }
  return target
}
