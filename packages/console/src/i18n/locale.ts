import type { Locale } from '@fairway/contract'

/**
 * The product's codes as `Intl`, i18next and the `lang` attribute know them. `zhHant` itself is silently taken for
 * English by all three.
 */
export const LANGUAGE_TAG: Record<Locale, string> = { en: 'en', zhHant: 'zh-Hant', zhHans: 'zh-Hans' }

/** Each language under its own name. */
export const LANGUAGE_NAME: Record<Locale, string> = { en: 'English', zhHant: '繁體中文', zhHans: '简体中文' }

export const LOCALES = ['en', 'zhHant', 'zhHans'] as const satisfies readonly Locale[]

const COOKIE = 'i18n_redirected'
const COOKIE_SECONDS = 365 * 86_400

export function isLocale(text: string | undefined): text is Locale {
  return LOCALES.some((locale) => locale === text)
}

/** The language kept in the cookie, else the first of the browser's that we have, else English. */
export function preferredLocale(cookie: string, browserLanguages: readonly string[]): Locale {
  const kept = new RegExp(`(?:^|; )${COOKIE}=(\\w+)`).exec(cookie)?.[1]
  if (isLocale(kept)) return kept
  for (const tag of browserLanguages) {
    const locale = localeOf(tag)
    if (locale !== null) return locale
  }
  return 'en'
}

/** Takes a language off the front of a path: `/zhHant/home` is `['zhHant', '/home']`. */
export function splitLocale(path: string): [Locale | null, string] {
  const [, first] = path.split('/')
  return isLocale(first) ? [first, path.slice(first.length + 1) || '/'] : [null, path]
}

export function keepLocale(locale: Locale): void {
  document.cookie = `${COOKIE}=${locale}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`
}

/** Script decides for Chinese; a region without a script stands for the one written there. */
function localeOf(tag: string): Locale | null {
  const [language, ...rest] = tag.toLowerCase().split('-')
  if (language === 'en') return 'en'
  if (language !== 'zh') return null
  if (rest.includes('hans')) return 'zhHans'
  return rest.some((part) => part === 'hant' || part === 'tw' || part === 'hk' || part === 'mo') ? 'zhHant' : 'zhHans'
}
