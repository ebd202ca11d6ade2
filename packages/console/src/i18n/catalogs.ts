import type { Locale } from '@fairway/contract'
import type { Catalog } from './catalog-files.ts'

const LOADERS: Record<Locale, () => Promise<{ catalog: Catalog }>> = {
  en: () => import('./catalog-en.ts'),
  zhHant: () => import('./catalog-zh-hant.ts'),
  zhHans: () => import('./catalog-zh-hans.ts'),
}

/** A language is one chunk: switching loads it once, and pages need no waiting of their own. */
export async function loadCatalog(locale: Locale): Promise<Catalog> {
  return (await LOADERS[locale]()).catalog
}
