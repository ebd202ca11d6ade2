import type { CacheRule, PathMatch } from './path-rules.ts'

/** Whether a rule is about this path (decoded, without the query). */
export function fits(match: PathMatch, path: string): boolean {
  if (match.type === 'directory') return path.startsWith(match.path)
  if (match.type === 'extension') return path.toLowerCase().endsWith(match.path.toLowerCase())
  return fitsPattern(match.path, path)
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
 * `*` stands for any run of characters, slashes included. Goes back to the last star only, so it takes at most pattern
 * times path steps.
 */
export function fitsPattern(pattern: string, path: string): boolean {
  let p = 0
  let s = 0
  let star = -1
  let resume = 0
  while (s < path.length) {
    if (p < pattern.length && pattern.charAt(p) === '*') {
      star = p
      resume = s
      p += 1
    } else if (p < pattern.length && pattern.charCodeAt(p) === path.charCodeAt(s)) {
      p += 1
      s += 1
    } else if (star >= 0) {
      p = star + 1
      resume += 1
      s = resume
    } else return false
  }
  while (p < pattern.length && pattern.charAt(p) === '*') p += 1
  return p === pattern.length
}
