import { z } from 'zod'

/** What would have to be otherwise for a CDN to be chosen; figures are in ms or percent, `now` is what they are. */
export const Counterfactual = z.intersection(
  z.object({ cdnId: z.string() }),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('faster'), belowMs: z.number(), nowMs: z.number() }),
    z.object({ kind: z.literal('faster-by-margin'), belowMs: z.number(), nowMs: z.number() }),
    z.object({ kind: z.literal('more-available'), above: z.number(), now: z.number() }),
    z.object({ kind: z.literal('reaches-threshold'), from: z.number(), now: z.number() }),
    z.object({ kind: z.literal('alive') }),
    z.object({ kind: z.literal('measured'), minimumSamples: z.int() }),
    z.object({ kind: z.literal('serves') }),
    z.object({ kind: z.literal('next-in-order'), beforeCdnId: z.string() }),
    z.object({ kind: z.literal('standby') }),
  ]),
)
export type Counterfactual = z.infer<typeof Counterfactual>
