import { z } from 'zod'

/**
 * From which suspicion on a visitor is challenged. `under-attack`: everybody; `off`: nobody. In between it is weighed
 * what the request itself says: ordinary browsers are never asked.
 */
export const SecurityLevel = z.enum(['under-attack', 'high', 'medium', 'low', 'off'])
export type SecurityLevel = z.infer<typeof SecurityLevel>

/** `human`: a question that a person answers. The others are solved by the browser, the second after five seconds. */
export const ChallengeMode = z.enum(['browser-no-delay', 'browser-standard', 'human'])
export type ChallengeMode = z.infer<typeof ChallengeMode>

/** Refuses what no browser sends. `strict`: also browsers whose headers contradict each other. */
export const IntegrityCheck = z.enum(['off', 'standard', 'strict'])
export type IntegrityCheck = z.infer<typeof IntegrityCheck>

/** What most domains set of bot management, and what many are given at once. */
export const BotSwitches = z.object({
  securityLevel: SecurityLevel,
  challengeMode: ChallengeMode,
  integrityCheck: IntegrityCheck,
  /** Crawlers of search engines, known by their name and their address together, are never challenged. */
  verifiedCrawlers: z.boolean(),
})

/** The same of rule sets. */
export const CrsSwitches = z.object({
  /** Off: nothing is inspected, and requests pay nothing for it. */
  enabled: z.boolean(),
  /** `simulate`: what would be blocked is told and goes on. */
  mode: z.enum(['block', 'simulate']),
  /** 1 finds what is surely an attack, 4 whatever could be one. */
  paranoiaLevel: z.int().min(1).max(4),
})
