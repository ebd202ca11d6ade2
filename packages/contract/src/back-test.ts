import { z } from 'zod'
import { AccessEntryInput, AccessList } from './access-control.ts'
import { BotManagement } from './bot-management.ts'
import { FirewallRuleInput } from './firewall-rules.ts'
import { SECURITY_ACTIONS, SECURITY_PARTS } from './lean.ts'

/** What of a domain's rules would be otherwise. What is absent stays. */
export const SecurityChange = z.object({
  /** A new rule at the end, one in the place of another, or one less (`rule` null). */
  firewall: z
    .array(
      z.object({
        id: z.uuid().nullable(),
        rule: FirewallRuleInput.nullable(),
        /** Goes before all others. */ first: z.boolean().default(false),
      }),
    )
    .max(50)
    .optional(),
  bots: BotManagement.partial().optional(),
  access: z
    .object({
      add: z.array(AccessEntryInput).max(1000).default([]),
      /** Lines as an import takes them, for this list. */
      text: z.object({ list: AccessList, lines: z.string().max(2_000_000) }).optional(),
      remove: z.array(z.uuid()).max(1000).default([]),
    })
    .optional(),
})
export type SecurityChange = z.infer<typeof SecurityChange>

const Share = z.object({ value: z.string(), requests: z.int() })
/** Requests that a change turns one way. */
const Turned = z.object({
  /** Each counted as often as it stands for. */ requests: z.int(),
  /** Of visitors that have signed in, by the names of their cookies. */ signedIn: z.int(),
  /** Most first, at most ten each. */ countries: z.array(Share),
  paths: z.array(Share),
  examples: z.array(
    z.object({
      id: z.string(),
      /** Epoch ms. */ at: z.number(),
      address: z.string(),
      country: z.string(),
      method: z.string(),
      path: z.string(),
      agent: z.string(),
      before: z.enum(SECURITY_ACTIONS),
      after: z.enum(SECURITY_ACTIONS),
      part: z.enum(SECURITY_PARTS).nullable(),
      signedIn: z.boolean(),
    }),
  ),
})

export const BackTest = z.object({
  /** Recorded requests that were looked at, and how many requests they stand for. */
  recorded: z.int(),
  requests: z.int(),
  /** When the first and the last of them came, epoch ms; null where there is none. */
  from: z.number().nullable(),
  to: z.number().nullable(),
  /** Stopped by the rules as they are, and as they would be. */
  stopped: z.object({ before: z.int(), after: z.int() }),
  newlyStopped: Turned,
  newlyPassed: Turned,
  /** Stopped by both, but otherwise: a challenge instead of a block. */ otherwise: z.int(),
  /** A rule looked at something that is not kept, a cookie's value: live, they may be judged otherwise. */
  uncertain: z.int(),
  /** Milliseconds that it took. */ ms: z.int(),
})
export type BackTest = z.infer<typeof BackTest>
