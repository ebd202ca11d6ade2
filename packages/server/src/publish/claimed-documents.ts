import type { PublicationKind } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { isUuid } from '../http/tenant.ts'
import { withdraw } from './publication.ts'

/** Documents by which a site answers for its name: of several claims to it, one has them. */
const BY_SITE: ReadonlySet<PublicationKind> = new Set([
  'dns-zone',
  'edge-site',
  'edge-security',
  'edge-certificates',
  'edge-challenges',
  'edge-pages',
])

/** Whether a document is one of a site whose claim to its name is not served, or whose name is the house's by now. */
export async function isOutOfService(tx: Tx, kind: PublicationKind, key: string): Promise<boolean> {
  if (!BY_SITE.has(kind) || !isUuid(key)) return false
  const rows = await tx.query(
    `SELECT FROM site s WHERE s.id = $1 AND (s.claim NOT IN ('served', 'proven') OR EXISTS (SELECT FROM partner_zone z WHERE s.domain_name = z.name OR right(s.domain_name, length(z.name) + 1) = '.' || z.name))`,
    [key],
  )
  return rows.length > 0
}

/**
 * Takes back what other claims to the name still have published, under an earlier revision: a node never holds two
 * documents for one name, whichever worker builds first.
 */
export async function withdrawOfOthers(tx: Tx, kind: PublicationKind, key: string): Promise<void> {
  if (!BY_SITE.has(kind) || !isUuid(key)) return
  const others = await tx.query<{ key: string }>(
    `SELECT p.key FROM site s JOIN site o ON o.domain_name = s.domain_name AND o.id <> s.id JOIN publication p ON p.kind = $1 AND p.key = o.id::text AND p.body IS NOT NULL WHERE s.id = $2`,
    [kind, key],
  )
  for (const other of others) await withdraw(tx, kind, other.key)
}
