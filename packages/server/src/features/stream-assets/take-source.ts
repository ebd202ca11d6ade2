import { LIMITS } from '@fairway/contract'
import { type Config, PENDING_SHARE, type Tx, diskOf, mediaFolders, nearestFolder } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { countLive, countRecordings } from '../live-streams/store.ts'
import { bytesElsewhere, bytesPending, countAssets } from './store.ts'

/** One after the other, so that two at once do not both find room, or a name free. */
export const lockSources = (tx: Tx, organizationId: string): Promise<unknown> =>
  tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4060))', [organizationId])

/** @throws Failure 30004 when the organisation has as many videos, live streams and recordings as it may */
export async function takeSource(tx: Tx, organizationId: string): Promise<void> {
  await lockSources(tx, organizationId)
  const used = (await countAssets(tx)) + (await countLive(tx)) + (await countRecordings(tx))
  if (used >= LIMITS.streamSources) throw new Failure(30004)
}

/**
 * Of this disk, or of where uploads go elsewhere, to be asked under the lock of `lockSources`. One file alone may be
 * larger: whether there is room for it is another question. @throws Failure 30030 when the organisation has too much
 * that is not done
 */
export async function takeRoom(tx: Tx, config: Config, bytes: number, uploadIn = ''): Promise<void> {
  const pending = await (uploadIn === '' ? bytesPending(tx) : bytesElsewhere(tx))
  if (pending === 0) return
  const most =
    uploadIn === ''
      ? diskOf(nearestFolder(mediaFolders(config).uploads)).totalBytes * PENDING_SHARE
      : LIMITS.uploadsElsewhereBytes
  if (pending + bytes > most) throw new Failure(30030)
}
