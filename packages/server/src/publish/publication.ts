import { isDeepStrictEqual } from 'node:util'
import { Publication, type PublicationKind } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type Document = {
  kind: PublicationKind
  key: string
  version: number
  organizationId: string | null
  body: object
}

/**
 * Stores the newest document of its kind and key under the next revision. It is checked against its own schema first:
 * what does not parse is never sent to a node.
 */
export async function publish(tx: Tx, document: Document): Promise<number> {
  const { kind, key, version, organizationId } = document
  const { body } = Publication.parse({ revision: 0, kind, key, version, body: document.body })
  return store(tx, kind, key, version, organizationId, JSON.stringify(body))
}

/** Tells the nodes to drop a document. The row stays, empty, so that a node that was away hears of it too. */
export async function withdraw(tx: Tx, kind: PublicationKind, key: string): Promise<void> {
  const row = (
    await tx.query<{ version: number; organization_id: string | null; gone: boolean }>(
      'SELECT version, organization_id, body IS NULL AS gone FROM publication WHERE kind = $1 AND key = $2',
      [kind, key],
    )
  )[0]
  if (row && !row.gone) await store(tx, kind, key, row.version + 1, row.organization_id, null)
}

async function store(
  tx: Tx,
  kind: string,
  key: string,
  version: number,
  organizationId: string | null,
  body: string | null,
): Promise<number> {
  const revision =
    (
      await tx.query<{ revision: number }>('UPDATE publication_counter SET revision = revision + 1 RETURNING revision')
    )[0]?.revision ?? 0
  await tx.query(
    `INSERT INTO publication (kind, key, organization_id, revision, version, body) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (kind, key) DO UPDATE SET organization_id = $3, revision = $4, version = $5, body = $6, published_at = now()`,
    [kind, key, organizationId, revision, version, body],
  )
  await tx.query(`SELECT pg_notify('publication', $1)`, [String(revision)])
  return revision
}

/**
 * The version for a document that has no version of its own: the stored one while its content stays the same, else the
 * next.
 */
export async function contentVersion(
  tx: Tx,
  kind: PublicationKind,
  key: string,
  content: (version: number) => object,
): Promise<number> {
  const row = (
    await tx.query<{ version: number; body: unknown }>(
      'SELECT version, body FROM publication WHERE kind = $1 AND key = $2',
      [kind, key],
    )
  )[0]
  if (!row) return 1
  return row.body !== null && isDeepStrictEqual(row.body, JSON.parse(JSON.stringify(content(row.version))))
    ? row.version
    : row.version + 1
}
