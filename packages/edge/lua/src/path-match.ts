import type { CacheRule, PathMatch } from './documents.ts'

/** Whether a rule is about this path (decoded, without the query). */
export function fits(match: PathMatch, path: string): boolean {
  if (match.type === 'directory') return path.startsWith(match.path)
  if (match.type === 'extension') return path.toLowerCase().endsWith(match.path.toLowerCase())
  return fitsPattern(match.path, path)
}

export function ruleFor(rules: CacheRule[], path: string): CacheRule | undefined {
  for (const rule of rules) if (fits(rule, path)) return rule
  return undefined
}

export function anyFits(matches: PathMatch[], path: string): boolean {
  for (const match of matches) if (fits(match, path)) return true
  return false
}

/** `*` stands for any run of characters, slashes included. Goes back to the last star only, so it takes at most pattern times path steps. */
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
