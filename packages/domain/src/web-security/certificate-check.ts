import { type Ask, firstOf } from './ask.ts'

const FOLDER = '/.well-known/acme-challenge/'
const LONGEST_TOKEN = 128

/**
 * Whether a request is what an authority sends that looks for the proof of an order (RFC 8555 8.3): a look at one file
 * by its token, and nothing with it. No person is there to be asked anything.
 */
export function isCertificateCheck(ask: Ask): boolean {
  const target = firstOf(ask('target', ''))
  if (!target.startsWith(FOLDER) || !isToken(target.slice(FOLDER.length))) return false
  const method = firstOf(ask('method', ''))
  return (method === 'GET' || method === 'HEAD') && firstOf(ask('body-size', '')) === '0'
}

/** Of the alphabet of base64url. */
function isToken(text: string): boolean {
  if (text === '' || text.length > LONGEST_TOKEN) return false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isDigit = code >= 48 && code <= 57
    const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
    if (!isDigit && !isLetter && code !== 45 && code !== 95) return false
  }
  return true
}
