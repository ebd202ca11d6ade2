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

/** True for an IPv4 or IPv6 literal; a host name's last label is never all digits (RFC 1123). */
export function isAddress(text: string): boolean {
  if (text.includes(':')) return true
  const last = text.charCodeAt(text.length - 1)
  return last >= 48 && last <= 57 && !hasLetter(text)
}

function hasLetter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (!(code === 46 || (code >= 48 && code <= 57))) return true
  }
  return false
}
