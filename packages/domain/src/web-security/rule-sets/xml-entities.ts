/** Numbered behind what is said of bodies that cannot be read: it belongs to every set, and an exclusion may name it. */
export const HOSTILE_ENTITIES = '200009'

const DECLARES = '<!ENTITY'

/**
 * Whether an XML text declares an entity that is fetched from elsewhere, or that is made of others: the one reads files
 * of the server, the other grows beyond all memory. Of UTF-16, which hides its letters, the same is taken to be true.
 */
export function hasHostileEntities(text: string): boolean {
  const first = text.charCodeAt(0)
  const second = text.charCodeAt(1)
  if ((first === 254 && second === 255) || (first === 255 && second === 254) || first === 0 || second === 0) return true
  for (let at = text.indexOf(DECLARES); at >= 0; at = text.indexOf(DECLARES, at + 1)) {
    const end = text.indexOf('>', at)
    if (reachesOut(text.slice(at, end < 0 ? text.length : end))) return true
  }
  return false
}

const reachesOut = (declared: string): boolean =>
  declared.indexOf('SYSTEM') >= 0 || declared.indexOf('PUBLIC') >= 0 || declared.indexOf('&') >= 0

/** Whether a body of this type is read as XML. A picture has entities of its own and is drawn, not read. */
export function isXml(contentType: string): boolean {
  const said = contentType.toLowerCase()
  const end = said.indexOf(';')
  const type = (end < 0 ? said : said.slice(0, end)).trim()
  return type === 'text/xml' || type === 'application/xml' || (type.endsWith('+xml') && !type.startsWith('image/'))
}
