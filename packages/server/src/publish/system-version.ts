import type { EntityChange, PublicationKind } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { enqueue, notifyConsole } from '../http/commit-change.ts'

export type SystemChange = {
  organizationId: string
  siteId: string
  title: string
  kinds: readonly PublicationKind[]
  changes: EntityChange[]
}

/**
 * A version that nobody asked for but that follows from facts, such as a CDN that has become ready. Answers its number;
 * null when the site is gone.
 */
export async function systemVersion(
  tx: Tx,
  { organizationId, siteId, title, kinds, changes }: SystemChange,
): Promise<number | null> {
  const number = (
    await tx.query<{ version: number }>('UPDATE site SET version = version + 1 WHERE id = $1 RETURNING version', [
      siteId,
    ])
  )[0]?.version
  if (number === undefined) return null
  await tx.query(
    `INSERT INTO version (organization_id, site_id, number, title, author, source, kinds, changes) SELECT $1, $2, $3, $4, p.company_name, 'system', $5, $6 FROM organization o JOIN partner p ON p.id = o.partner_id WHERE o.id = $1`,
    [organizationId, siteId, number, title, kinds, JSON.stringify(changes)],
  )
  await enqueue(tx, organizationId, kinds, siteId)
  await notifyConsole(tx, { organizationId, kind: 'version', siteId })
  return number
}
