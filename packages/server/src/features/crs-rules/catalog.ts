import { catalogOf, type CatalogRule } from '@fairway/domain'
import { readRuleSet, ruleSetName, type Config } from '@fairway/platform'

type Installed = { name: string; rules: CatalogRule[] }

const KEPT_MS = 15_000
let kept: { folder: string; at: number; installed: Installed } | undefined

/** The rules of the rule set that is installed on this machine, as its files describe them; none when there is none. */
export function installedRules(config: Pick<Config, 'ruleSetDir'>): Installed {
  const now = performance.now()
  if (kept !== undefined && kept.folder === config.ruleSetDir && now - kept.at < KEPT_MS) return kept.installed
  const found = readRuleSet(config)
  const installed = { name: ruleSetName(found), rules: catalogOf(found.files) }
  kept = { folder: config.ruleSetDir, at: now, installed }
  return installed
}
