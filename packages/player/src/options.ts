/** What whoever embeds a video may ask for in the address of its page. */
export type EmbedOptions = {
  autoplay: boolean
  muted: boolean
  /** Seconds of the film to begin at. */
  start: number
  /** One of `LANGUAGES`; null: the visitor's own. */
  language: Language | null
  /** `#rrggbb`; null: the brand's. */
  color: string | null
  /** What the video is called, for who hears the page; plain text. */
  title: string | null
  /** What lets the viewer in while addresses are signed. */
  token: string | null
}

export const LANGUAGES = ['en', 'zh-Hant', 'zh-Hans'] as const
export type Language = (typeof LANGUAGES)[number]

const LONGEST_START = 604_800
const COLOR = /^#?([0-9a-f]{6})$/i
/** A JWT: three parts of base64url. */
const TOKEN = /^[\w-]{1,2048}\.[\w-]{1,4096}\.[\w-]{1,1024}$/

/** Reads a query. Whatever is none of the above is as if it were not there. */
export function readOptions(query: string): EmbedOptions {
  const asked = new URLSearchParams(query.slice(0, 10_000))
  const start = Number(asked.get('start') ?? 0)
  const color = COLOR.exec(asked.get('color') ?? '')?.[1]
  const title = (asked.get('title') ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200)
  const token = asked.get('token') ?? ''
  return {
    autoplay: isOn(asked.get('autoplay')),
    muted: isOn(asked.get('muted')),
    start: start > 0 && start <= LONGEST_START ? start : 0,
    language: asked.has('language') ? languageOf(asked.get('language') ?? '') : null,
    color: color === undefined ? null : `#${color.toLowerCase()}`,
    title: title === '' ? null : title,
    token: TOKEN.test(token) ? token : null,
  }
}

const isOn = (value: string | null): boolean => value === '' || value === '1' || value === 'true'

/** Which of ours is nearest to a tag of BCP 47; null for none. */
export function languageOf(tag: string): Language | null {
  const [language, ...rest] = tag.toLowerCase().split(/[-_]/)
  if (language === 'en') return 'en'
  if (language !== 'zh' && language !== 'zhhant' && language !== 'zhhans') return null
  const isTraditional = language === 'zhhant' || ['hant', 'tw', 'hk', 'mo'].some((part) => rest.includes(part))
  return isTraditional && !rest.includes('hans') ? 'zh-Hant' : 'zh-Hans'
}

/** The first of a visitor's languages that is one of ours. */
export const visitorsLanguage = (tags: readonly string[]): Language =>
  tags.map(languageOf).find((found) => found !== null) ?? 'en'

/** Puts the token into an address that needs one. A path token before the path needs no other. */
export function withToken(address: string, token: string | null): string {
  if (token === null) return address
  const url = new URL(address)
  url.searchParams.set('token', token)
  return url.href
}
