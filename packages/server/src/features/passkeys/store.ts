import type { Tx } from '@fairway/platform'

/** Transports are the library's own words; they are kept as the browser gave them. */
export type PasskeyRow = {
  id: string
  user_id: string
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  relying_party: string
  backed_up: boolean
  created_at: Date
  last_used_at: Date | null
}
export type NewPasskey = Pick<
  PasskeyRow,
  'credential_id' | 'counter' | 'transports' | 'name' | 'relying_party' | 'backed_up'
> & { public_key: Uint8Array }

export const passkeysOf = (tx: Tx, userId: string): Promise<PasskeyRow[]> =>
  tx.query<PasskeyRow>('SELECT * FROM passkey WHERE user_id = $1 ORDER BY created_at', [userId])

export async function passkeyByCredential(tx: Tx, credentialId: string): Promise<PasskeyRow | undefined> {
  return (await tx.query<PasskeyRow>('SELECT * FROM passkey WHERE credential_id = $1', [credentialId]))[0]
}

/** Undefined when that passkey is registered already, by whomever. */
export async function insertPasskey(
  tx: Tx,
  organizationId: string,
  userId: string,
  key: NewPasskey,
): Promise<PasskeyRow | undefined> {
  const rows = await tx.query<PasskeyRow>(
    `INSERT INTO passkey (organization_id, user_id, credential_id, public_key, counter, transports, name, relying_party, backed_up) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (credential_id) DO NOTHING RETURNING *`,
    [
      organizationId,
      userId,
      key.credential_id,
      Buffer.from(key.public_key),
      key.counter,
      key.transports,
      key.name,
      key.relying_party,
      key.backed_up,
    ],
  )
  return rows[0]
}

export async function renamePasskey(tx: Tx, userId: string, id: string, name: string): Promise<PasskeyRow | undefined> {
  return (
    await tx.query<PasskeyRow>('UPDATE passkey SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING *', [
      id,
      userId,
      name,
    ])
  )[0]
}

export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<PasskeyRow | undefined> {
  return (await tx.query<PasskeyRow>('DELETE FROM passkey WHERE id = $1 AND user_id = $2 RETURNING *', [id, userId]))[0]
}
