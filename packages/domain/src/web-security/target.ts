import { hexDigit, lowerAscii, trimmed } from './bytes.ts'
import type { PathTest } from './compiled.ts'

/** Percent-decoded once; what is no escape stays as it is. */
export function decoded(text: string, plusIsBlank: boolean): string {
  if (!text.includes('%') && !(plusIsBlank && text.includes('+'))) return text
  const parts: string[] = []
  let i = 0
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code === 37 && i + 2 < text.length) {
      const high = hexDigit(text.charCodeAt(i + 1))
      const low = hexDigit(text.charCodeAt(i + 2))
      if (high >= 0 && low >= 0) {
        parts.push(String.fromCharCode(high * 16 + low))
        i += 3
        continue
      }
    }
    parts.push(plusIsBlank && code === 43 ? ' ' : text.charAt(i))
    i += 1
  }
  return parts.join('')
}

/** The path of a request's target as origins read it: decoded, dot segments resolved, slashes merged. */
export function pathOf(target: string): string {
  return withoutDots(decodedPath(target))
}

/**
 * The same as others read it: what stands behind `;` in a part left out (Java), backslashes taken for slashes (Windows).
 * Undefined where all read alike.
 */
export function otherPath(target: string): string | undefined {
  if (!target.includes(';') && !target.includes('\\') && !target.includes('%')) return undefined
  const path = decodedPath(target)
  if (!path.includes(';') && !path.includes('\\')) return undefined
  const parts: string[] = []
  for (const part of path.split('\\').join('/').split('/')) {
    const end = part.indexOf(';')
    parts.push(end < 0 ? part : part.slice(0, end))
  }
  const other = withoutDots(parts.join('/'))
  return other === withoutDots(path) ? undefined : other
}

/** All the ways in which a path is read. */
export function pathsOf(target: string): string[] {
  const other = otherPath(target)
  return other === undefined ? [pathOf(target)] : [pathOf(target), other]
}

function decodedPath(target: string): string {
  const mark = target.indexOf('?')
  let path = mark < 0 ? target : target.slice(0, mark)
  // Absolute form (RFC 9112 3.2.2).
  if (path.length > 0 && path.charCodeAt(0) !== 47) {
    const scheme = path.indexOf('://')
    const slash = scheme < 0 ? -1 : path.indexOf('/', scheme + 3)
    path = slash < 0 ? '/' : path.slice(slash)
  }
  return decoded(path, false)
}

function withoutDots(path: string): string {
  if (!path.includes('//') && !path.includes('/.')) return path === '' ? '/' : path
  const kept: string[] = []
  const parts = path.split('/')
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const isLast = i === parts.length - 1
    if (part === '..') {
      if (kept.length > 0) kept.pop()
      if (isLast) kept.push('')
    } else if (part === '.' || part === '') {
      if (isLast) kept.push('')
    } else kept.push(part)
  }
  return `/${kept.join('/')}`
}

export function isAt({ path: own, isPrefix }: PathTest, path: string): boolean {
  return isPrefix ? path.startsWith(own) : path === own
}

export function isAtAny(test: PathTest, paths: string[]): boolean {
  for (const path of paths) if (isAt(test, path)) return true
  return false
}

/** Decoded, without the question mark; undefined when there is none. */
export function queryOf(target: string): string | undefined {
  const mark = target.indexOf('?')
  return mark < 0 ? undefined : decoded(target.slice(mark + 1), true)
}

/** Every value that the query gives to a name. */
export function parametersOf(target: string, name: string): string[] {
  const found: string[] = []
  const mark = target.indexOf('?')
  if (mark < 0) return found
  for (const pair of target.slice(mark + 1).split('&')) {
    const equals = pair.indexOf('=')
    const key = decoded(equals < 0 ? pair : pair.slice(0, equals), true)
    if (key === name) found.push(equals < 0 ? '' : decoded(pair.slice(equals + 1), true))
  }
  return found
}

/** Every value of a cookie in the lines of `Cookie` (RFC 6265 4.2). */
export function cookiesOf(lines: string[], name: string): string[] {
  const found: string[] = []
  for (const line of lines) {
    for (const part of line.split(';')) {
      const equals = part.indexOf('=')
      if (equals >= 0 && trimmed(part.slice(0, equals)) === name) {
        const value = trimmed(part.slice(equals + 1))
        found.push(
          value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, value.length - 1) : value,
        )
      }
    }
  }
  return found
}

/** Of the last part of a path, in small letters, without the dot; undefined when it has none. */
export function extensionOf(path: string): string | undefined {
  for (let i = path.length - 1; i >= 0; i--) {
    const code = path.charCodeAt(i)
    if (code === 47) return undefined
    if (code === 46) return i + 1 === path.length ? undefined : lowerAscii(path.slice(i + 1))
  }
  return undefined
}
