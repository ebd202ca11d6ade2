import { isDeepStrictEqual } from 'node:util'
import { type DnsZone, DnsZonePatch, Publication, type PublicationKind } from '@fairway/contract'
import { PATCHED_FROM_SETS, patchedZone } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { isHeldAtEdge } from '../http/edge-room.ts'

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
  const revision = await store(tx, kind, key, version, organizationId, JSON.stringify(body))
  const sets = kind === 'dns-zone' && body !== null && 'rrsets' in body ? body.rrsets.length : 0
  const step = body !== null && 'step' in body ? (body.step ?? 0) : 0
  const proven = body !== null && 'proven' in body && body.proven === true
  if (sets >= PATCHED_FROM_SETS)
    await tx.query(
      'UPDATE publication SET base_revision = $3, base_version = $4, base_step = $5, sets = $6, base_proven = $7 WHERE kind = $1 AND key = $2',
      [kind, key, revision, version, step, sets, proven],
    )
  return revision
}

/**
 * Stores the newest documents of one kind, small ones and many at once, each under the next revision. Of two with the
 * same key the later one counts.
 */
export async function publishMany(
  tx: Tx,
  kind: PublicationKind,
  documents: readonly Omit<Document, 'kind'>[],
): Promise<void> {
  const newest = [...new Map(documents.map((document) => [document.key, document])).values()]
  if (newest.length === 0) return
  const bodies = newest.map(({ key, version, body }) =>
    JSON.stringify(Publication.parse({ revision: 0, kind, key, version, body }).body),
  )
  const [counter] = await tx.query<{ revision: number }>(
    'UPDATE publication_counter SET revision = revision + $1 RETURNING revision',
    [newest.length],
  )
  const revision = counter?.revision ?? 0
  await tx.query(
    `INSERT INTO publication (kind, key, organization_id, revision, version, body)
     SELECT $1, d.key, d.organization_id, $2::bigint + d.at, d.version, d.body::jsonb FROM unnest($3::text[], $4::uuid[], $5::int[], $6::text[]) WITH ORDINALITY AS d(key, organization_id, version, body, at)
     ON CONFLICT (kind, key) DO UPDATE SET organization_id = EXCLUDED.organization_id, revision = EXCLUDED.revision, version = EXCLUDED.version, body = EXCLUDED.body, published_at = now()`,
    [
      kind,
      revision - newest.length,
      newest.map(({ key }) => key),
      newest.map(({ organizationId }) => organizationId),
      newest.map(({ version }) => version),
      bodies,
    ],
  )
  await tx.query(`SELECT pg_notify('publication', $1)`, [String(revision)])
}

/** A large zone as it was last published whole; `published` is the version that nodes are sent, with its patch. */
export type ZoneBase = { version: number; step: number; proven: boolean; published: number; sets: number }

/** What a zone's patch may start from; null for a zone that is always published whole. */
export async function zoneBase(tx: Tx, key: string): Promise<ZoneBase | null> {
  const [row] = await tx.query<ZoneBase>(
    `SELECT base_version AS version, base_step AS step, coalesce(base_proven, false) AS proven, version AS published, sets FROM publication WHERE kind = 'dns-zone' AND key = $1 AND body IS NOT NULL AND sets IS NOT NULL`,
    [key],
  )
  return row ?? null
}

/** Stores what has changed since the zone was published whole, in place of the patch before. */
export async function publishPatch(tx: Tx, key: string, patch: DnsZonePatch): Promise<void> {
  await announced(tx, (revision) =>
    tx.query(
      `UPDATE publication SET revision = $2, version = $3, patch = $4, published_at = now() WHERE kind = 'dns-zone' AND key = $1`,
      [key, revision, patch.version, JSON.stringify(DnsZonePatch.parse(patch))],
    ),
  )
}

/**
 * Puts what has changed into what was published whole, so that patches after that are short again. Nodes are told
 * nothing: who has the patch has all of it, and who comes later needs the whole in either case. What is published
 * meanwhile fits on this whole as well.
 */
export async function foldPatch(tx: Tx, key: string): Promise<void> {
  const [row] = await tx.query<{ revision: number; version: number; base: number; body: string; patch: string }>(
    `SELECT revision, version, base_revision AS base, body::text, patch::text FROM publication WHERE kind = 'dns-zone' AND key = $1 AND body IS NOT NULL AND patch IS NOT NULL`,
    [key],
  )
  const zone = row && patchedZone(JSON.parse(row.body) as DnsZone, JSON.parse(row.patch) as DnsZonePatch)
  if (!row || !zone) return
  await tx.query(
    `UPDATE publication SET body = $2, base_revision = $3, base_version = $4, sets = $5, patch = CASE WHEN revision = $3 THEN NULL ELSE patch END
     WHERE kind = 'dns-zone' AND key = $1 AND base_revision = $6 AND patch IS NOT NULL`,
    [key, JSON.stringify(zone), row.revision, row.version, zone.rrsets.length, row.base],
  )
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

/** Characters of a document that takes a while to write. */
const LONG_BODY = 50_000

async function store(
  tx: Tx,
  kind: string,
  key: string,
  version: number,
  organizationId: string | null,
  body: string | null,
): Promise<number> {
  // A long one is written first: who has the next revision keeps everybody else from theirs until the commit.
  const [written] =
    (body?.length ?? 0) < LONG_BODY
      ? []
      : await tx.query('UPDATE publication SET body = $3 WHERE kind = $1 AND key = $2 RETURNING key', [kind, key, body])
  return announced(tx, (revision) =>
    tx.query(
      `INSERT INTO publication (kind, key, organization_id, revision, version, body, bytes) VALUES ($1, $2, $3, $4, $5, $6, $8)
       ON CONFLICT (kind, key) DO UPDATE SET organization_id = $3, revision = $4, version = $5, bytes = $8, body = CASE WHEN $7 THEN publication.body ELSE EXCLUDED.body END,
         published_at = now(), base_revision = NULL, base_version = NULL, base_step = NULL, base_proven = NULL, sets = NULL, patch = NULL`,
      [
        kind,
        key,
        organizationId,
        revision,
        version,
        written ? null : body,
        written !== undefined,
        body !== null && isHeldAtEdge(kind) ? Buffer.byteLength(body) : null,
      ],
    ),
  )
}

/** Writes under the next revision and wakes the nodes' feeds. */
async function announced(tx: Tx, write: (revision: number) => Promise<unknown>): Promise<number> {
  const [counter] = await tx.query<{ revision: number }>(
    'UPDATE publication_counter SET revision = revision + 1 RETURNING revision',
  )
  const revision = counter?.revision ?? 0
  await write(revision)
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
