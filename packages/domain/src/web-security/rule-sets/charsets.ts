import { lowerAscii, trimmed } from '../bytes.ts'
import { parametersOf } from '../target.ts'

/** Numbered behind what is said of bodies that nobody could open. */
export const UNKNOWN_CHARSET = '200014'

/** In these every byte below 128 that stands for itself is ASCII: attacks are written as in UTF-8. */
const LIKE_ASCII: Record<string, boolean | undefined> = {}
for (const line of [
  'utf-8 utf8 us-ascii ascii latin1 latin-1 l1 gbk gb2312 gb18030 x-gbk cp936 big5 big5-hkscs cp950 shift_jis',
  'shift-jis sjis x-sjis ms932 windows-31j cp932 euc-jp euc-kr euc-tw ks_c_5601-1987 cp949 koi8-r koi8-u tis-620',
  'macintosh x-mac-roman ibm437 ibm850 ibm852 ibm866 cp437 cp850 cp852 cp866 binary',
])
  for (const name of line.split(' ')) LIKE_ASCII[`=${name}`] = true

const isLikeAscii = (name: string): boolean =>
  LIKE_ASCII[`=${name}`] === true ||
  (name.length < 16 && (name.startsWith('iso-8859-') || name.startsWith('windows-12') || name.startsWith('cp125')))

/**
 * Whether what a request says of its charset makes ASCII of bytes that are none: UTF-7, EBCDIC, those with shifts. A
 * form says it in a field of its own too, and a header that old gateways set; in forms UTF-16 is as good a hiding
 * place. Nobody else's charset is guessed.
 */
export function hidesAscii(contentType: string, header: string[], target: string, body: string): boolean {
  const isForm = lowerAscii(contentType.slice(0, 33)) === 'application/x-www-form-urlencoded'
  const said = charsetsOf(contentType)
  for (const one of said) if (!isLikeAscii(one) && (isForm || wideOf(one) === 0)) return true
  for (const one of header) if (!isLikeAscii(plainName(one))) return true
  const isInQuery = target.includes('_charset_')
  if (!isInQuery && !body.includes('_charset_')) return false
  for (const one of parametersOf(target, '_charset_')) if (!isLikeAscii(plainName(one))) return true
  for (const one of parametersOf(`?${body}`, '_charset_')) if (!isLikeAscii(plainName(one))) return true
  for (const one of partsNamed(body)) if (!isLikeAscii(plainName(one))) return true
  return false
}

/** A body in UTF-16 or UTF-32 as UTF-8, whoever says so: its type, or its first bytes. Others stay as they are. */
export function inUtf8(contentType: string, body: string): string {
  const [first, second] = [code(body, 0), code(body, 1)]
  if (first === 255 && second === 254)
    return fromWide(body, 2, code(body, 2) === 0 && code(body, 3) === 0 ? 4 : 2, true)
  if (first === 254 && second === 255) return fromWide(body, 2, 2, false)
  // Documents begin with one of these.
  if (second === 0 && isOpening(first))
    return fromWide(body, 0, code(body, 2) === 0 && code(body, 3) === 0 ? 4 : 2, true)
  if (first === 0 && isOpening(second)) return fromWide(body, 0, 2, false)
  for (const one of charsetsOf(contentType)) {
    const wide = wideOf(one)
    if (wide > 0) return fromWide(body, 0, wide, !one.endsWith('be'))
  }
  return body
}

/** `{ [ " <` */
const isOpening = (one: number): boolean => one === 123 || one === 91 || one === 34 || one === 60
const code = (text: string, at: number): number => (at < text.length ? text.charCodeAt(at) : -1)

/** Bytes of a letter in charsets whose letters are all as long. */
function wideOf(name: string): number {
  if (name.startsWith('utf-16') || name.startsWith('utf16') || name.startsWith('ucs-2') || name === 'unicode') return 2
  return name.startsWith('utf-32') || name.startsWith('utf32') || name.startsWith('ucs-4') ? 4 : 0
}

function fromWide(body: string, from: number, wide: number, isLittle: boolean): string {
  const parts: string[] = []
  for (let at = from; at + wide <= body.length; at += wide) {
    let value = 0
    for (let i = 0; i < wide; i++) value = value * 256 + body.charCodeAt(isLittle ? at + wide - 1 - i : at + i)
    if (value < 128) parts.push(String.fromCharCode(value))
    else if (value < 2048) parts.push(String.fromCharCode(192 + Math.floor(value / 64), 128 + (value % 64)))
    else if (value < 65_536)
      parts.push(
        String.fromCharCode(224 + Math.floor(value / 4096), 128 + (Math.floor(value / 64) % 64), 128 + (value % 64)),
      )
    else parts.push('?')
  }
  return parts.join('')
}

const MOST_NAMES = 8

/** All that a type says, for readers take the first or the last. */
function charsetsOf(contentType: string): string[] {
  const found: string[] = []
  const text = lowerAscii(contentType)
  if (!text.includes('charset')) return found
  for (let at = text.indexOf('charset'); at >= 0; at = text.indexOf('charset', at + 7)) {
    // Nobody says it so often, and each takes its time.
    if (found.length >= MOST_NAMES) {
      found.push('too many')
      return found
    }
    let from = at + 7
    if (text.charAt(from) === '*') from += 1
    while (text.charAt(from) === ' ' || text.charAt(from) === '\t') from += 1
    if (text.charAt(from) !== '=') continue
    let end = from + 1
    while (end < text.length && text.charAt(end) !== ';' && text.charAt(end) !== ',') end += 1
    const name = plainName(text.slice(from + 1, end))
    if (name !== '') found.push(name)
  }
  return found
}

function plainName(said: string): string {
  const text = trimmed(lowerAscii(said))
  const first = text.charAt(0)
  return first === '"' || first === "'" ? trimmed(text.split(first).join('')) : text
}

/** Values of the field in a form of parts. */
function partsNamed(body: string): string[] {
  const found: string[] = []
  for (let at = body.indexOf('_charset_'); at >= 0 && found.length < 8; at = body.indexOf('_charset_', at + 9)) {
    const head = body.indexOf('\n\r\n', at)
    const end = head < 0 ? -1 : body.indexOf('\n', head + 3)
    if (end < 0) return found
    found.push(trimmed(body.slice(head + 3, body.charAt(end - 1) === '\r' ? end - 1 : end)))
  }
  return found
}
