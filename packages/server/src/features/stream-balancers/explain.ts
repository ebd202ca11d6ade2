import {
  PathwayAnswer,
  type PathwayQuestion,
  type RouteOutput,
  ScoresSnapshot,
  StreamBalance,
  type Visitor,
  type streamBalancers,
} from '@fairway/contract'
import { steerPlayer } from '@fairway/domain'
import { controlRequest, type Tx } from '@fairway/platform'
import type { Services } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { publishedScores } from '../routing-strategies/store.ts'
import { type BalancerRow, collectors } from './store.ts'

const PATIENCE_MS = 3_000

type Explained = RouteOutput<typeof streamBalancers.routes.why>

/**
 * The word of the collector that answered the player. What an address would get is decided here when none can be asked;
 * what somebody was answered, nobody else knows.
 */
export async function explainPathway(
  tx: Tx,
  services: Services,
  row: BalancerRow,
  question: Omit<PathwayQuestion, 'balancerId'>,
  now: number,
): Promise<Explained> {
  for (const node of await collectors(tx)) {
    try {
      const asked = { balancerId: row.id, ...question }
      const answer = await controlRequest(node.control_url, 'POST', '/pathway', asked, PATIENCE_MS)
      return { ...PathwayAnswer.parse(answer), by: 'collector' }
    } catch (error) {
      services.log.info({
        event: 'pathway.node-passed',
        node: node.name,
        why: error instanceof Error ? error.message : String(error),
      })
    }
  }
  if (question.client === undefined) throw new Failure(30016)
  const [published] = await tx.query<{ body: unknown }>(
    `SELECT body FROM publication WHERE kind = 'stream-balance' AND key = $1 AND body IS NOT NULL`,
    [row.id],
  )
  const balance = StreamBalance.safeParse(published?.body)
  if (!balance.success) throw new Failure(30016)
  const visitor = visitorAt(services, question.client)
  const scores = await scoresOf(tx, row.organization_id)
  const { priority, decision } = steerPlayer({
    balance: balance.data,
    scores,
    visitor,
    point: null,
    previous: null,
    now,
  })
  const said = { pathway: null, throughput: null }
  return { decisionId: null, session: null, priority, visitor, decision, decidedAt: now, said, node: 'api', by: 'api' }
}

export const visitorAt = ({ geo }: Pick<Services, 'geo'>, client: string): Visitor => ({
  address: client,
  prefixLength: client.includes(':') ? 128 : 32,
  location: geo.locate(client),
})

export async function scoresOf(tx: Tx, organizationId: string): Promise<ScoresSnapshot | null> {
  const parsed = ScoresSnapshot.nullable().safeParse(await publishedScores(tx, organizationId))
  return parsed.success ? parsed.data : null
}
