import type { EntityChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { streamSiteKeys } from '../../publish/stream-site.ts'
import { republishPeers } from '../stream-peers/store.ts'
import { markDeleted, videoOf } from './store.ts'

/** Removes a video, whoever asks for it. @returns what changed */
export async function removeVideo(tx: Tx, organizationId: string, id: string): Promise<EntityChange> {
  const { name, category, size } = await videoOf(tx, id)
  await markDeleted(tx, id)
  // First the edge is told to forget, and that there is nothing at the origin is seen to by the role.
  for (const key of await streamSiteKeys(tx, organizationId))
    await enqueue(tx, organizationId, ['edge-purges', 'edge-site'], key)
  await republishPeers(tx, organizationId, id)
  return { entity: 'stream-asset', id, label: name, before: { name, category, size }, after: null }
}
