import type { Tx } from '@fairway/platform'

export type DnssecRow = {
  site_id: string
  organization_id: string
  state: 'waiting' | 'secured' | 'withdrawing'
  state_since: Date
  parent_ds: string[]
  ds_ttl_seconds: number
  ds_absent_since: Date | null
  checked_at: Date | null
  problem: string | null
  due_at: Date
}
export type KeyRow = {
  id: string
  tag: number
  public_key: string
  state: 'published' | 'ready' | 'active' | 'retired'
  state_since: Date
}

const COLUMNS =
  'site_id, organization_id, state, state_since, parent_ds, ds_ttl_seconds, ds_absent_since, checked_at, problem, due_at'

export async function dnssecOf(tx: Tx, siteId: string, lock = false): Promise<DnssecRow | undefined> {
  return (
    await tx.query<DnssecRow>(`SELECT ${COLUMNS} FROM site_dnssec WHERE site_id = $1 ${lock ? 'FOR UPDATE' : ''}`, [
      siteId,
    ])
  )[0]
}

export async function keysOf(tx: Tx, siteId: string): Promise<KeyRow[]> {
  return tx.query<KeyRow>(
    'SELECT id, tag, public_key, state, state_since FROM zone_key WHERE site_id = $1 ORDER BY created_at, id',
    [siteId],
  )
}

export async function insertDnssec(tx: Tx, organizationId: string, siteId: string): Promise<void> {
  await tx.query(`INSERT INTO site_dnssec (site_id, organization_id, state) VALUES ($1, $2, 'waiting')`, [
    siteId,
    organizationId,
  ])
}

/** Takes the next step, and looks at the parent again at once. */
export async function setState(tx: Tx, siteId: string, state: DnssecRow['state']): Promise<void> {
  await tx.query('UPDATE site_dnssec SET state = $2, state_since = now(), due_at = now() WHERE site_id = $1', [
    siteId,
    state,
  ])
}

export async function lookNow(tx: Tx, siteId: string): Promise<void> {
  await tx.query('UPDATE site_dnssec SET due_at = now() WHERE site_id = $1', [siteId])
}

export async function insertKey(
  tx: Tx,
  key: {
    organizationId: string
    siteId: string
    tag: number
    publicKey: string
    privateKeySealed: string
    state: KeyRow['state']
  },
): Promise<void> {
  await tx.query(
    'INSERT INTO zone_key (organization_id, site_id, tag, public_key, private_key_sealed, state) VALUES ($1, $2, $3, $4, $5, $6)',
    [key.organizationId, key.siteId, key.tag, key.publicKey, key.privateKeySealed, key.state],
  )
}

export async function setKeyState(tx: Tx, id: string, state: KeyRow['state']): Promise<void> {
  await tx.query('UPDATE zone_key SET state = $2, state_since = now() WHERE id = $1', [id, state])
}

export async function removeKey(tx: Tx, id: string): Promise<void> {
  await tx.query('DELETE FROM zone_key WHERE id = $1', [id])
}

/** The zone is not signed any more. */
export async function removeDnssec(tx: Tx, siteId: string): Promise<void> {
  await tx.query('DELETE FROM zone_key WHERE site_id = $1', [siteId])
  await tx.query('DELETE FROM site_dnssec WHERE site_id = $1', [siteId])
}

/** No look is due so far ahead: that was said by a clock that has been set right since. */
const FURTHEST_SECONDS = 3_600
const IS_DUE = `due_at <= now() OR due_at > now() + make_interval(secs => ${FURTHEST_SECONDS})`
/** A row when there is something to look after. */
export const DNSSEC_DUE = `SELECT FROM site_dnssec WHERE ${IS_DUE}`

/** Zones to look after, with their names; taken by one worker at a time, for half a minute. */
export async function takeDue(tx: Tx, limit: number): Promise<(DnssecRow & { domain_name: string })[]> {
  return tx.query<DnssecRow & { domain_name: string }>(
    `WITH due AS (SELECT site_id FROM site_dnssec WHERE ${IS_DUE} ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED),
     taken AS (UPDATE site_dnssec d SET due_at = now() + interval '30 seconds' FROM due WHERE d.site_id = due.site_id RETURNING d.*)
     SELECT ${COLUMNS.split(', ')
       .map((column) => `taken.${column}`)
       .join(', ')}, site.domain_name FROM taken JOIN site ON site.id = taken.site_id`,
    [limit],
  )
}

/**
 * What the parent said. A DS that is there is remembered when it goes; `absent` counts from when it was first seen to
 * be gone.
 */
export async function noteParent(
  tx: Tx,
  siteId: string,
  seen: { ds: string[]; ttlSeconds: number } | null,
): Promise<void> {
  if (seen === null)
    await tx.query(`UPDATE site_dnssec SET checked_at = now(), problem = 'parentAway' WHERE site_id = $1`, [siteId])
  else if (seen.ds.length > 0)
    await tx.query(
      'UPDATE site_dnssec SET checked_at = now(), problem = NULL, parent_ds = $2, ds_ttl_seconds = greatest($3, 60), ds_absent_since = NULL WHERE site_id = $1',
      [siteId, JSON.stringify(seen.ds), seen.ttlSeconds],
    )
  else
    await tx.query(
      'UPDATE site_dnssec SET checked_at = now(), problem = NULL, ds_absent_since = coalesce(ds_absent_since, now()) WHERE site_id = $1',
      [siteId],
    )
}

export async function lookAgainAt(tx: Tx, siteId: string, at: Date): Promise<void> {
  await tx.query('UPDATE site_dnssec SET due_at = $2 WHERE site_id = $1', [siteId, at])
}
