import { z } from 'zod'
import { ListQuery, changed, feature, get, page, post } from './route.ts'

/** One row of a change: what a person compares, and what a revert writes back. */
export const EntityChange = z.object({
  entity: z.string(),
  id: z.string(),
  /** How people call it, for example `www A`. */
  label: z.string(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
})
export type EntityChange = z.infer<typeof EntityChange>

export const NodeState = z.object({
  nodeId: z.string(),
  name: z.string(),
  role: z.string(),
  /** `waiting` has not confirmed yet; `away` has not been heard for 15 s. */
  state: z.enum(['live', 'waiting', 'failed', 'away']),
  version: z.int().nullable(),
  reason: z.string().nullable(),
  confirmedAt: z.iso.datetime().nullable(),
})
export type NodeState = z.infer<typeof NodeState>

export const SiteVersion = z.object({
  number: z.int(),
  title: z.string(),
  author: z.string(),
  source: z.enum(['console', 'api', 'import', 'system']),
  createdAt: z.iso.datetime(),
  changes: z.array(EntityChange),
  /**
   * `deploying` until every serving node has confirmed this version or a later one; then `live`. `failed` when a node
   * refused it.
   */
  state: z.enum(['deploying', 'live', 'failed']),
  nodes: z.array(NodeState),
})
export type SiteVersion = z.infer<typeof SiteVersion>

/** The spine: every change of a site is a numbered version. */
export const versions = feature('versions', {
  list: get('/spine/v2/sites/{site}/versions/', {
    in: ListQuery,
    out: page(SiteVersion),
    permission: 'ViewSite',
    errors: [],
  }),
  get: get('/spine/v2/sites/{site}/versions/{number}/', { out: SiteVersion, permission: 'ViewSite', errors: [] }),
  revert: post('/spine/v2/sites/{site}/versions/{number}/revert/', {
    out: changed(z.object({ reverted: z.int() })),
    permission: 'EditSite',
    errors: [409],
    audit: 'version.revert',
    changes: ['dns-zone', 'edge-site', 'probe-targets'],
    summary:
      'Writes back what the version changed, as a new version; refused when something it touched has changed since.',
  }),
})
