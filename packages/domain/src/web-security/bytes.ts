/**
 * What runs in nginx too reads texts as bytes: in Node every character of such a text is one of 0 to 255. This file and
 * those beside it that the edge uses keep to what is the same in both.
 */

/** Small letters of ASCII; other bytes stay, which the runtimes' own functions do not agree on. */
export function lowerAscii(text: string): string {
  let upper = false
  let beyond = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 65 && code <= 90) upper = true
    else if (code >= 128) beyond = true
  }
  if (!upper) return text
  if (!beyond) return text.toLowerCase()
  const parts: string[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    parts.push(code >= 65 && code <= 90 ? String.fromCharCode(code + 32) : text.charAt(i))
  }
  return parts.join('')
}

/** Value of a hexadecimal digit's code, -1 for others. */
export function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  if (code >= 97 && code <= 102) return code - 87
  return code >= 65 && code <= 70 ? code - 55 : -1
}

/** A plain decimal number, or undefined: what `Number` accepts differs between runtimes. */
export function plainNumber(text: string): number | undefined {
  let value = 0
  let scale = 0
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 46 && scale === 0 && digits > 0) scale = 1
    else if (code >= 48 && code <= 57 && digits < 15) {
      digits += 1
      value = value * 10 + code - 48
      if (scale > 0) scale *= 10
    } else return undefined
  }
  if (digits === 0) return undefined
  return scale > 1 ? value / scale : value
}

/** Without the blanks and tabs around it (OWS of RFC 9110 5.6.3). */
export function trimmed(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text.charCodeAt(from))) from += 1
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1
  return text.slice(from, to)
}

export const isBlank = (code: number): boolean => code === 32 || code === 9
