import type { SecurityExpression } from '@fairway/contract'

/** Where rules of a list are written. */
export type RuleAddress =
  | '/$site/{-$domain}/origin-shield/firewall-rules/edit/$id'
  | '/$site/{-$domain}/origin-shield/http-header-rewrite/edit/$id'
  | '/$site/{-$domain}/origin-shield/origin-rules/edit/$id'

/** A rule of any list, as its row shows it. */
export type ListedRule = {
  id: string
  name: string
  enabled: boolean
  expression: SecurityExpression | null
  shadowedBy: string | null
}

/** What may be done with a rule; what may not is absent. */
export type RuleVerbs<Rule> = {
  onSwitch?: (rule: Rule, on: boolean) => void
  onClone?: (rule: Rule) => void
  onCopy?: (rule: Rule) => void
  onRemove?: (rule: Rule) => void
}
