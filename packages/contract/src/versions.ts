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
  /** The first hundred in a list, all of one version; or those of the one thing that was asked for. */
  changes: z.array(EntityChange),
  /** How many things the version changed. */
  changeCount: z.int(),
  /**
   * `deploying` until every serving node has confirmed this version or a later one; then `live`. `failed` when a node
   * refused it.
   */
  state: z.enum(['deploying', 'live', 'failed']),
  nodes: z.array(NodeState),
})
export type SiteVersion = z.infer<typeof SiteVersion>

const VersionNumber = z.coerce.number().int().min(0).max(999_999_999)

/** From the state at `from` to the state at `to`. What the system did follows from facts and is not compared. */
export const VersionComparison = z.object({ from: z.int(), to: z.int(), changes: z.array(EntityChange) })
export type VersionComparison = z.infer<typeof VersionComparison>

/** The spine: every change of a site is a numbered version. */
export const versions = feature('versions', {
  list: get('/spine/v2/sites/{site}/versions/', {
    fromReplica: true,
    in: ListQuery.extend({
      /** Only versions that changed the thing with this id, a record for example, and of them only that change. */
      touches: z.uuid().optional(),
    }),
    out: page(SiteVersion),
    permission: 'ViewSite',
    errors: [],
  }),
  compare: get('/spine/v2/sites/{site}/compare/', {
    fromReplica: true,
    in: z.object({ from: VersionNumber, to: VersionNumber }),
    out: VersionComparison,
    permission: 'ViewSite',
    errors: [],
    summary:
      'What differs between the site at one version and at another, whichever is the older; 0 is before the first.',
  }),
  get: get('/spine/v2/sites/{site}/versions/{number}/', {
    fromReplica: true,
    out: SiteVersion,
    permission: 'ViewSite',
    errors: [],
  }),
  revert: post('/spine/v2/sites/{site}/versions/{number}/revert/', {
    out: changed(z.object({ reverted: z.int() })),
    permission: 'EditSite',
    apiTier: 3,
    errors: [409, 26902, 26904, 26913, 26915, 27004, 27022, 810007, 810008, 900102, 900106],
    audit: 'version.revert',
    changes: ['dns-zone', 'edge-security', 'edge-site', 'probe-targets'],
    summary:
      'Writes back what the version changed, as a new version; refused when something it touched has changed since, or the plan has no room.',
  }),
})
