/** A screen that an address may have meant. */
export type KnownPage = { href: string; name: string }

/** Words at least so alike count: *record* and *records*, *certificat* and *certificate*. */
const ALIKE = 0.7
/** A hostile address is long; what people mistype is not. */
const MOST_WORDS = 12
const MOST_LETTERS = 24

/** The pages whose address or name is most like the one that leads nowhere; none where nothing is. */
export function nearestPages(address: string, pages: readonly KnownPage[], most = 3): KnownPage[] {
  const asked = wordsOf(address).slice(0, MOST_WORDS)
  return pages
    .map((page) => ({ page, score: likeness(asked, wordsOf(`${page.href}/${page.name}`)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ page }) => page)
}

/** Names of hosts say which site, not which page. */
function wordsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((part) => !part.includes('.'))
    .flatMap((part) => part.split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length > 1)
    .map((word) => word.slice(0, MOST_LETTERS))
}

/** How many of the words asked for are there, near misses in part; fewer other words first. */
function likeness(asked: readonly string[], there: readonly string[]): number {
  const found = asked
    .map((word) => Math.max(0, ...there.map((other) => alike(word, other))))
    .filter((score) => score >= ALIKE)
    .reduce((sum, score) => sum + score, 0)
  return found === 0 ? 0 : found - there.length / 1000
}

function alike(a: string, b: string): number {
  return 1 - distance(a, b) / Math.max(a.length, b.length)
}

/** Letters to put in, take out or exchange. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1]
    for (const [other, target] of [...b].entries())
      next.push(
        Math.min((next[other] ?? 0) + 1, (row[other + 1] ?? 0) + 1, (row[other] ?? 0) + (letter === target ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
