export type XmlValue = string | number | boolean | XmlTree | readonly XmlValue[]
export interface XmlTree {
  readonly [name: string]: XmlValue | undefined
}

/** A tree as XML; a list is its element again and again. */
export function toXml(name: string, value: XmlValue): string {
  if (Array.isArray(value)) return value.map((one: XmlValue) => toXml(name, one)).join('')
  const inner =
    typeof value === 'object'
      ? Object.entries(value)
          .map(([child, of]) => (of === undefined ? '' : toXml(child, of)))
          .join('')
      : escaped(String(value))
  return `<${name}>${inner}</${name}>`
}

/** A list as CloudFront writes it: with its length, and without items when there are none. */
export const counted = (item: string, values: readonly XmlValue[]): XmlTree => ({
  Quantity: values.length,
  ...(values.length > 0 ? { Items: { [item]: values } } : {}),
})

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => ESCAPES[one] ?? one)
const unescaped = (text: string): string =>
  text.replaceAll(
    /&(amp|lt|gt|quot|apos);/g,
    (one) => Object.entries(ESCAPES).find(([, entity]) => entity === one)?.[0] ?? one,
  )

/** The text of the first element of a name, null when there is none. */
export const xmlOf = (xml: string, name: string): string | null => {
  const inner = elementsOf(xml, name)[0]
  return inner === undefined ? null : unescaped(inner)
}

/** What stands inside each outermost element of a name. Lists of AWS nest elements of the same name. */
export function elementsOf(xml: string, name: string): string[] {
  const found: string[] = []
  let [depth, start] = [0, 0]
  for (const tag of xml.matchAll(new RegExp(`<(/?)${name}(?:\\s[^>]*)?>`, 'g'))) {
    if (tag[1] === '') {
      if (depth++ === 0) start = tag.index + tag[0].length
    } else if (--depth === 0) found.push(xml.slice(start, tag.index))
  }
  return found
}
