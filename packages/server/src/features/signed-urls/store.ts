import type { SigningKind } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type KeyRow = {
  id: string
  kind: SigningKind
  key_pair_id: string | null
  serial: number
  key_id: string
  public_key: string
  is_own: boolean
  created_by: string
  created_at: Date
}

const COLUMNS = 'id, kind, key_pair_id, serial, key_id, public_key, is_own, created_by, created_at'

/** One change after the other, so that two at once neither pass the limit nor take the last two keys. */
export const holdKeys = (tx: Tx, organizationId: string): Promise<unknown> =>
  tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4080))', [organizationId])

export const signingKeys = (tx: Tx): Promise<KeyRow[]> =>
  tx.query<KeyRow>(`SELECT ${COLUMNS} FROM stream_signing_key ORDER BY serial`)

export const keyById = async (tx: Tx, id: string): Promise<KeyRow | undefined> =>
  (await tx.query<KeyRow>(`SELECT ${COLUMNS} FROM stream_signing_key WHERE id = $1`, [id]))[0]

/** Whether the organisation's videos need a token. */
export const isSigningOn = async (tx: Tx, organizationId: string): Promise<boolean> =>
  (
    await tx.query<{ is_on: boolean }>('SELECT is_on FROM stream_signing WHERE organization_id = $1', [organizationId])
  )[0]?.is_on ?? false

export const switchSigning = (tx: Tx, organizationId: string, on: boolean): Promise<unknown> =>
  tx.query(
    'INSERT INTO stream_signing (organization_id, is_on) VALUES ($1, $2) ON CONFLICT (organization_id) DO UPDATE SET is_on = $2',
    [organizationId, on],
  )

export async function insertKey(
  tx: Tx,
  key: {
    organizationId: string
    kind: SigningKind
    keyId: string
    publicKey: string
    isOwn: boolean
    createdBy: string
  },
): Promise<KeyRow | undefined> {
  const [counted] = await tx.query<{ last_serial: number }>(
    'INSERT INTO stream_signing (organization_id, last_serial) VALUES ($1, 1) ON CONFLICT (organization_id) DO UPDATE SET last_serial = stream_signing.last_serial + 1 RETURNING last_serial',
    [key.organizationId],
  )
  const [row] = await tx.query<KeyRow>(
    `INSERT INTO stream_signing_key (organization_id, serial, key_id, public_key, is_own, created_by, kind) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
    [key.organizationId, counted?.last_serial ?? 1, key.keyId, key.publicKey, key.isOwn, key.createdBy, key.kind],
  )
  return row
}

export const deleteKey = (tx: Tx, id: string): Promise<unknown> =>
  tx.query('DELETE FROM stream_signing_key WHERE id = $1', [id])

/** The newest video or stream that plays, and how many there are of both. */
export async function sourcesOf(tx: Tx): Promise<{ count: number; newest: string | null }> {
  const [row] = await tx.query<{ count: number; newest: string | null }>(
    `SELECT count(*)::int AS count, (array_agg(id ORDER BY is_playable DESC, created_at DESC))[1] AS newest
     FROM (SELECT id, created_at, is_playable FROM stream_asset WHERE deleted_at IS NULL AND replaces IS NULL UNION ALL SELECT id, created_at, is_playable FROM stream_live WHERE deleted_at IS NULL) videos`,
  )
  return row ?? { count: 0, newest: null }
}
