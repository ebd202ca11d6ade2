/** What must not leave in a ticket or a report, however it got into the text. */
const SECRETS: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  // Our own tokens: session and API key.
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.[\w-]{43}\b/g,
  /(?<=\b(?:password|passwd|pwd|secret|token|api[-_ ]?key)["']?\s*[:=]\s*["']?)[^\s"',;]{4,}/gi,
]
const CARD = /\b(?:\d[ -]?){13,19}\b/g

/** The text without passwords, keys, tokens and card numbers. */
export function redact(text: string): string {
  const clean = SECRETS.reduce((rest, pattern) => rest.replaceAll(pattern, '[redacted]'), text)
  return clean.replaceAll(CARD, (digits) => (isCardNumber(digits.replaceAll(/\D/g, '')) ? '[redacted]' : digits))
}

/** ISO/IEC 7812: the last digit checks the others. */
function isCardNumber(digits: string): boolean {
  const sum = [...digits].reverse().reduce((all, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return all + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
