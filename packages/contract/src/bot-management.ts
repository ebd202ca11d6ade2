import { z } from 'zod'
import { changed, feature, get, put } from './route.ts'

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

export const BotManagement = z.object({
  securityLevel: SecurityLevel,
  challengeMode: ChallengeMode,
  integrityCheck: IntegrityCheck,
  /** How long a visitor who has solved a challenge is not asked again. */
  clearanceSeconds: z.int().min(300).max(86_400),
  /** Crawlers of search engines, known by their name and their address together, are never challenged. */
  verifiedCrawlers: z.boolean(),
})
export type BotManagement = z.infer<typeof BotManagement>

const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/bot-management/'

export const botManagement = feature('bot-management', {
  get: get(AT, { out: BotManagement, permission: 'ViewSite', errors: [] }),
  update: put(AT, {
    in: BotManagement.partial(),
    out: changed(BotManagement),
    permission: 'EditSite',
    planFeature: 'waf.enable',
    errors: [],
    audit: 'botManagement.update',
    changes: ['edge-security'],
  }),
})
