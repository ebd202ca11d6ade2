import type { StreamPeersDocument } from '@fairway/contract'
import { CONTROL_PERCENT } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { isSigningOn } from '../features/signed-urls/store.ts'
import { peersOf } from '../features/stream-peers/store.ts'
import type { Built } from './built.ts'
import { contentVersion } from './publication.ts'

/** Who may have peers, for who introduces them. Key: the video or live stream. */
export async function buildStreamPeers(tx: Tx, key: string): Promise<Built> {
  const row = await peersOf(tx, key)
  if (!row?.is_on) return null
  const { organization_id: organizationId, kind, with_signed: withSigned } = row
  // Who has segments of a peer has shown no token to anybody: only where the owner has said so.
  if (!withSigned && (await isSigningOn(tx, organizationId))) return null
  const content = (version: number): StreamPeersDocument => ({
    sourceId: key,
    organizationId,
    kind,
    version,
    controlPercent: CONTROL_PERCENT,
  })
  const version = await contentVersion(tx, 'stream-peers', key, content)
  return { version, organizationId, body: content(version) }
}
