import type { Locale } from '@fairway/contract'
import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Catalog } from './catalog-files.ts'
import { loadRest, loadStart } from './catalogs.ts'
import { LANGUAGE_TAG, LOCALES, keepLocale, preferredLocale } from './locale.ts'

/** The one instance of the page. */
export const i18n = createInstance()

/** How texts are read. */
export const READING = {
  // A test holds every language to the same keys: none stands behind another.
  fallbackLng: false,
  defaultNS: 'shell',
  returnNull: false,
  // Sentences are joined by nothing in Chinese.
  returnEmptyString: true,
} as const

/** What `{{brand}}` in a text stands for: the name that the console is served under. */
const brand = { brand: '' }

export function nameBrand(name: string): void {
  brand.brand = name
}

/** Whether more than the pages of signing in was asked for. */
let isWhole = false

/** Starts the texts of the pages of signing in, in the visitor's language. */
export async function startI18n(): Promise<void> {
  const locale = preferredLocale(document.cookie, navigator.languages)
  const tag = LANGUAGE_TAG[locale]
  const [texts, pseudo] = await Promise.all([loadStart(locale), loadPseudo()])
  if (pseudo !== null) i18n.use(pseudo)
  await i18n.use(initReactI18next).init({
    lng: tag,
    resources: { [tag]: texts },
    interpolation: { escapeValue: false, defaultVariables: brand },
    ...READING,
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

/** The texts of every page, once; they are there before the first page that needs them. */
export async function wantAllTexts(): Promise<void> {
  if (isWhole) return
  const locale = currentLocale()
  add(LANGUAGE_TAG[locale], await loadRest(locale))
  // Another language was chosen meanwhile.
  if (currentLocale() !== locale) return wantAllTexts()
  isWhole = true
}

/** Switches without a reload and remembers it for a year. */
export async function switchLocale(locale: Locale): Promise<void> {
  const tag = LANGUAGE_TAG[locale]
  for (const texts of await Promise.all([loadStart(locale), isWhole ? loadRest(locale) : {}])) add(tag, texts)
  keepLocale(locale)
  document.documentElement.lang = tag
  await i18n.changeLanguage(tag)
}

function add(tag: string, catalog: Catalog): void {
  for (const [feature, texts] of Object.entries(catalog)) i18n.addResourceBundle(tag, feature, texts)
}

export function currentLocale(): Locale {
  return LOCALES.find((locale) => LANGUAGE_TAG[locale] === i18n.language) ?? 'en'
}
