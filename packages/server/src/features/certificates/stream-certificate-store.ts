import type { AuthorityId } from '@fairway/contract'
import type { Challenge } from '@fairway/drivers'
import { STREAM_CERTIFICATE, type Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { wantAllAgain } from '../signed-urls/cloudfront-store.ts'
import type { OrderRow } from './order-step.ts'

export type StreamCertificateRow = OrderRow & {
  host: string
  authority: AuthorityId
  version: number
  sealed_key: string | null
  not_after: Date | null
  live_until: Date | null
  order_key: string | null
  challenges: Challenge[]
  challenges_at: Date | null
  problem: string | null
  hindrance: 'waiting' | 'failed' | null
  next_attempt_at: Date
}

/** Key of the document with it. */
export const STREAM_CERTIFICATE_KEY = 'system:streams'

export async function streamCertificate(tx: Tx, host: string): Promise<StreamCertificateRow | undefined> {
  return (await tx.query<StreamCertificateRow>('SELECT * FROM stream_certificate WHERE host = $1', [host]))[0]
}

/** Another authority, and one for other names, is ordered at once; what is shown until then stays. */
export async function wantStreamCertificate(
  tx: Tx,
  { host, names, authority, directory }: { host: string; names: string[]; authority: AuthorityId; directory: string },
): Promise<void> {
  await tx.query(
    `INSERT INTO stream_certificate AS c (host, names, authority, directory) VALUES ($1, $2, $3, $4)
     ON CONFLICT (host) DO UPDATE SET names = $2, authority = $3, directory = $4, step = NULL, order_key = NULL, challenges = '[]', attempts = 0, next_attempt_at = now(), leased_until = NULL
       WHERE (c.names, c.authority, c.directory) IS DISTINCT FROM ($2::text[], $3, $4)`,
    [host, names, authority, directory],
  )
  await tx.query('DELETE FROM stream_certificate WHERE host <> $1', [host])
}

/** Texts that an authority wants to see in the zone of the service domain now. */
export async function streamChallenges(tx: Tx, zone: string): Promise<{ name: string; value: string }[]> {
  return tx.query(
    `SELECT c->>'name' AS name, c->>'value' AS value FROM stream_certificate, jsonb_array_elements(challenges) AS c WHERE right(host, $2) = $1 ORDER BY 1, 2`,
    [`.${zone}`, zone.length + 1],
  )
}

/** Since when, or that no more, the edge answers by TLS: all that goes by it is told. */
export async function writeLive(tx: Tx, host: string, until: Date | null): Promise<void> {
  const [before] = await tx.query<{ live_until: Date | null }>(
    'SELECT live_until FROM stream_certificate WHERE host = $1 FOR UPDATE',
    [host],
  )
  await tx.query('UPDATE stream_certificate SET live_until = $2 WHERE host = $1', [host, until])
  await tx.query(`SELECT pg_notify($1, '')`, [STREAM_CERTIFICATE])
  if ((before?.live_until === null) === (until === null)) return
  // So are the objects that beacons fetch.
  await tx.query(`SELECT pg_notify('pulse', '')`)
  const balancers = await tx.query<{ id: string; organization_id: string }>(
    'SELECT id, organization_id FROM stream_balancer WHERE is_on',
  )
  for (const { id, organization_id } of balancers) await enqueue(tx, organization_id, ['stream-balance'], id)
  await wantAllAgain(tx)
}
