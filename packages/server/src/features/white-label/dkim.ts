import crypto from 'node:crypto'
import { promisify } from 'node:util'
import { seal, unseal, type Config, type Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { selectorOf } from './facts.ts'

/** What every receiver can check (RFC 8301): RSA of 2048 bits; its record fits into one answer over UDP. */
const BITS = 2048
const generate = promisify(crypto.generateKeyPair)
const purposeOf = (partnerId: string): string => `dkim:${partnerId}`

/** Makes the partner's key, or its next one under another selector. The secret part is stored sealed and never shown. */
export async function makeKey(tx: Tx, config: Config, partnerId: string): Promise<void> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: BITS })
  await beyondTenant(tx, () =>
    tx.query(
      `INSERT INTO partner_dkim (partner_id, public_key, sealed) VALUES ($1, $2, $3)
       ON CONFLICT (partner_id) DO UPDATE SET number = partner_dkim.number + 1, public_key = $2, sealed = $3, created_at = now()`,
      [
        partnerId,
        publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
        seal(config, purposeOf(partnerId), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      ],
    ),
  )
}

export type DkimRow = { number: number; sealed: string }

/** How letters from a partner's address are signed. */
export function dkimOf(config: Pick<Config, 'home'>, partnerId: string, address: string, { number, sealed }: DkimRow) {
  return {
    domainName: address.split('@').at(-1)?.toLowerCase() ?? '',
    keySelector: selectorOf(number),
    privateKey: unseal(config, purposeOf(partnerId), sealed),
  }
}
