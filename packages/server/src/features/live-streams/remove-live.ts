import type { EntityChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { streamSiteKeys } from '../../publish/stream-site.ts'
import { balancerOf } from '../stream-balancers/store.ts'
import { republishPeers } from '../stream-peers/store.ts'
import { liveById, markLiveDeleted } from './store.ts'

/** Removes a live stream, whoever asks for it. @returns what changed; null when there is none */
export async function removeLive(tx: Tx, organizationId: string, id: string): Promise<EntityChange | null> {
  const row = await liveById(tx, id, { hold: true })
  if (!row) return null
  await markLiveDeleted(tx, id)
  for (const key of await streamSiteKeys(tx, organizationId))
    await enqueue(tx, organizationId, ['edge-purges', 'edge-site'], key)
  const balancer = await balancerOf(tx, organizationId, id)
  if (balancer) await enqueue(tx, organizationId, ['stream-balance', 'probe-targets'], balancer.id)
  await republishPeers(tx, organizationId, id)
  const { name, latency } = row
  return { entity: 'live-stream', id, label: name, before: { name, latency }, after: null }
}
