import { uninspected } from '@fairway/analytics'
import { LIMITS, type SecurityPolicy, type TriedVerdict, webSecurity } from '@fairway/contract'
import {
  expressionProblems,
  expressionText,
  isExpression,
  parseExpression,
  tryRequest,
  withApiKeys,
} from '@fairway/domain'
import { askStore } from '../../http/ask-store.ts'
import type { Context, DomainRow } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { accessEntries } from '../access-control/store.ts'
import { contentTried, inspectTried } from '../crs-rules/inspection.ts'
import { backTest } from './back-test.ts'
import { openKey } from '../api-protection/kept-rule.ts'
import { securityPolicyOf } from './policy.ts'
import { rulesOf } from './rule-store.ts'

export const webSecuritySlice = slice(webSecurity, {
  async get({ tx, services, actor, domain, now }) {
    const entries = await accessEntries(tx, domain.id)
    const count = async (part: Parameters<typeof rulesOf>[2]) => (await rulesOf(tx, domain.id, part)).length
    return {
      enabled: domain.origin_shield === 'use',
      uninspected: await recentlyUninspected(services, actor.organizationId, domain.id, now),
      counts: {
        whitelist: entries.filter(({ list }) => list === 'whitelist').length,
        blacklist: entries.filter(({ list }) => list === 'blacklist').length,
        firewallRules: await count('firewall-rules'),
        headerRules: await count('http-header-rewrite'),
        originRules: await count('origin-rules'),
      },
    }
  },

  async try({ tx, services, domain, now }, { draft, ...request }) {
    const location = services.geo.locate(request.address)
    const seconds = Math.floor(now.getTime() / 1000)
    const saved = await securityPolicyOf(tx, domain.id)
    const open = (sealed: string) => openKey(services.config, sealed)
    const inspection = saved.crs.enabled
      ? await inspectTried(tx, services.log, saved.crs, domain.name, request)
      : { findings: [], failed: '', cut: false }
    const content = await contentTried(request)
    const judged = (policy: SecurityPolicy): TriedVerdict => {
      const verdict = tryRequest(
        withApiKeys(policy, open),
        request,
        domain.name,
        location,
        seconds,
        inspection,
        content,
      )
      return { verdict, origin: originOf(domain, policy, verdict.originRuleId) }
    }
    return {
      enabled: domain.origin_shield === 'use',
      location,
      ...judged(saved),
      withDraft: draft ? judged(await securityPolicyOf(tx, domain.id, draft)) : null,
    }
  },

  backTest: (context, input) => backTest(context, input),

  async expression(_, { text = '', expression: form }) {
    if (form) return { text: expressionText(form), expression: form, problems: expressionProblems(form) }
    const expression = parseExpression(text)
    if (!isExpression(expression)) return { text, expression: null, problems: [{ path: 'text', ...expression }] }
    return { text, expression, problems: expressionProblems(expression) }
  },
})

/** Every screen of the domain asks for it: none of them waits long. */
const PATIENCE_MS = 1_500

async function recentlyUninspected(
  { events }: Context['services'],
  organizationId: string,
  domainId: string,
  now: Date,
): Promise<number | null> {
  const from = Math.floor(now.getTime() / 1000) - LIMITS.crs.uninspectedSeconds
  return askStore(uninspected(events, { organizationId, domainId, from }), PATIENCE_MS).catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
}

/** Where a request is fetched that goes on. */
function originOf(domain: DomainRow, { origins }: SecurityPolicy, ruleId: string): TriedVerdict['origin'] {
  const rule = ruleId === '' ? undefined : origins.find(({ id }) => id === ruleId)
  const hostHeader = rule?.origin.hostHeader ?? domain.host_header
  return {
    address: rule?.origin.address ?? domain.origin_address,
    port: rule?.origin.port ?? domain.origin_port,
    protocol: rule?.origin.protocol ?? domain.origin_protocol,
    hostHeader,
    sni: rule?.origin.sni ?? hostHeader,
    ruleName: rule?.name ?? '',
  }
}
