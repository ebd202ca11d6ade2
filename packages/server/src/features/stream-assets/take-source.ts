import { LIMITS } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { countLive, countRecordings } from '../live-streams/store.ts'
import { countAssets } from './store.ts'

/** One after the other, so that two at once do not both find room, or a name free. */
export const lockSources = (tx: Tx, organizationId: string): Promise<unknown> =>
  tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4060))', [organizationId])

/** @throws Failure 30004 when the organisation has as many videos, live streams and recordings as it may */
export async function takeSource(tx: Tx, organizationId: string): Promise<void> {
  await lockSources(tx, organizationId)
  const used = (await countAssets(tx)) + (await countLive(tx)) + (await countRecordings(tx))
  if (used >= LIMITS.streamSources) throw new Failure(30004)
}
