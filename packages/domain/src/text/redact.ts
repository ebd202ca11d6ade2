import { TOKEN_FORMS } from '@fairway/contract'

/** What others' secrets look like. */
const OF_OTHERS: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g,
  // An AWS secret access key: 40 letters of base64. One case only is a commit or a hash in hex.
  /(?<![\w+/=-])(?=[A-Z0-9+/]*[a-z])(?=[a-z0-9+/]*[A-Z])[A-Za-z0-9+/]{40}(?![\w+/=-])/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /(?<=\bauthorization["']?\s*[:=]\s*["']?)\w+\s+[^\s"']{4,}/gi,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b(?:sk|rk)_(?:live|test)_\w{10,}/g,
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abpr]-[\w-]{10,})/g,
  // User and password of an address.
  /(?<=\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/gi,
  /\botpauth:\/\/\S+/gi,
]
const NAMED =
  'pass(?:word|wd|phrase|code)?|pwd|secret(?:[ _-]?(?:access[ _-]?)?key)?|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|密碼|密码|口令|密鑰|密钥|金鑰'
/** `password: x`, `"secret" = "x"`, `token=x`: everything to the end of the value. */
const ASSIGNED = new RegExp(`(?<=(?:${NAMED})["'”’]?\\s*[:=：＝]\\s*)(?:"[^"\\n]+"|'[^'\\n]+'|[^\\s"',;&]+)`, 'gi')
/** What is said of a password without saying it. */
const TOLD =
  'now|still|just|currently|not|never|no|wrong|incorrect|invalid|bad|old|new|weak|short|long|too|refused|rejected|denied|expired|required|missing|unknown|lost|gone|forgotten|stolen|leaked|accepted|correct|right|ok|okay|fine|set|asked|changed|reset|stored|sent|the|a|an|being|always|working|broken|different|same'
/** `my password is x`, `password was still x`, 密碼是 x. */
const SAID = new RegExp(
  `(?<=(?:${NAMED})["'”’]?(?:\\s+(?:is|was|are)\\s+(?:(?:now|still|just|currently)\\s+)?|\\s*(?:是|為|为)\\s*)["'“‘]?)(?!(?:${TOLD})(?![\\w-]))[^\\s"'“”‘’,;]{3,}`,
  'gi',
)
const SECRETS: readonly RegExp[] = [
  ...OF_OTHERS,
  ...Object.values(TOKEN_FORMS).map(({ pattern }) => pattern),
  ASSIGNED,
  SAID,
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
