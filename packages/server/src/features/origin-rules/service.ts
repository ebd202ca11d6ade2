import { LIMITS, OriginOverride, originRules, type OriginRule, type OriginRuleInput } from '@fairway/contract'
import { slice } from '../../http/register.ts'
import { checkOrigin } from '../domains/check-origin.ts'
import { ruleList } from '../web-security/rule-list.ts'

const {
  clone: _clone,
  copy: _copy,
  ...verbs
} = ruleList<OriginRuleInput, OriginRule>({
  part: 'origin-rules',
  word: 'origin rule',
  most: async () => LIMITS.originRulesPerDomain,
  does: ({ origin }) => origin,
  present: (row, does) => ({ ...row, origin: OriginOverride.parse(does) }),
  ends: () => true,
  async check(context, { origin }) {
    if (origin.address === null && origin.port === null) return
    const { domain } = context
    await checkOrigin(context, {
      address: origin.address ?? domain.origin_address,
      port: origin.port ?? domain.origin_port,
      protocol: origin.protocol ?? domain.origin_protocol,
    })
  },
})
export const originRulesSlice = slice(originRules, verbs)
