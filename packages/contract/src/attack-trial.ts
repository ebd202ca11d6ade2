import { z } from 'zod'
import { CrsSettings } from './crs-rules.ts'
import { SECURITY_ACTIONS, SECURITY_PARTS } from './lean.ts'
import { feature, post } from './route.ts'

/** What an attack of the catalogue tries. */
export const TrialAttack = z.enum([
  'xss',
  'sql-injection',
  'path-traversal',
  'command-injection',
  'code-injection',
  'java-and-templates',
  'scanners-and-probes',
  'header-injection',
])
export type TrialAttack = z.infer<typeof TrialAttack>

/** What a harmless request of the catalogue looks like. */
export const TrialHarmless = z.enum([
  'searches',
  'messages',
  'form-fields',
  'code-in-posts',
  'markdown',
  'other-scripts',
  'api-and-monitors',
])
export type TrialHarmless = z.infer<typeof TrialHarmless>

/** What an edge node is asked to send at one of its own domains, through its own front door. */
export const AttackTrialQuestion = z.object({
  /** A name of the domain. */ host: z.string().max(253),
  /** Of what went through, what would a stricter inspection find? */
  stricter: z.array(z.object({ scope: z.enum(['full', 'sets']), level: z.int().min(1).max(4) })).max(8),
})
export type AttackTrialQuestion = z.infer<typeof AttackTrialQuestion>

const Finding = z.object({ ruleId: z.string(), score: z.number(), variable: z.string(), matched: z.string() })
/** What became of one request of the catalogue. */
export const TrialOutcome = z.object({
  /** Its place in the catalogue. */ id: z.string(),
  /** By the edge itself, whatever with: page, redirect, challenge. */ stopped: z.boolean(),
  action: z.enum(SECURITY_ACTIONS),
  /** `''`: nothing decided; `http`: the server took it for no request at all. */
  part: z.enum(['', 'http', ...SECURITY_PARTS]),
  ruleId: z.string(),
  reason: z.string(),
  /** For each stricter inspection, in order; empty where the request was stopped. */
  found: z.array(z.array(Finding)),
})
export type TrialOutcome = z.infer<typeof TrialOutcome>
export const AttackTrialAnswer = z.object({
  node: z.string(),
  outcomes: z.array(TrialOutcome),
  /** Why not all could be sent; empty otherwise. */ failed: z.string(),
})
export type AttackTrialAnswer = z.infer<typeof AttackTrialAnswer>

/** A request of the catalogue, for a person to look at. */
const Shown = z.object({
  id: z.string(),
  method: z.string(),
  /** Path and query, unquoted where that can be read, its beginning. */ target: z.string(),
  /** The bytes that it is about. */ text: z.string(),
  part: TrialOutcome.shape.part,
  ruleId: z.string(),
  reason: z.string(),
})

export const AttackTrial = z.object({
  node: z.string(),
  /** Traffic of the domain is looked at: its origin shield is in use. */ enabled: z.boolean(),
  /** Epoch ms. */ at: z.number(),
  attacks: z.array(z.object({ category: TrialAttack, sent: z.int(), stopped: z.int() })),
  harmless: z.array(z.object({ category: TrialHarmless, sent: z.int(), touched: z.int() })),
  /** Which part stopped how many attacks, most first. */
  stoppedBy: z.array(z.object({ part: z.enum(['http', ...SECURITY_PARTS]), attacks: z.int() })),
  /** Attacks that went on, with the first change that would stop each; null where none of them would. */
  passed: z.array(Shown.extend({ category: TrialAttack, change: z.int().nullable() })),
  /** Harmless requests that were stopped. */
  touched: z.array(Shown.extend({ category: TrialHarmless })),
  /** Changes of the rule sets' settings, each stricter than the one before, and what each would come to. */
  changes: z.array(
    z.object({
      kind: z.enum(['switch-on', 'threshold', 'full', 'paranoia']),
      settings: CrsSettings.partial(),
      /** Of the attacks that went on. */ stops: z.int(),
      /** Of the harmless requests that went on. */ touches: z.int(),
    }),
  ),
})
export type AttackTrial = z.infer<typeof AttackTrial>

export const attackTrial = feature('attack-trial', {
  run: post('/wafmgmt/v2/sites/{site}/domains/{domain}/attack-trial/', {
    out: AttackTrial,
    permission: 'EditSite',
    planFeature: 'waf.enable',
    errors: [429, 503],
    audit: 'attackTrial.run',
    changes: [],
    summary:
      'Sends a catalogue of attacks and harmless look-alikes at the domain through the edge that serves it. The edge answers them itself once it has judged them: nothing reaches the origin, the logs or the notifications.',
  }),
})
