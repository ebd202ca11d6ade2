import {
  type CrsInspection,
  type CrsSettings,
  InspectionAnswer,
  InspectionState,
  type TriedRequest,
} from '@fairway/contract'
import { type Content, CONTENT_BYTES, type Inspection, kindOf, PARTS_BYTES, unopened } from '@fairway/domain'
import { type Log, openContent, type Tx } from '@fairway/platform'
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
  const sent = sentBody(request)
  const limit = bodyLimitKb * 1024
  const content = await openContent(codingsSaid(request), sent, limit)
  // What could not be opened is looked at as it came.
  const isOpen = content.problem === ''
  const body = isOpen ? Buffer.from(content.text, 'latin1') : sent
  const question = {
    scope: full ? 'full' : 'sets',
    level: paranoiaLevel,
    method: request.method,
    target: request.target,
    headers: [
      ...(request.headers.some(({ name }) => name.toLowerCase() === 'host') ? [] : [{ name: 'Host', value: host }]),
      ...request.headers.filter(({ name }) => !(isOpen && isCoding(name))),
    ],
    body: body.subarray(0, limit).toString('base64'),
  }
  const answer = await askEdgeNode(tx, log, '/inspect', question, InspectionAnswer, INSPECT_MS)
  const failed = answer === null ? 'no edge node answers' : answer.failed
  const findings = answer?.findings ?? []
  if (content.problem !== '' && failed === '') findings.push(unopened(content.problem))
  return { findings, failed, cut: content.cut || body.length > limit }
}

/** The body of a request that is written down, its codings undone, as far as the edge holds it against a schema. */
export async function contentTried(request: TriedRequest): Promise<Content> {
  const sent = sentBody(request)
  const type = request.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
  const most = kindOf(type, 1) === 'multipart' ? PARTS_BYTES : CONTENT_BYTES
  if (sent.length > most) return { text: '', size: sent.length, state: 'cut' }
  const { text, cut, problem } = await openContent(codingsSaid(request), sent, most)
  if (problem !== '') return { text: '', size: sent.length, state: 'unread' }
  return cut ? { text: '', size: most + 1, state: 'cut' } : { text, size: text.length, state: 'whole' }
}

const sentBody = ({ body, bodyForm }: TriedRequest): Buffer =>
  Buffer.from(body, bodyForm === 'base64' ? 'base64' : 'utf8')
const isCoding = (name: string): boolean => name.toLowerCase() === 'content-encoding'
const codingsSaid = ({ headers }: TriedRequest): string[] =>
  headers.flatMap(({ name, value }) => (isCoding(name) ? [value] : []))
