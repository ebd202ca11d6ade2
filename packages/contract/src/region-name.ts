import { z } from 'zod'

/** Group of edge nodes that speaks with origins for all the others. */
export const RegionName = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'validation.regionName')
