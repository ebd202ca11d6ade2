/** A family's head begins it; what follows is its own. */
const HEAD = /^# (?:HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*)(?: |$)/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)[{ ]/

/**
 * One exposition of several: the format wants all lines of a metric together, under one head, and processes have many
 * metrics in common. The first head stands.
 */
export function mergeExpositions(texts: readonly string[]): string {
  const families = new Map<string, { help: string | null; type: string | null; samples: string[] }>()
  for (const text of texts) {
    let current: string | null = null
    for (const line of text.split('\n')) {
      const head = HEAD.exec(line)?.[1]
      if (line === '' || (line.startsWith('#') && head === undefined)) continue
      // Histograms and summaries have samples of other names under theirs.
      const sample = SAMPLE.exec(line)?.[1]
      const name: string | undefined =
        head ?? (current !== null && sample?.startsWith(current) === true ? current : sample)
      if (name === undefined) continue
      current = name
      const family = families.get(name) ?? { help: null, type: null, samples: [] }
      families.set(name, family)
      if (head === undefined) family.samples.push(line)
      else if (line.startsWith('# HELP')) family.help ??= line
      else family.type ??= line
    }
  }
  return [...families.values()]
    .flatMap(({ help, type, samples }) => [help, type, ...samples])
    .filter((line) => line !== null)
    .map((line) => `${line}\n`)
    .join('')
}
