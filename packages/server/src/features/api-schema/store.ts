import { ApiPath, type ApiSchemaMode, SchemaEndpoint, type SecurityPolicy } from '@fairway/contract'
import { type LearnedApi, NO_SCHEMA, readLearned } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { z } from 'zod'

/** What was decided of a domain's schema. */
export type DomainSchema = {
  learning: boolean
  paths: string[]
  mode: ApiSchemaMode
  /** In force; null is none. */ endpoints: SchemaEndpoint[] | null
  since: Date | null
  ignored: string[]
}
type Row = {
  learning: boolean
  paths: unknown
  mode: ApiSchemaMode
  endpoints: unknown
  in_force_since: Date | null
  ignored: unknown
}

const NONE: DomainSchema = { ...NO_SCHEMA, endpoints: null, since: null, ignored: [] }

export async function schemaOf(tx: Tx, domainId: string): Promise<DomainSchema> {
  const [row] = await tx.query<Row>(
    'SELECT learning, paths, mode, endpoints, in_force_since, ignored FROM api_schema WHERE id = $1',
    [domainId],
  )
  if (!row) return NONE
  return {
    learning: row.learning,
    paths: ApiPath.array().parse(row.paths),
    mode: row.mode,
    endpoints: row.endpoints === null ? null : SchemaEndpoint.array().parse(row.endpoints),
    since: row.in_force_since,
    ignored: z.string().array().parse(row.ignored),
  }
}

export async function setSchema(
  tx: Tx,
  place: { organizationId: string; siteId: string; domainId: string },
  { learning, paths, mode, endpoints, since, ignored }: DomainSchema,
): Promise<void> {
  await tx.query(
    `INSERT INTO api_schema (id, organization_id, site_id, learning, paths, mode, endpoints, in_force_since, ignored)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO UPDATE SET
       learning = $4, paths = $5, mode = $6, endpoints = $7, in_force_since = $8, ignored = $9, modified_at = now()`,
    [
      place.domainId,
      place.organizationId,
      place.siteId,
      learning,
      JSON.stringify(paths),
      mode,
      endpoints === null ? null : JSON.stringify(endpoints),
      since,
      JSON.stringify(ignored),
    ],
  )
}

/** The part of a domain's security policy that is about its schema. */
export async function schemaPolicyOf(tx: Tx, domainId: string): Promise<SecurityPolicy['schema']> {
  const { learning, paths, mode, endpoints } = await schemaOf(tx, domainId)
  return { learning, paths, mode, endpoints: mode === 'off' ? [] : (endpoints ?? []) }
}

/** What was learned so far; null before the first request, or when it cannot be read. */
export async function learnedOf(tx: Tx, domainId: string): Promise<{ learned: LearnedApi | null; relearned: boolean }> {
  const [row] = await tx.query<{ learned: string; relearned_at: Date | null }>(
    'SELECT learned, relearned_at FROM api_schema_learned WHERE id = $1',
    [domainId],
  )
  const learned = row ? readLearned(row.learned) : null
  return { learned, relearned: row !== undefined && (learned === null || row.relearned_at !== null) }
}
