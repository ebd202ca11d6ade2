import type { Locale } from '@fairway/contract'

type Texts = { [key: string]: string | Texts }
/** One language: texts by feature name, the file's name without `.json`. */
export type Catalog = Record<string, Texts>

const LOADERS: Record<Locale, () => Promise<{ catalog: Catalog }>> = {
  en: () => import('./catalog-en.ts'),
  zhHant: () => import('./catalog-zh-hant.ts'),
  zhHans: () => import('./catalog-zh-hans.ts'),
}

/** A language is one chunk: switching loads it once, and pages need no waiting of their own. */
export async function loadCatalog(locale: Locale): Promise<Catalog> {
  return (await LOADERS[locale]()).catalog
}

/** Names the files of a catalog: `./en/dns-records.json` becomes `dns-records`. */
export function byFeature(files: Record<string, unknown>): Catalog {
  return Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [path.replace(/^.*\/|\.json$/g, ''), asTexts(texts)]),
  )
}

/** Holds because the files are ours, and a test reads every one of them. */
function asTexts(texts: unknown): Texts {
  return texts as Texts
}
