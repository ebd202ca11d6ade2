import { type Directive, find } from './directives.ts'

/**
 * CDN-Cache-Control is a structured dictionary (RFC 8941): one that does not parse is as if it were not there, and the
 * last of a name counts.
 */
export function targetedDirectives(text: string): Directive[] | undefined {
  const found: Directive[] = []
  for (const item of text.split(',')) {
    const member = item.trim()
    const at = member.indexOf('=')
    const name = at < 0 ? member : member.slice(0, at)
    const value = at < 0 ? '' : withoutParameters(member.slice(at + 1))
    if (!isKey(withoutParameters(name)) || (at >= 0 && (value === '' || hasBlankBeside(member, at)))) return undefined
    const key = withoutParameters(name)
    const known = find(found, key)
    if (known === undefined) found.push({ name: key, value })
    else known.value = value
  }
  return found
}

/** RFC 8941 3.2: key, `=` and value stand together. */
function hasBlankBeside(member: string, at: number): boolean {
  return member.charAt(at - 1) === ' ' || member.charAt(at + 1) === ' '
}

/** Keys of a structured dictionary are lower case (RFC 8941 3.1.2). */
function isKey(text: string): boolean {
  if (text === '') return false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const letter = (code >= 97 && code <= 122) || code === 42
    const other = (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 95
    if (!letter && !(other && i > 0)) return false
  }
  return true
}

function withoutParameters(text: string): string {
  const at = text.indexOf(';')
  return (at < 0 ? text : text.slice(0, at)).trim()
}
