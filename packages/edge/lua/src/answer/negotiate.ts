import type { Language } from './page-words.ts'

/**
 * What an error is told in: a whole page to people, JSON (RFC 9457) to programs that ask for it, else a line of text.
 */
export type BodyForm = 'page' | 'json' | 'text'

/** Only who names HTML, or has no wish at all, gets a page: a picture's or a script's place has no use for one. */
export function bodyForm(accept: string): BodyForm {
  const wish = accept.trim().toLowerCase()
  if (wish === '' || wish === '*/*') return 'page'
  let json = false
  for (const item of wish.split(',')) {
    const type = (item.split(';')[0] ?? '').trim()
    if (type === 'text/html' || type === 'application/xhtml+xml' || type === 'text/*') return 'page'
    if (type === 'application/json' || type.endsWith('+json')) json = true
  }
  return json ? 'json' : 'text'
}

/** The best of our languages by Accept-Language (RFC 9110 12.5.4); English for who speaks none of them. */
export function languageOf(header: string): Language {
  let best: Language = 'en'
  let bestWeight = 0
  for (const item of header.toLowerCase().split(',')) {
    const parts = item.split(';')
    const language = ours((parts[0] ?? '').trim())
    const weight = weightOf(parts[1])
    if (language !== undefined && weight > bestWeight) {
      best = language
      bestWeight = weight
    }
  }
  return best
}

function ours(tag: string): Language | undefined {
  if (tag === 'en' || tag.startsWith('en-') || tag === '*') return 'en'
  if (tag !== 'zh' && !tag.startsWith('zh-')) return undefined
  return tag.includes('hant') ||
    (!tag.includes('hans') && (tag.endsWith('-tw') || tag.endsWith('-hk') || tag.endsWith('-mo')))
    ? 'zhHant'
    : 'zhHans'
}

/** `q=0.8` as 800; 1000 when nothing is said, 0 for what is no weight. */
function weightOf(parameter: string | undefined): number {
  if (parameter === undefined) return 1000
  const text = parameter.trim()
  if (text.startsWith('q=1')) return 1000
  if (!text.startsWith('q=0')) return 0
  let weight = 0
  let place = 100
  for (let i = 4; i < text.length && i < 7; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return 0
    weight += digit * place
    place = place / 10
  }
  return weight
}
