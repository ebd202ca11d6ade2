export type DeviceKind = 'tv' | 'tablet' | 'phone' | 'desktop' | ''

/** What kind of device a user agent tells of; empty where it does not. Nothing else of it is kept. */
export function deviceOf(agent: string): DeviceKind {
  if (/\b(smart-?tv|appletv|apple tv|googletv|android tv|bravia|tizen|web0s|webos|crkey|roku|aft[a-z]+)\b/i.test(agent))
    return 'tv'
  if (/\bipad\b|\btablet\b/i.test(agent) || (/\bandroid\b/i.test(agent) && !/\bmobile\b/i.test(agent))) return 'tablet'
  if (/\biphone\b|\bipod\b|\bmobile\b/i.test(agent)) return 'phone'
  return /\b(windows nt|macintosh|x11|cros)\b/i.test(agent) ? 'desktop' : ''
}
