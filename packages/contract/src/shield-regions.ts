import { z } from 'zod'
import { RegionName } from './region-name.ts'
import { changed, feature, get, put } from './route.ts'

/** Why a region speaks with an origin: as `chooseRegion` of the domain says it. */
const RegionReason = z.enum(['chosen', 'nearest', 'kept', 'unmeasured', 'next', 'none'])

/** How one node of a region stands to the origin. */
export const RegionNode = z.object({
  node: z.string(),
  away: z.boolean(),
  /** Others can fetch through it. */ reachable: z.boolean(),
  /** Middle of its last connections to the origin, ms; null when none was made or all failed. */ ms: z
    .number()
    .nullable(),
  samples: z.int(),
  failed: z.int(),
  /** When it last tried; null while it has not. */ measuredAt: z.iso.datetime().nullable(),
})
export type RegionNode = z.infer<typeof RegionNode>

export const ShieldRegion = z.object({
  region: z.string(),
  /** Some node of it is there and can be fetched through. */ usable: z.boolean(),
  ms: z.number().nullable(),
  nodes: z.array(RegionNode),
})
export type ShieldRegion = z.infer<typeof ShieldRegion>

export const ShieldRegions = z.object({
  /** What the owner has chosen; null for auto, the nearest to the origin by measured time. */
  region: z.string().nullable(),
  /** Which region speaks with the origin, and why; null while that is not decided yet. */
  route: z.object({ region: z.string().nullable(), why: RegionReason, since: z.iso.datetime() }).nullable(),
  regions: z.array(ShieldRegion),
})
export type ShieldRegions = z.infer<typeof ShieldRegions>

const Choice = z.object({ region: RegionName.nullable() })
const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/region/'

export const shieldRegions = feature('shield-regions', {
  get: get(AT, { out: ShieldRegions, permission: 'ViewSite', errors: [] }),
  update: put(AT, {
    in: Choice,
    out: changed(Choice),
    permission: 'EditSite',
    planFeature: 'waf.enable',
    errors: [27044],
    audit: 'shieldRegion.update',
    changes: ['edge-site'],
  }),
})
