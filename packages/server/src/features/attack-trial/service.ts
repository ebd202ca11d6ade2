import { type AttackTrial, attackTrial, AttackTrialAnswer } from '@fairway/contract'
import { attackTrialReport, stricterInspections, stricterSettings, withApiKeys } from '@fairway/domain'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { askEdgeNode } from '../../reconcile/ask-nodes.ts'
import { openKey } from '../api-protection/kept-rule.ts'
import { securityPolicyOf } from '../web-security/policy.ts'

const PATIENCE_MS = 25_000
/** Between two trials of a domain. */
const PAUSE_MS = 20_000
/** Of all trials, so that nobody keeps the nodes busy with them. */
const MOST_AT_ONCE = 2

/** When each domain was last on trial, by this process: it is only about the load. */
const lastRun = new Map<string, number>()
let running = 0

export const attackTrialSlice = slice(attackTrial, {
  async run({ tx, services, domain, now }): Promise<AttackTrial> {
    begin(domain.id, now.getTime())
    try {
      const policy = withApiKeys(await securityPolicyOf(tx, domain.id), (sealed) => openKey(services.config, sealed))
      const changes = stricterSettings(policy.crs)
      const question = {
        // Of a wildcard, one of the names that it stands for.
        host: domain.name.replace(/^\*/, 'trial'),
        stricter: stricterInspections(policy.crs, changes),
      }
      const answer = await askEdgeNode(tx, services.log, '/attack-trial', question, AttackTrialAnswer, PATIENCE_MS)
      if (answer === null) throw new Failure(503, { internal: 'no edge node answers' })
      if (answer.failed !== '') throw new Failure(503, { internal: `${answer.node}: ${answer.failed}` })
      return {
        node: answer.node,
        enabled: domain.origin_shield === 'use',
        at: now.getTime(),
        ...attackTrialReport(policy, changes, answer.outcomes),
      }
    } catch (error) {
      // What did not come about may be tried again at once.
      lastRun.delete(domain.id)
      throw error
    } finally {
      running -= 1
    }
  },
})

/** @throws Failure 429 when the domain, or everybody together, has had enough of it for now */
function begin(domainId: string, now: number): void {
  const waitMs = Math.max(0, (lastRun.get(domainId) ?? 0) + PAUSE_MS - now)
  if (waitMs > 0 || running >= MOST_AT_ONCE)
    throw new Failure(429, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
  for (const [id, at] of lastRun) if (at + PAUSE_MS < now) lastRun.delete(id)
  lastRun.set(domainId, now)
  running += 1
}
