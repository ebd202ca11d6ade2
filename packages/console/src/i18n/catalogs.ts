import type { Locale } from '@fairway/contract'
import type { Catalog } from './catalog-files.ts'

type Load = () => Promise<{ catalog: Catalog }>

/** What the pages of signing in and up say; the texts of every other page come with the first of them. */
const START: Record<Locale, Load> = {
  en: () => import('./catalog-en-start.ts'),
  zhHant: () => import('./catalog-zh-hant-start.ts'),
  zhHans: () => import('./catalog-zh-hans-start.ts'),
}
const REST: Record<Locale, Load> = {
  en: () => import('./catalog-en.ts'),
  zhHant: () => import('./catalog-zh-hant.ts'),
  zhHans: () => import('./catalog-zh-hans.ts'),
}

export async function loadStart(locale: Locale): Promise<Catalog> {
  return (await START[locale]()).catalog
}

export async function loadRest(locale: Locale): Promise<Catalog> {
  return (await REST[locale]()).catalog
}

/** A whole language. */
export async function loadCatalog(locale: Locale): Promise<Catalog> {
  const [start, rest] = await Promise.all([loadStart(locale), loadRest(locale)])
  return { ...start, ...rest }
}
