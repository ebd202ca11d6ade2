import crypto from 'node:crypto'
import { TOKEN_FORMS } from '@fairway/contract'
import { type CloudMarketplace, TokenRefused } from './marketplace.ts'

/** In front of every token of ours; no other marketplace's begins so. */
export const OWN_PREFIX = 'own.'
const TOKEN = /^own\.(\d+)\.([\w-]+)\.([\w-]+)$/

/** The token of a purchase that the operator has made by hand: signed, good until `expiresAt`. */
export function purchaseToken(
  secret: string,
  { customerId, expiresAt }: { customerId: string; expiresAt: Date },
): string {
  const said = `${expiresAt.getTime()}.${Buffer.from(customerId).toString('base64url')}`
  return TOKEN_FORMS.purchase.text(signatureOf(secret, said), said)
}

/** Sales without a marketplace: what the operator sold is registered the same way. */
export function ownSales(secret: string): CloudMarketplace {
  return {
    async resolve(token) {
      const [, expiresAt, customerId, signature] = TOKEN.exec(token) ?? []
      const right = Buffer.from(signatureOf(secret, `${expiresAt}.${customerId}`))
      const given = Buffer.from(signature ?? '')
      if (customerId === undefined || right.length !== given.length || !crypto.timingSafeEqual(right, given))
        throw new TokenRefused('unknown')
      if (Number(expiresAt) <= Date.now()) throw new TokenRefused('expired')
      return { customerId: Buffer.from(customerId, 'base64url').toString('utf8') }
    },
  }
}

const signatureOf = (secret: string, text: string): string =>
  crypto.createHmac('sha256', secret).update(text).digest('base64url')
