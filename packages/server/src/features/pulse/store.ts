import type { Tx } from '@fairway/platform'

export type PulseRow = {
  organization_id: string
  key: string
  key_since: Date
  start_delay_seconds: number
  repeat_delay_seconds: number
  batch_number: number
  throughput: boolean
  hosts: string[]
}
type OldKeyRow = { key: string; created_at: Date; ends_at: Date }

export async function ownPulse(tx: Tx, organizationId: string): Promise<PulseRow | undefined> {
  return (await tx.query<PulseRow>('SELECT * FROM pulse WHERE organization_id = $1', [organizationId]))[0]
}

/** Newest first; those that have ended are not told. */
export async function oldKeys(tx: Tx, organizationId: string): Promise<OldKeyRow[]> {
  return tx.query<OldKeyRow>(
    'SELECT key, created_at, ends_at FROM pulse_old_key WHERE organization_id = $1 AND ends_at > now() ORDER BY created_at DESC',
    [organizationId],
  )
}

export async function updatePulse(
  tx: Tx,
  organizationId: string,
  settings: {
    startDelaySeconds: number
    repeatDelaySeconds: number
    batchNumber: number
    throughput?: boolean | undefined
    hosts?: string[] | undefined
  },
): Promise<void> {
  await tx.query(
    'UPDATE pulse SET start_delay_seconds = $2, repeat_delay_seconds = $3, batch_number = $4, throughput = coalesce($5, throughput), hosts = coalesce($6, hosts) WHERE organization_id = $1',
    [
      organizationId,
      settings.startDelaySeconds,
      settings.repeatDelaySeconds,
      settings.batchNumber,
      settings.throughput ?? null,
      settings.hosts ?? null,
    ],
  )
  await tellPulse(tx, organizationId)
}

/** The key of today becomes an old one, for so long, and `key` takes its place. */
export async function replaceKey(tx: Tx, organizationId: string, key: string, keepOldHours: number): Promise<void> {
  await tx.query('DELETE FROM pulse_old_key WHERE organization_id = $1 AND ends_at <= now()', [organizationId])
  if (keepOldHours > 0)
    await tx.query(
      'INSERT INTO pulse_old_key (key, organization_id, created_at, ends_at) SELECT key, organization_id, key_since, now() + make_interval(hours => $2) FROM pulse WHERE organization_id = $1',
      [organizationId, keepOldHours],
    )
  await tx.query('UPDATE pulse SET key = $2, key_since = now() WHERE organization_id = $1', [organizationId, key])
  await tellPulse(tx, organizationId)
}

export async function removeOldKey(tx: Tx, organizationId: string, key: string): Promise<boolean> {
  const gone = await tx.query('DELETE FROM pulse_old_key WHERE organization_id = $1 AND key = $2 RETURNING key', [
    organizationId,
    key,
  ])
  await tellPulse(tx, organizationId)
  return gone.length > 0
}

/** Has the collector told of it, once this transaction is through. */
export async function tellPulse(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(`SELECT pg_notify('pulse', $1)`, [organizationId])
}

/** Ids of the organisations that have a beacon key. */
export async function pulseOrganizations(tx: Tx): Promise<string[]> {
  return (await tx.query<{ id: string }>('SELECT organization_id AS id FROM pulse ORDER BY organization_id')).map(
    (row) => row.id,
  )
}

/** Names of the organisation's sites: the pages that a beacon is most likely on. */
export async function siteNames(tx: Tx, organizationId: string): Promise<string[]> {
  return (
    await tx.query<{ name: string }>(
      'SELECT domain_name AS name FROM site WHERE organization_id = $1 ORDER BY domain_name LIMIT 25',
      [organizationId],
    )
  ).map(({ name }) => name)
}

export async function cdnNames(tx: Tx, organizationId: string): Promise<Map<string, { name: string; series: number }>> {
  const rows = await tx.query<{ id: string; name: string; series: number }>(
    'SELECT id, name, series FROM cdn WHERE organization_id = $1 UNION ALL SELECT id::text, name, 6 FROM monitoring_cdn WHERE organization_id = $1',
    [organizationId],
  )
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
