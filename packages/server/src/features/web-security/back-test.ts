import { recordedRequests } from '@fairway/analytics'
import type { BackTest, SecurityChange, SecurityPolicy } from '@fairway/contract'
import { backTestReport, backTester, compileSecurity, inBytes, withApiKeys } from '@fairway/domain'
import { askStore } from '../../http/ask-store.ts'
import type { Context } from '../../http/context.ts'
import { readLines } from '../access-control/read-lines.ts'
import { openKey } from '../api-protection/kept-rule.ts'
import { draftEntry, policyEntries, securityPolicyOf } from './policy.ts'
import { refuseExpression } from './rule-list.ts'

/** A hundred thousand requests are read and judged in so long at most. */
const PATIENCE_MS = 120_000
/** Some thousand of them are read in so long at most, and wait so long for their turn. */
const OF_A_PAGE = { seconds: 25 }
/** For so long others of the process wait. */
const TURN_MS = 20

/** What a change would have made of recorded requests. Nothing is saved. */
export async function backTest(
  { tx, services, actor, site, domain }: Context,
  { change, most }: { change: SecurityChange; most: number },
): Promise<BackTest> {
  for (const { rule } of change.firewall ?? []) if (rule) refuseExpression(rule.expression)
  const policy = withApiKeys(await securityPolicyOf(tx, domain.id), (sealed) => openKey(services.config, sealed))
  const before = backTester(inBytes(compileSecurity(policy)))
  const after = backTester(inBytes(compileSecurity(changed(policy, change))))
  const { add, report } = backTestReport()
  const startedAt = performance.now()
  let turnEnds = startedAt + TURN_MS
  const run = async () => {
    const place = { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id }
    const pages = recordedRequests(services.events, { ...place, most }, OF_A_PAGE)
    for await (const page of pages) {
      for (const one of page) {
        if (performance.now() > turnEnds) {
          // Others are served meanwhile.
          await new Promise((resolve) => setImmediate(resolve))
          // Nobody waits for the answer any more.
          if (performance.now() > startedAt + PATIENCE_MS) return
          turnEnds = performance.now() + TURN_MS
        }
        const location = services.geo.locate(one.request.address)
        add(
          one,
          before(one.request, domain.name, one.method, location, one.at),
          after(one.request, domain.name, one.method, location, one.at),
        )
      }
    }
  }
  await askStore(run(), PATIENCE_MS)
  return report(Math.round(performance.now() - startedAt))
}

/** The policy as the change would leave it. A rule that is switched off is none. */
export function changed(policy: SecurityPolicy, { firewall = [], bots = {}, access }: SecurityChange): SecurityPolicy {
  const rules = [...policy.firewall]
  for (const { id, rule, first } of firewall) {
    const at = id === null ? -1 : rules.findIndex((one) => one.id === id)
    const next = rule?.enabled
      ? [{ id: id ?? NEW_RULE, name: rule.name, expression: rule.expression, action: rule.action }]
      : []
    if (at >= 0) rules.splice(at, 1, ...next)
    else if (first) rules.unshift(...next)
    else rules.push(...next)
  }
  const removed = new Set(access?.remove)
  const lines = access?.text ? readLines(access.text.lines, access.text.list, null).entries : []
  const added = [
    ...(access?.add ?? []).map((entry, index) => draftEntry(entry, `new-${index}`)),
    ...policyEntries(lines.map((entry) => ({ ...entry, id: entry.value, expires_at: null }))),
  ]
  return {
    ...policy,
    access: [...policy.access.filter(({ id }) => !removed.has(id)), ...added],
    bots: { ...policy.bots, ...bots },
    firewall: rules,
  }
}

const NEW_RULE = 'new'
