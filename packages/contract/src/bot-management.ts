import { z } from 'zod'
import { changed, feature, get, put } from './route.ts'
import { BotSwitches, ChallengeMode } from './security-switches.ts'

export const BotManagement = z.object({
  ...BotSwitches.shape,
  /** How long a visitor who has solved a challenge is not asked again. */
  clearanceSeconds: z.int().min(300).max(86_400),
})
export type BotManagement = z.infer<typeof BotManagement>

/** How the challenges of one rule went with people in the last day. */
export const ChallengeFriction = z.object({
  /** `level`, or the id of a firewall rule. */ rule: z.string(),
  /** Of a firewall rule. */ name: z.string().nullable(),
  mode: ChallengeMode,
  /** What is asked instead since people gave it up; null when it is as it was set. */
  softened: z
    .object({
      /** Null, from before: nobody is asked any more. */ mode: ChallengeMode.nullable(),
      since: z.iso.datetime(),
      /** Networks that saw it in the hour before, and those of them that gave up. */
      people: z.int(),
      gaveUp: z.int(),
    })
    .nullable(),
  /** Null while it cannot be counted. */
  lastDay: z
    .object({
      /** Challenges sent, to programs too. */ challenged: z.int(),
      /** Networks of visitors that a browser has shown it to. */ people: z.int(),
      gaveUp: z.int(),
    })
    .nullable(),
})
export type ChallengeFriction = z.infer<typeof ChallengeFriction>
const FrictionSettings = z.object({
  /** Challenges that people give up become easier, until an attack shows. */ softening: z.boolean(),
})

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
  friction: get(`${AT}friction/`, {
    fromReplica: true,
    out: FrictionSettings.extend({ data: z.array(ChallengeFriction) }),
    permission: 'ViewSite',
    errors: [],
    summary: 'How many people challenges cost, by rule, and which were softened for it.',
  }),
  setFriction: put(`${AT}friction/`, {
    in: FrictionSettings,
    out: changed(FrictionSettings),
    permission: 'EditSite',
    planFeature: 'waf.enable',
    errors: [],
    audit: 'botManagement.setFriction',
    changes: ['edge-security'],
  }),
})
