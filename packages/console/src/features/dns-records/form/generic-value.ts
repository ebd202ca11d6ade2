/**
 * The generic form of rdata (RFC 3597 5) from its bytes in hexadecimal, as people paste them. What is none stays, for
 * the check to say so.
 */
export function genericOfHex(text: string): string {
  const digits = text.replaceAll(/[\s:]|0x/gi, '')
  if (digits === '') return ''
  return /^[0-9a-f]*$/i.test(digits) ? `\\# ${Math.ceil(digits.length / 2)} ${digits}` : text
}

export const hexOfGeneric = (value: string): string => value.replace(/^\\# \d+ ?/, '')
