type Texts = { [key: string]: string | Texts }
/** One language: texts by feature name, the file's name without `.json`. */
export type Catalog = Record<string, Texts>

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
