import { uninspected } from '@fairway/analytics'
import { LIMITS, type SecurityPolicy, type TriedVerdict, webSecurity } from '@fairway/contract'
import {
  type Inspection,
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
import { accessEntries, countEntries } from '../access-control/store.ts'
import { contentTried, inspectTried } from '../crs-rules/inspection.ts'
import { maximaOf } from '../plans/maxima.ts'
import { backTest } from './back-test.ts'
import { openKey, sealKey } from '../api-protection/kept-rule.ts'
import { securityPolicyOf } from './policy.ts'
import { countRules, type RulePart, rulesOf } from './rule-store.ts'

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

  async quotas({ tx, actor, domain }) {
    const maxima = await maximaOf(tx, actor.organizationId)
    const rules = await countRules(tx, domain.id)
    const quota = (part: RulePart, most: number) => ({ used: rules.get(part) ?? 0, most })
    return {
      'access-control': { used: await countEntries(tx, domain.id), most: maxima.accessEntriesPerDomain },
      'firewall-rules': quota('firewall-rules', maxima.firewallRulesPerDomain),
      'api-protection': quota('api-protection', maxima.apiProtectionRulesPerDomain),
      'failed-login': quota('failed-login', LIMITS.takeoverRulesPerDomain),
      'credential-stuffing': quota('credential-stuffing', LIMITS.takeoverRulesPerDomain),
      'http-header-rewrite': quota('http-header-rewrite', LIMITS.headerRulesPerDomain),
      'origin-rules': quota('origin-rules', LIMITS.originRulesPerDomain),
    }
  },

  async try({ tx, services, domain, now }, { draft, ...request }) {
    const location = services.geo.locate(request.address)
    const seconds = Math.floor(now.getTime() / 1000)
    const saved = await securityPolicyOf(tx, domain.id)
    const open = (sealed: string) => openKey(services.config, sealed)
    const content = await contentTried(request)
    const inspectionOf = async ({ crs }: SecurityPolicy): Promise<Inspection> =>
      crs.enabled ? inspectTried(tx, services.log, crs, domain.name, request) : { findings: [], failed: '', cut: false }
    const found = await inspectionOf(saved)
    const judged = (policy: SecurityPolicy, inspection: Inspection): TriedVerdict => {
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
    const seal = (key: string) => sealKey(services.config, key)
    const changed = draft ? await securityPolicyOf(tx, domain.id, draft, seal) : null
    return {
      enabled: domain.origin_shield === 'use',
      location,
      ...judged(saved, found),
      withDraft: changed && judged(changed, draft?.part === 'crs-rules' ? await inspectionOf(changed) : found),
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
