/** Percent-encoded, so that it stands as one value. In bytes. */
export function escaped(text: string): string {
  const parts: string[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isPlain = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
    parts.push(isPlain ? text.charAt(i) : `%${DIGITS.charAt(Math.floor(code / 16))}${DIGITS.charAt(code % 16)}`)
  }
  return parts.join('')
}
const DIGITS = '0123456789abcdef'
