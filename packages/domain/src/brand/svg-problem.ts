/**
 * What an SVG may not hold, and the word that says so. It is served as a picture, but people open pictures in a tab of
 * their own.
 */
const FORBIDDEN: readonly [RegExp, string][] = [
  [/<!DOCTYPE|<!ENTITY/i, 'DOCTYPE'],
  [/<\s*(?:[\w-]+:)?script\b/i, 'script'],
  [/<\s*(?:[\w-]+:)?foreignObject\b/i, 'foreignObject'],
  [/<\s*(?:[\w-]+:)?(?:iframe|object|embed|audio|video|animate\w*|set|handler|listener)\b/i, 'active elements'],
  [/[\s"'/]on[a-z]+\s*=/i, 'event handlers'],
  [/(?:javascript|vbscript)\s*:/i, 'javascript:'],
  [/<\?xml-stylesheet/i, 'xml-stylesheet'],
  [/@import|(?:url\s*\(\s*["']?\s*)(?!["']?#)/i, 'outside references'],
]
const REFERENCE = /\b(?:xlink:)?(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*))/gi
const DATA_PICTURE = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=\s]*$/i

/** Null for an SVG that only draws, else what has to go. Entities are resolved first, since a browser does. */
export function svgProblem(text: string): string | null {
  const plain = withoutEntities(text.replaceAll(/<!--[\s\S]*?-->/g, ''))
  const found = FORBIDDEN.find(([pattern]) => pattern.test(plain))
  if (found) return found[1]
  if (!/^\s*(?:<\?xml[^>]*\?>\s*)?<(?:[\w-]+:)?svg[\s>]/i.test(plain)) return 'no <svg>'
  for (const [, double, single, bare] of plain.matchAll(REFERENCE)) {
    const to = (double ?? single ?? bare ?? '').trim()
    if (!to.startsWith('#') && !DATA_PICTURE.test(to)) return 'outside references'
  }
  return null
}

/** Characters by number as the browser reads them, so that `&#106;avascript:` is what it is. */
function withoutEntities(text: string): string {
  return text
    .replaceAll(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (_, hex: string | undefined, decimal: string | undefined) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
    .replaceAll(/&(?:tab|newline);/gi, '')
}
