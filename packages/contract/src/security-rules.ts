import { z } from 'zod'
import { RuleName, SecurityExpression } from './security-expressions.ts'
import { ListQuery } from './route.ts'

/** What rules of a list have in common: they are read from the first to the last. */
export const SecurityRuleInput = z.object({
  name: RuleName,
  enabled: z.boolean().default(true),
  /** Which requests it is about; null is all of them. */
  expression: SecurityExpression.nullable().default(null),
})

export const SecurityRuleRow = z.object({
  id: z.string(),
  position: z.int(),
  createdAt: z.iso.datetime(),
  /** The rule before it, by id, that takes every request which this one is about: it can never be reached. */
  shadowedBy: z.string().nullable(),
})

export const RulesQuery = ListQuery.extend({ ordering: z.string().max(64).default('position') })
/** Ids of all rules of the list, the first to be read first. */
export const RuleOrder = z.object({ ids: z.array(z.uuid()).max(1000) })
