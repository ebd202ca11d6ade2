/** A name with or without a port, in characters that names have (RFC 9110 7.2). */
export function isHostText(text: string): boolean {
  const colon = text.indexOf(':')
  const name = colon < 0 ? text : text.slice(0, colon)
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
    if (!letter && code !== 45 && code !== 46 && code !== 95) return false
  }
  for (let i = name.length + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 48 || code > 57) return false
  }
  return name !== ''
}
