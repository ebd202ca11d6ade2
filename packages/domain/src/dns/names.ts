/** The absolute name of a record, lower case and without the trailing dot: `@` is the site itself. */
export const absoluteName = (name: string, siteName: string): string =>
  (name === '@' ? siteName : `${name}.${siteName}`).toLowerCase()

/**
 * A record's name, as people type it, relative to its site: `www.example.com` and `example.com.` mean `www` and `@` in
 * the site example.com. One that ends with a dot and lies elsewhere keeps it.
 */
export function relativeName(typed: string, siteName: string): string {
  const name = typed.trim().toLowerCase()
  const absolute = name.replace(/\.$/, '')
  if (absolute === siteName) return '@'
  return absolute.endsWith(`.${siteName}`) ? absolute.slice(0, -siteName.length - 1) : name
}

/** Whether a relative name ends with the site's own, as when the dot at its end was forgotten in a zone file. */
export const isDoubled = (name: string, siteName: string): boolean => isAtOrUnder(name.toLowerCase(), siteName)

/** The same for a name in a value, which is always absolute; a trailing dot is optional there. */
export const targetName = (value: string): string => value.trim().toLowerCase().replace(/\.$/, '')

/** Whether `name` lies below `parent` or is it. */
export const isAtOrUnder = (name: string, parent: string): boolean => name === parent || name.endsWith(`.${parent}`)

const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const ALIAS_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * A host name (RFC 1123 2.1): two labels or more, the last not a number, so that an address is never taken for a name.
 */
export const isHostName = (name: string): boolean => isNameOf(HOST_LABEL, name)

/** A name that an alias may point to: like a host name, underscores allowed. */
export const isAliasTarget = (name: string): boolean => isNameOf(ALIAS_LABEL, name)

function isNameOf(label: RegExp, name: string): boolean {
  const labels = name.split('.')
  return (
    name.length <= 253 &&
    labels.length >= 2 &&
    labels.every((one) => label.test(one)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}
