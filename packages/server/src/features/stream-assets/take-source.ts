import { LIMITS } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { countLive, countRecordings } from '../live-streams/store.ts'
import { countAssets } from './store.ts'

/** @throws Failure 30004 when the organisation has as many videos, live streams and recordings as it may */
export async function takeSource(tx: Tx, organizationId: string): Promise<void> {
  // One after the other, so that two at once do not both find room.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4060))', [organizationId])
  const used = (await countAssets(tx)) + (await countLive(tx)) + (await countRecordings(tx))
  if (used >= LIMITS.streamSources) throw new Failure(30004)
}
