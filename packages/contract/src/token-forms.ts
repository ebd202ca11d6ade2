/** The random part of a token: so many bytes, written in letters. */
type Letters = 'base64url' | 'base64' | 'base32'

/**
 * A form that a secret of ours has. `text` writes it from its random letters and the id it belongs to; `pattern` finds
 * it in any text. They stand side by side so that what is minted is also what is redacted.
 */
export type TokenForm = {
  bytes: number
  letters: Letters
  text: (secret: string, id: string) => string
  pattern: RegExp
}

const bare = (secret: string) => secret
/** Not inside a longer word of the same letters. */
const word = (inside: string, letters = '\\w-') => new RegExp(`(?<![${letters}])${inside}(?![${letters}])`, 'g')

/**
 * Every form of secret that this installation makes. What is minted elsewhere escapes the redaction; a test looks for
 * places that do.
 */
export const TOKEN_FORMS = {
  /** `fwk_<id without hyphens>_<secret>`; the mark lets secret scanners find a leaked one. */
  apiKey: {
    bytes: 32,
    letters: 'base64url',
    text: (secret, id) => `fwk_${id.replaceAll('-', '')}_${secret}`,
    pattern: /\bfwk_[0-9a-f]{16,32}(?:_[\w-]*)?/g,
  },
  /** The cookie and the bearer token of a session: `<id>.<secret>`. */
  session: {
    bytes: 32,
    letters: 'base64url',
    text: (secret, id) => `${id}.${secret}`,
    pattern: word('[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.[\\w-]{43}'),
  },
  /**
   * Tokens of links in letters, second steps, invitations, nodes. That they have both cases tells them from names and
   * from hashes in hex; fewer than one in 10⁹ has not.
   */
  bearer: {
    bytes: 32,
    letters: 'base64url',
    text: bare,
    pattern: word('(?=[\\w-]*[a-z])(?=[\\w-]*[A-Z])[\\w-]{43}'),
  },
  /** Standard Webhooks 1.0: `whsec_` and base64. Stripe writes its own the same way. */
  webhook: {
    bytes: 24,
    letters: 'base64',
    text: (secret) => `whsec_${secret}`,
    pattern: /\bwhsec_[A-Za-z0-9+/]{8,}={0,2}/g,
  },
  /** What an encoder shows to send a live stream. */
  streamKey: {
    bytes: 24,
    letters: 'base64url',
    text: (secret) => `live_${secret}`,
    pattern: /\blive_[\w-]{8,}/g,
  },
  /** Signs the posts of an outside feed. */
  feedKey: {
    bytes: 32,
    letters: 'base64url',
    text: (secret) => `fwf_${secret}`,
    pattern: /\bfwf_[\w-]{8,}/g,
  },
  /** A TSIG key as name servers' files write it (RFC 8945 5.2: HMAC-SHA-256). */
  tsig: { bytes: 32, letters: 'base64', text: bare, pattern: word('[A-Za-z0-9+/]{43}=', '\\w+/') },
  /** One-time codes for who lost the telephone, shown in groups of four. */
  recovery: {
    bytes: 12,
    letters: 'base32',
    text: (secret) => secret.match(/.{4}/g)?.join('-') ?? secret,
    // A digit somewhere tells them from words in capitals; the mint sees to it that there is one.
    pattern: /(?<![\w-])(?=[A-Z -]{0,13}[2-7])[A-Z2-7]{4}([ -]?)[A-Z2-7]{4}\1[A-Z2-7]{4}(?![\w-])/g,
  },
  /** The secret behind an authenticator app (RFC 4226 4: 160 bits), as the app shows it. */
  totp: { bytes: 32, letters: 'base32', text: bare, pattern: word('(?=[A-Z]{0,31}[2-7])[A-Z2-7]{32}') },
  /** The embedded payment provider's own: who has it may set a card. */
  cardSetup: {
    bytes: 24,
    letters: 'base64url',
    text: (secret, id) => `seti_${id}_secret_${secret}`,
    pattern: /\bseti_\w+_secret_[\w-]+/g,
  },
  /** Proof of a sale that the operator made by hand: `own.<until>.<who>.<signature>`. */
  purchase: {
    bytes: 32,
    letters: 'base64url',
    text: (secret, id) => `own.${id}.${secret}`,
    pattern: /\bown\.\d{10,16}\.[\w-]+\.[\w-]{43}/g,
  },
} as const satisfies Record<string, TokenForm>
export type TokenKind = keyof typeof TOKEN_FORMS
