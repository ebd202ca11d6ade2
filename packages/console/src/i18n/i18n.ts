import type { Locale } from '@fairway/contract'
import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { loadCatalog } from './catalogs.ts'
import { LANGUAGE_TAG, LOCALES, keepLocale, preferredLocale } from './locale.ts'

/** The one instance of the page. */
export const i18n = createInstance()

/** What `{{brand}}` in a text stands for: the name that the console is served under. */
const brand = { brand: '' }

export function nameBrand(name: string): void {
  brand.brand = name
}

/** Starts the texts in the visitor's language; English stands behind as the source of every key. */
export async function startI18n(): Promise<void> {
  const locale = preferredLocale(document.cookie, navigator.languages)
  const [en, own, pseudo] = await Promise.all([loadCatalog('en'), loadCatalog(locale), loadPseudo()])
  if (pseudo !== null) i18n.use(pseudo)
  await i18n.use(initReactI18next).init({
    lng: LANGUAGE_TAG[locale],
    fallbackLng: 'en',
    resources: { en, [LANGUAGE_TAG[locale]]: own },
    ns: Object.keys(en),
    defaultNS: 'shell',
    interpolation: { escapeValue: false, defaultVariables: brand },
    returnNull: false,
    postProcess: pseudo === null ? [] : [pseudo.name],
  })
  document.documentElement.lang = LANGUAGE_TAG[locale]
}

/** The language of nobody that tests of the layout ask for. */
async function loadPseudo() {
  try {
    return localStorage.getItem('fairway.pseudo') === null ? null : (await import('./pseudo.ts')).pseudo
  } catch {
    return null
  }
}

/** Switches without a reload and remembers it for a year. */
export async function switchLocale(locale: Locale): Promise<void> {
  const tag = LANGUAGE_TAG[locale]
  for (const [feature, texts] of Object.entries(await loadCatalog(locale))) i18n.addResourceBundle(tag, feature, texts)
  keepLocale(locale)
  document.documentElement.lang = tag
  await i18n.changeLanguage(tag)
}

export function currentLocale(): Locale {
  return LOCALES.find((locale) => LANGUAGE_TAG[locale] === i18n.language) ?? 'en'
}
