import type { z } from 'zod'
import {
  ScoresSnapshot,
  WhyAnswer,
  WhyManyAnswer,
  type Decision,
  type Explanation,
  type ManyExplained,
  type SteeringPolicy,
  type StrategyInput,
  type WhyManyQuestion,
  type WhyQuestion,
} from '@fairway/contract'
import { STEERED_TTL_SECONDS, counterfactuals, decide } from '@fairway/domain'
import { controlRequest, type Log, type Tx } from '@fairway/platform'
import type { Services } from '../../http/context.ts'
import { hashOf, policiesOf } from '../../publish/dns-zone.ts'
import { dnsNodes, outagesOf, publishedScores, versionOf } from './store.ts'

type Domain = {
  id: string
  name: string
  site_id: string
  organization_id: string
  minimum_samples: number
  margin_percent: number
  significance: boolean
}
export type Asked = {
  client: string
  prefixLength?: number | undefined
  draft?: (StrategyInput & { id: string })[] | undefined
}

/** A node under load answers visitors first; what it says is worth waiting for. */
const NODE_PATIENCE_MS = 5_000

/**
 * What a visitor gets under a steered name, and why: the word of a DNS node, which answers as it would a query; when
 * none can be asked, the same decision made here.
 */
export async function explain(
  tx: Tx,
  { geo, log }: Services,
  domain: Domain,
  asked: Asked,
  now: number,
): Promise<Explanation> {
  const policy = await policyOf(tx, domain, asked.draft)
  const question: WhyQuestion = {
    name: domain.name,
    client: asked.client,
    ...(asked.prefixLength === undefined ? {} : { prefixLength: asked.prefixLength }),
    ...(asked.draft ? { policy } : {}),
  }
  const answer = await askNodes(tx, log, '/why', question, WhyAnswer)
  const facts = (decision: Decision) => factsOf(tx, domain, policy, decision, asked.draft !== undefined)
  if (answer) return { ...answer, by: 'dns-node', ...(await facts(answer.decision)) }
  const visitor = {
    address: asked.client,
    prefixLength: asked.prefixLength ?? (asked.client.includes(':') ? 128 : 32),
    location: geo.locate(asked.client),
  }
  const decision = decide({ policy, scores: await newestScores(tx, domain), visitor, previous: null, now })
  return { name: domain.name, visitor, decision, decidedAt: now, node: 'api', by: 'api', ...(await facts(decision)) }
}

/** What a decision alone does not tell, for who has to find out at night why visitors go where they go. */
async function factsOf(
  tx: Tx,
  domain: Domain,
  policy: SteeringPolicy,
  { trace }: Decision,
  isDraft: boolean,
): Promise<Pick<Explanation, 'version' | 'thresholds' | 'outages' | 'otherwise'>> {
  const thresholds = new Map(policy.strategies.map((rule) => [rule.id, rule.availabilityThreshold]))
  const read = trace.steps.flatMap(({ strategyId, candidates }) =>
    strategyId !== null && candidates.length > 0 ? [strategyId] : [],
  )
  return {
    version: isDraft ? null : await versionOf(tx, domain.site_id),
    thresholds: Object.fromEntries(read.map((id) => [id, thresholds.get(id) ?? null])),
    outages: await outagesOf(
      tx,
      policy.cdns.map(({ cdnId }) => cdnId),
    ),
    otherwise: counterfactuals(trace, {
      minimumSamples: policy.settings.minimumSamples,
      marginPercent: policy.settings.marginPercent,
      thresholdOf: (id) => thresholds.get(id) ?? null,
    }),
  }
}

/** What visitors at many addresses or networks get, answered like `explain` but without traces. */
export async function explainMany(
  tx: Tx,
  { geo, log }: Services,
  domain: Domain,
  clients: string[],
  now: number,
): Promise<ManyExplained> {
  const answer = await askNodes(tx, log, '/explain-many', { name: domain.name, clients }, WhyManyAnswer)
  if (answer) return { ...answer, by: 'dns-node' }
  const policy = await policyOf(tx, domain)
  const scores = await newestScores(tx, domain)
  const answers = clients.map((client) => {
    const [address = client, bits] = client.split('/')
    const visitor = {
      address,
      prefixLength: Number(bits ?? (address.includes(':') ? 128 : 32)),
      location: geo.locate(address),
    }
    const { shares, strategyId } = decide({ policy, scores, visitor, previous: null, now })
    return { client, cdnId: shares.length === 1 ? (shares[0]?.cdnId ?? null) : null, shares, strategyId }
  })
  return { name: domain.name, answers, decidedAt: now, node: 'api', by: 'api' }
}

/** The word of the first DNS node that has one, or null. */
async function askNodes<T extends z.ZodType>(
  tx: Tx,
  log: Log,
  path: string,
  question: WhyQuestion | WhyManyQuestion,
  form: T,
): Promise<z.output<T> | null> {
  for (const node of await dnsNodes(tx)) {
    try {
      return form.parse(await controlRequest(node.control_url, 'POST', path, question, NODE_PATIENCE_MS))
    } catch (error) {
      log.info({
        event: 'why.node-passed',
        node: node.name,
        name: question.name,
        why: error instanceof Error ? error.message : String(error),
      })
    }
  }
  return null
}

/** The measurements that were published last, or null when there are none yet. */
export async function newestScores(tx: Tx, domain: Pick<Domain, 'organization_id'>): Promise<ScoresSnapshot | null> {
  const parsed = ScoresSnapshot.nullable().safeParse(await publishedScores(tx, domain.organization_id))
  return parsed.success ? parsed.data : null
}

/**
 * The saved policy of a domain, or with a draft in place of its strategies. A domain without CDNs has one that names
 * none.
 */
export async function policyOf(
  tx: Tx,
  domain: Domain,
  draft?: (StrategyInput & { id: string })[],
): Promise<SteeringPolicy> {
  const saved = (await policiesOf(tx, { id: domain.site_id, organization_id: domain.organization_id }, domain.id)).get(
    domain.id,
  )?.policy
  const settings = {
    minimumSamples: domain.minimum_samples,
    marginPercent: domain.margin_percent,
    significance: domain.significance,
    ttlSeconds: STEERED_TTL_SECONDS,
  }
  const base = saved ?? {
    id: '',
    organizationId: domain.organization_id,
    cdns: [],
    strategies: [],
    vsrRules: [],
    settings,
  }
  if (!draft) return base
  const { id: _, ...content } = { ...base, strategies: draft.map((rule, index) => ({ ...rule, priority: index + 1 })) }
  return { id: `draft-${hashOf(content)}`, ...content }
}
