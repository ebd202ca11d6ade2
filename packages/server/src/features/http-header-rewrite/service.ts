import { HeaderRuleInput, httpHeaderRewrite, LIMITS, type HeaderRule } from '@fairway/contract'
import { slice } from '../../http/register.ts'
import { ruleList } from '../web-security/rule-list.ts'

const HeaderChanges = HeaderRuleInput.pick({ direction: true, operations: true })

const {
  clone: _clone,
  copy: _copy,
  ...verbs
} = ruleList<HeaderRuleInput, HeaderRule>({
  part: 'http-header-rewrite',
  word: 'header rule',
  most: async () => LIMITS.headerRulesPerDomain,
  does: ({ direction, operations }) => ({ direction, operations }),
  present: (row, does) => ({ ...row, ...HeaderChanges.parse(does) }),
  // All rules that fit do their work.
  ends: () => false,
})
export const httpHeaderRewriteSlice = slice(httpHeaderRewrite, verbs)
