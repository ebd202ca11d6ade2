import { z } from 'zod'

/**
 * What a node may subscribe to; each publication replaces the one before it with the same kind and key. A null body
 * removes.
 */
export const PublicationKind = z.enum([
  'dns-zone',
  'edge-certificates',
  'edge-challenges',
  'edge-pages',
  'edge-purges',
  'edge-security',
  'edge-site',
  'simulated-cdn',
  'scores',
  'probe-targets',
  'dns-transfers',
  'stream-balance',
  'stream-peers',
  'outside-feeds',
])
export type PublicationKind = z.infer<typeof PublicationKind>
