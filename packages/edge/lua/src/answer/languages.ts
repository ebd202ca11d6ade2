// Browsers come with few of these. What is long or new when the table is full goes on as it was written.
const spelled: Record<string, string | undefined> = {}
let spelledCount = 0
const SPELLED_MAX = 500
const LONGEST = 100

/**
 * Accept-Language in one spelling, so that visitors who want the same share an object: without blanks, tags in the
 * letters of RFC 5646 2.1.1. The order stays: many origins take it for a preference.
 */
export function sharedLanguages(acceptLanguage: string): string {
  const known = spelled[acceptLanguage]
  if (known !== undefined) return known
  if (spelledCount >= SPELLED_MAX || acceptLanguage.length > LONGEST) return acceptLanguage
  spelledCount += 1
  const alike = spelledAlike(acceptLanguage)
  spelled[acceptLanguage] = alike
  return alike
}

function spelledAlike(acceptLanguage: string): string {
  const items: string[] = []
  for (const item of acceptLanguage.split('\t').join('').split(' ').join('').toLowerCase().split(',')) {
    if (item === '') continue
    const [tag = '', ...parameters] = item.split(';')
    items.push([tagSpelled(tag), ...parameters].join(';'))
  }
  return items.join(',')
}

/** A region is upper case, a script has a capital, everything else is lower case. */
function tagSpelled(tag: string): string {
  const parts = tag.split('-')
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i] ?? ''
    if ((parts[i - 1] ?? '').length === 1) continue
    if (part.length === 2) parts[i] = part.toUpperCase()
    else if (part.length === 4) parts[i] = part.slice(0, 1).toUpperCase() + part.slice(1)
  }
  return parts.join('-')
}
