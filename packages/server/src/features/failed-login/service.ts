import { failedLogin, FailedLoginContent, LIMITS, type FailedLoginInput, type FailedLoginRule } from '@fairway/contract'
import { slice } from '../../http/register.ts'
import { ruleList } from '../web-security/rule-list.ts'
import { refuseStaticPath } from '../api-protection/refuse-static-path.ts'

const { clone: _, ...verbs } = ruleList<FailedLoginInput & { expression: null }, FailedLoginRule>({
  part: 'failed-login',
  word: 'login rule',
  most: async () => LIMITS.takeoverRulesPerDomain,
  does: ({ name: _name, enabled: _enabled, expression: _expression, ...content }) => content,
  present: ({ shadowedBy: _shadowedBy, expression: _expression, ...row }, does) => ({
    ...row,
    ...FailedLoginContent.parse(does),
  }),
  ends: () => false,
  check: async (_context, { path }) => refuseStaticPath(path),
})

export const failedLoginSlice = slice(failedLogin, {
  ...verbs,
  create: (context, input) => verbs.create(context, { ...input, expression: null }),
  update: (context, input) => verbs.update(context, { ...input, expression: null }),
})
