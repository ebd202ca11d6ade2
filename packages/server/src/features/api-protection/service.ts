import { apiProtection, ApiRuleContent, type ApiRule, type ApiRuleInput } from '@fairway/contract'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { maximaOf } from '../plans/maxima.ts'
import { ruleList } from '../web-security/rule-list.ts'
import { rulesOf } from '../web-security/rule-store.ts'
import { KeptApiRule, openKey, sealKey } from './kept-rule.ts'
import { refuseStaticPath } from './refuse-static-path.ts'

type Input = ApiRuleInput & { expression: null }

const { clone: _, ...verbs } = ruleList<Input, ApiRule>({
  part: 'api-protection',
  word: 'API rule',
  most: async ({ tx, actor }) => (await maximaOf(tx, actor.organizationId)).apiProtectionRulesPerDomain,
  does({ name: _name, enabled: _enabled, expression: _expression, key, ...content }, { services: { config } }, before) {
    const kept = before === null ? null : KeptApiRule.parse(before).sealedKey
    // The same key is not sealed anew: what has not changed does not look as if it had.
    const isSame = key === undefined || (kept !== null && openKey(config, kept) === key)
    const sealedKey = isSame ? kept : sealKey(config, key)
    if (sealedKey === null) throw new Failure(400, { fields: [{ path: 'key', message: 'validation.required' }] })
    return { ...content, sealedKey }
  },
  present: ({ shadowedBy: _shadowedBy, expression: _expression, ...row }, does) => ({
    ...row,
    ...ApiRuleContent.parse(does),
  }),
  ends: () => false,
  check: async (_context, { path }) => refuseStaticPath(path),
})

export const apiProtectionSlice = slice(apiProtection, {
  ...verbs,
  create: (context, input) => verbs.create(context, { ...input, expression: null }),
  update: (context, input) => verbs.update(context, { ...input, expression: null }),
  async key({ tx, domain, services }, { id }) {
    const row = (await rulesOf(tx, domain.id, 'api-protection')).find((one) => one.id === id)
    if (!row) throw new Failure(404)
    return { key: openKey(services.config, KeptApiRule.parse(row.does).sealedKey) }
  },
})
