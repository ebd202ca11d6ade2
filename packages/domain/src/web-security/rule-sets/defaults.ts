import type { CrsRuleAction, CrsSettings } from '@fairway/contract'

/** What a domain has that has used the origin shield since before domains began gently. */
export const CRS_DEFAULTS: CrsSettings = {
  enabled: true,
  mode: 'block',
  full: true,
  sets: { xss: true, sqlInjection: true, genericInjection: true },
  paranoiaLevel: 1,
  threshold: 5,
  bodyLimitKb: 128,
  longBodies: 'inspect-beginning',
  onFailure: 'pass',
}

/** What a domain begins with: what would be stopped is told, and everything let through, until its owner has looked. */
export const CRS_BEGINNING: CrsSettings = { ...CRS_DEFAULTS, mode: 'simulate' }

/** Rules that are told and not counted until somebody says otherwise: what they are about is ordinary on many websites. */
const CAREFUL: Record<number, CrsRuleAction> = {
  // Media types and endings that an API or a shop may well have.
  920420: 'simulate',
  920440: 'simulate',
}

/** What a rule does where nobody has said it. */
export const defaultActionOf = (ruleId: number): CrsRuleAction => CAREFUL[ruleId] ?? 'block'
/** All of those that differ. */
export const CAREFUL_RULES: readonly number[] = Object.keys(CAREFUL).map(Number)

/**
 * Rules that ordinary text fits as well: a question with "select" in it, a file's relative name or one with an apostrophe, a
 * picture as base64. Each is a hint that counts so much, once a request: alone it stops nobody, with others it does.
 */
export const HINTS: Readonly<Record<number, number>> = {
  920120: 2,
  930110: 2,
  932100: 2,
  932105: 3,
  932110: 2,
  932115: 2,
  932150: 1,
  933210: 3,
  941130: 2,
  941170: 2,
  942190: 2,
  942270: 2,
  942350: 2,
  942360: 2,
}
