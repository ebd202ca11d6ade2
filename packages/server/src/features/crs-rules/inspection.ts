import {
  type CrsInspection,
  type CrsSettings,
  InspectionAnswer,
  InspectionState,
  type TriedRequest,
} from '@fairway/contract'
import type { Inspection } from '@fairway/domain'
import type { Log, Tx } from '@fairway/platform'
import { askEdgeNode, askEdgeNodes } from '../../reconcile/ask-nodes.ts'

const STATE_MS = 1_000
const INSPECT_MS = 4_000

/** How the inspection stands, by the word of each edge node. */
export async function inspectionOf(tx: Tx, log: Log, ruleSet: string, rules: number): Promise<CrsInspection> {
  const states = await askEdgeNodes(tx, log, '/inspection', {}, InspectionState, STATE_MS)
  return {
    ruleSet,
    rules,
    nodes: states.map((state) => state ?? { node: '', state: 'unknown' as const, ruleSet: '', problem: '' }),
  }
}

/** What the rule set finds in a request that is only written down; an edge node is asked, as for a live one. */
export async function inspectTried(
  tx: Tx,
  log: Log,
  { full, paranoiaLevel, bodyLimitKb }: CrsSettings,
  host: string,
  request: TriedRequest,
): Promise<Inspection> {
  const body = Buffer.from(request.body, 'utf8')
  const limit = bodyLimitKb * 1024
  const question = {
    scope: full ? 'full' : 'sets',
    level: paranoiaLevel,
    method: request.method,
    target: request.target,
    headers: [
      ...(request.headers.some(({ name }) => name.toLowerCase() === 'host') ? [] : [{ name: 'Host', value: host }]),
      ...request.headers,
    ],
    body: body.subarray(0, limit).toString('base64'),
  }
  const answer = await askEdgeNode(tx, log, '/inspect', question, InspectionAnswer, INSPECT_MS)
  const failed = answer === null ? 'no edge node answers' : answer.failed
  return { findings: answer?.findings ?? [], failed, cut: body.length > limit }
}
