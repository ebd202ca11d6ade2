import crypto from 'node:crypto'
import type { AuthorityId } from '@fairway/contract'
import { AuthorityAway, type AcmeAccount, type CertificateAuthority } from '@fairway/drivers'
import { seal, unseal, type Config, type Database, type Tx } from '@fairway/platform'
import { directoryOf } from './authorities.ts'
import { CERTIFICATE_KEYS } from './seal-purpose.ts'

/** The installation's account at an authority: made on first use, the same for all orders. */
export async function accountOf(
  config: Config,
  database: Database,
  id: AuthorityId,
  authority: CertificateAuthority,
): Promise<AcmeAccount> {
  const directory = directoryOf(config, id) ?? ''
  const known = async (tx: Tx): Promise<AcmeAccount | null> => {
    const [row] = await tx.query<{ url: string; sealed_key: string }>(
      'SELECT url, sealed_key FROM acme_account WHERE authority = $1 AND directory = $2',
      [id, directory],
    )
    return row ? { url: row.url, keyPem: unseal(config, CERTIFICATE_KEYS, row.sealed_key) } : null
  }
  return database.system(async (tx) => {
    const before = await known(tx)
    if (before) return before
    // One at a time: two first orders must not make two accounts. Nobody holds a connection to wait for the other one.
    const [turn] = await tx.query<{ got: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS got',
      [`acme account ${id}`],
    )
    if (!turn?.got) throw new AuthorityAway('The account at the authority is being made.')
    const meanwhile = await known(tx)
    if (meanwhile) return meanwhile
    const keyPem = crypto
      .generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString()
    const account = await authority.account(keyPem)
    await tx.query(
      'INSERT INTO acme_account (authority, directory, url, sealed_key) VALUES ($1, $2, $3, $4) ON CONFLICT (authority) DO UPDATE SET directory = $2, url = $3, sealed_key = $4',
      [id, directory, account.url, seal(config, CERTIFICATE_KEYS, keyPem)],
    )
    return account
  })
}
