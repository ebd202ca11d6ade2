import {
  credentialStuffing,
  CredentialStuffingContent,
  LIMITS,
  type CredentialStuffingInput,
  type CredentialStuffingRule,
} from '@fairway/contract'
import { slice } from '../../http/register.ts'
import { ruleList } from '../web-security/rule-list.ts'
import { refuseStaticPath } from '../api-protection/refuse-static-path.ts'

const { clone: _, ...verbs } = ruleList<CredentialStuffingInput & { expression: null }, CredentialStuffingRule>({
  part: 'credential-stuffing',
  word: 'leaked password check',
  most: async () => LIMITS.takeoverRulesPerDomain,
  does: ({ name: _name, enabled: _enabled, expression: _expression, ...content }) => content,
  present: ({ shadowedBy: _shadowedBy, expression: _expression, ...row }, does) => ({
    ...row,
    ...CredentialStuffingContent.parse(does),
  }),
  ends: () => false,
  check: async (_context, { path }) => refuseStaticPath(path),
})

export const credentialStuffingSlice = slice(credentialStuffing, {
  ...verbs,
  create: (context, input) => verbs.create(context, { ...input, expression: null }),
  update: (context, input) => verbs.update(context, { ...input, expression: null }),
})
