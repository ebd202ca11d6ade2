import { z } from 'zod'
import { IpAddress } from './formats/cidr.ts'
import { Visitor } from './geography.ts'
import { Decision, SteeringPolicy } from './steering.ts'

/** Asked of a DNS node's control socket: what would you answer, and why. `policy` replaces the saved one (a draft). */
export const WhyQuestion = z.object({
  name: z.string(),
  client: IpAddress,
  prefixLength: z.int().optional(),
  policy: SteeringPolicy.optional(),
})
export type WhyQuestion = z.infer<typeof WhyQuestion>
export const WhyAnswer = z.object({
  name: z.string(),
  visitor: Visitor,
  decision: Decision,
  decidedAt: z.number(),
  node: z.string(),
})
export type WhyAnswer = z.infer<typeof WhyAnswer>

/** Asked of a DNS node's control socket: what would these clients, addresses or networks, be answered. */
export const WhyManyQuestion = z.object({ name: z.string().max(255), clients: z.array(z.string().max(64)).max(50_000) })
export type WhyManyQuestion = z.infer<typeof WhyManyQuestion>
/**
 * For each client, in order, what it gets, all by the measurements of one moment; `cdnId` is null when shares are
 * split.
 */
export const WhyManyAnswer = z.object({
  name: z.string(),
  answers: z.array(
    z.object({
      client: z.string(),
      cdnId: z.string().nullable(),
      shares: Decision.shape.shares,
      strategyId: z.string().nullable(),
    }),
  ),
  decidedAt: z.number(),
  node: z.string(),
})
export type WhyManyAnswer = z.infer<typeof WhyManyAnswer>
