import type { CacheRule, PathMatch } from './path-rules.ts'

/** Whether a rule is about this path (decoded, without the query). */
export function fits(match: PathMatch, path: string): boolean {
  if (match.type === 'directory') return path.startsWith(match.path)
  if (match.type === 'extension') return path.toLowerCase().endsWith(match.path.toLowerCase())
  if (match.pieces === undefined) match.pieces = match.path.split('*')
  return fitsPieces(match.pieces, path)
}

/**
 * What rules could be about, worked out when a policy is met. Asked before the rules are: LuaJIT compiles no way that
 * leads through a loop, and most paths are nobody's.
 */
export type PathIndex = {
  /** First parts of paths. */ heads: Record<string, boolean | undefined>
  /** Last parts, from the dot on. */ tails: Record<string, boolean | undefined>
  hasTails: boolean
  /** Some rule can be about any path. */ anywhere: boolean
}

export function pathIndex(matches: readonly PathMatch[]): PathIndex {
  const index: PathIndex = { heads: {}, tails: {}, hasTails: false, anywhere: false }
  for (const { type, path } of matches) {
    const tail = path.toLowerCase()
    const star = path.indexOf('*')
    const head = type === 'extension' ? '' : headOf(type === 'pattern' && star >= 0 ? path.slice(0, star) : path)
    if (head !== '') index.heads[head] = true
    else if (
      type === 'extension' &&
      tail.startsWith('.') &&
      tail.length > 1 &&
      !tail.slice(1).includes('.') &&
      !tail.includes('/')
    ) {
      index.tails[tail] = true
      index.hasTails = true
    } else index.anywhere = true
  }
  return index
}

/** False when no rule is about the path. `tail` is what follows its last dot, with it, in small letters. */
export function mayFit(index: PathIndex, path: string, tail: string): boolean {
  return index.anywhere || index.heads[headOf(path)] === true || index.tails[tail] === true
}

/** `/assets/` of `/assets/site.css`; empty for what lies in no folder. */
function headOf(path: string): string {
  const slash = path.charCodeAt(0) === 47 ? path.indexOf('/', 1) : -1
  return slash < 0 ? '' : path.slice(0, slash + 1)
}

export function ruleFor(rules: CacheRule[], path: string): CacheRule | undefined {
  for (const rule of rules) if (fits(rule, path)) return rule
  return undefined
}

export function anyFits(matches: PathMatch[], path: string): boolean {
  for (const match of matches) if (fits(match, path)) return true
  return false
}

/**
 * Whether a path is what stands between the stars of a pattern, with anything in place of each star, slashes included.
 * Each piece is looked for by the engine, once: the first that fits leaves the most for the others.
 */
export function fitsPieces(pieces: string[], path: string): boolean {
  const first = pieces[0] ?? ''
  const last = pieces[pieces.length - 1] ?? ''
  if (pieces.length === 1) return path === first
  const end = path.length - last.length
  let at = first.length
  if (at > end || !path.startsWith(first) || !path.endsWith(last)) return false
  for (let i = 1; i < pieces.length - 1; i++) {
    const piece = pieces[i] ?? ''
    if (piece === '') continue
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
    if (at > end) return false
  }
  return true
}
