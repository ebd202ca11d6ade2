export type Directive = { name: string; value: string }

// Websites say the same few words again and again.
const parsed: Record<string, readonly Directive[] | undefined> = {}
let parsedCount = 0
const PARSED_MAX = 500
const LONGEST = 200

/** Splits Cache-Control; commas inside quotes do not separate (RFC 9110 5.6.4). */
export function parseDirectives(text: string): readonly Directive[] {
  const known = parsed[text]
  if (known !== undefined) return known
  const fresh = split(text)
  if (parsedCount < PARSED_MAX && text.length <= LONGEST) {
    parsedCount += 1
    parsed[text] = fresh
  }
  return fresh
}

function split(text: string): Directive[] {
  const found: Directive[] = []
  let item = ''
  let quoted = false
  for (let i = 0; i <= text.length; i++) {
    const char = i === text.length ? ',' : text.charAt(i)
    if (char === '"') quoted = !quoted
    if (char === ',' && (!quoted || i === text.length)) {
      addDirective(found, item)
      item = ''
    } else item += char
  }
  return found
}

function addDirective(found: Directive[], item: string): void {
  const at = item.indexOf('=')
  const name = (at < 0 ? item : item.slice(0, at)).trim().toLowerCase()
  if (name === '') return
  let value = at < 0 ? '' : item.slice(at + 1).trim()
  if (value.startsWith('"') && value.endsWith('"') && value.length >= 2) value = value.slice(1, -1)
  found.push({ name, value })
}

export function find(directives: readonly Directive[], name: string): Directive | undefined {
  for (const directive of directives) if (directive.name === name) return directive
  return undefined
}

export function has(directives: readonly Directive[], name: string): boolean {
  return find(directives, name) !== undefined
}
