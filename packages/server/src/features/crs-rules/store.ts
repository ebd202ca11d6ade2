import { CrsExclusion, CrsRuleAction, CrsSettings, type SecurityPolicy } from '@fairway/contract'
import { CRS_BEGINNING, CRS_DEFAULTS } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { z } from 'zod'
import { usesShield } from '../web-security/uses-shield.ts'

const RuleStates = z.record(z.string(), z.object({ enabled: z.boolean(), action: CrsRuleAction }))
/** What was said of single rules, by their numbers. */
export type RuleStates = z.infer<typeof RuleStates>

export type DomainCrs = { settings: CrsSettings; rules: RuleStates; exclusions: CrsExclusion[] }

/** What a domain says of the rule set, else what it begins with when it uses the shield. */
export async function crsOf(tx: Tx, domainId: string): Promise<DomainCrs> {
  const [row] = await tx.query<{ settings: unknown; rules: unknown; exclusions: unknown }>(
    'SELECT settings, rules, exclusions FROM crs_rules WHERE id = $1',
    [domainId],
  )
  if (!row) {
    const settings = (await usesShield(tx, domainId)) ? CRS_DEFAULTS : CRS_BEGINNING
    return { settings, rules: {}, exclusions: [] }
  }
  return {
    settings: CrsSettings.parse({ ...CRS_DEFAULTS, ...CrsSettings.partial().parse(row.settings) }),
    rules: RuleStates.parse(row.rules),
    exclusions: CrsExclusion.array().parse(row.exclusions),
  }
}

export async function setCrs(
  tx: Tx,
  place: { organizationId: string; siteId: string; domainId: string },
  { settings, rules, exclusions }: DomainCrs,
): Promise<void> {
  await tx.query(
    `INSERT INTO crs_rules (id, organization_id, site_id, settings, rules, exclusions) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET settings = $4, rules = $5, exclusions = $6, modified_at = now()`,
    [
      place.domainId,
      place.organizationId,
      place.siteId,
      JSON.stringify(settings),
      JSON.stringify(rules),
      JSON.stringify(exclusions),
    ],
  )
}

/** The part of a domain's security policy that is about the rule set. */
export async function crsPolicyOf(tx: Tx, domainId: string): Promise<SecurityPolicy['crs']> {
  const { settings, rules, exclusions } = await crsOf(tx, domainId)
  return {
    ...settings,
    rules: Object.entries(rules).map(([ruleId, state]) => ({ ruleId: Number(ruleId), ...state })),
    exclusions: exclusions.map(({ ruleId, path, parameter, note }) => ({ ruleId, path, parameter, note })),
  }
}
