import crypto from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS, type ParityRow } from '@fairway/contract'
import { absoluteName, compareAnswers, isDifference, isProxied } from '@fairway/domain'
import { DnsClient, localHost, ownPeer, type Config, type DnsReply, type Peer, type Tx } from '@fairway/platform'
import { addressesToAsk, admitted, oldNameservers, type Nameserver } from '../old-nameservers.ts'
import { houseZones } from '../../names/house-zones.ts'
import type { TaskNeeds } from '../task-needs.ts'
import { PacedAsker } from '../scan/paced-asker.ts'
import { taskOf, type TaskEnd } from '../task-store.ts'

export type ParityResult = {
  version: number
  names: number
  differences: number
  proxied: number
  unscanned: number
  rows: ParityRow[]
  questions: number
}

const AT_ONCE = 24
const SERVED_WITHIN_MS = 10_000
/** Of what the questions take at the pace at which they are asked; a server that drags its answers out ends it. */
const PATIENCE = { ms: 60_000, times: 2 }
const MOST_ROWS = 2_000
/**
 * Asked of every name as long as that is not too many questions; a large zone is asked for the types it is known to
 * have.
 */
const USUAL_TYPES = ['A', 'AAAA', 'MX', 'TXT', 'CAA', 'HTTPS'] as const
const MOST_QUESTIONS = 2_500

/** Asks the old nameservers and our own node the same questions, and keeps both answers side by side. */
export async function compareServers({ config, gate, database, task, signal, progress }: TaskNeeds): Promise<TaskEnd> {
  const asker = { config, gate, organizationId: task.organization_id }
  const known = await database.system(async (tx) => ({
    ...(await knownNames(tx, task.site_id, task.domain_name)),
    houses: await houseZones(tx, config),
  }))
  const old = known.nameservers.length
    ? { servers: known.nameservers }
    : await oldNameservers(asker, task.domain_name, known.houses)
  if ('problem' in old) return { state: 'failed', problem: old.problem }
  const servers = await admitted(asker, addressesToAsk(old.servers))
  await using ours = new DnsClient(ownNode(config))
  if (!(await isServed(ours, task.domain_name, known.version, signal))) return { state: 'failed', problem: 'notServed' }
  await using theirs = new PacedAsker(servers, LIMITS.scanQueriesPerSecond, signal)
  if (!(await theirs.ask(task.domain_name, 'SOA'))) return { state: 'failed', problem: 'noAnswer' }
  const plan = questionPlan(known.types, task.domain_name)
  const rows: ParityRow[] = []
  const queue = [...plan]
  let questions = 0
  const total = plan.reduce((sum, { types }) => sum + types.length + 1, 0)
  const until = performance.now() + PATIENCE.ms + (PATIENCE.times * total * 1_000) / LIMITS.scanQueriesPerSecond
  const worker = async () => {
    for (let next = queue.shift(); next && performance.now() < until; next = queue.shift()) {
      rows.push(...(await compareName(theirs, ours, next, known.steered.has(next.name))))
      questions += next.types.length + 1
      progress({ questionsAsked: questions, questionsTotal: total })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (questions < total) return { state: 'failed', problem: 'noAnswer' }
  const answered = rows
    .filter(({ kind, old, ours }) => kind !== 'same' || old.length + ours.length > 0)
    .sort(byImportance)
  const result: ParityResult = {
    version: known.version,
    names: plan.length,
    differences: answered.filter(({ kind }) => isDifference(kind)).length,
    proxied: known.proxied,
    unscanned: known.unscanned,
    rows: answered.slice(0, MOST_ROWS),
    questions: total,
  }
  return { state: 'done', result }
}

type Known = {
  version: number
  types: Map<string, Set<string>>
  steered: Set<string>
  proxied: number
  unscanned: number
  nameservers: Nameserver[]
}

/** Every name and type that the site or its scan knows, and names that multi-CDN answers by now. */
async function knownNames(tx: Tx, siteId: string, domainName: string): Promise<Known> {
  const rows = await tx.query<{ name: string; type: string }>(
    'SELECT name, type FROM dns_record WHERE site_id = $1 UNION SELECT name, type FROM found_record WHERE site_id = $1',
    [siteId],
  )
  const steered = await tx.query<{ name: string }>(
    `SELECT DISTINCT d.name FROM domain d JOIN domain_cdn c ON c.domain_id = d.id WHERE d.site_id = $1 AND d.removed_at IS NULL AND c.state = 'operational'`,
    [siteId],
  )
  const version =
    (await tx.query<{ version: number }>('SELECT version FROM site WHERE id = $1', [siteId]))[0]?.version ?? 0
  const types = new Map<string, Set<string>>([[domainName, new Set()]])
  for (const { name, type } of rows) {
    const absolute = absoluteName(name, domainName)
    types.set(absolute, (types.get(absolute) ?? new Set()).add(type))
  }
  const bound = await tx.query<{ type: string; value: string }>(
    `SELECT type, value FROM dns_record WHERE site_id = $1 AND type IN ('A', 'AAAA', 'HTTPS', 'SVCB')`,
    [siteId],
  )
  const told = await tx.query(`SELECT FROM found_record WHERE site_id = $1 AND found_by = 'file' LIMIT 1`, [siteId])
  const scan = (await taskOf(tx, siteId, 'scan'))?.result
  const [scanned, unanswered] = [scan?.['nameservers'], scan?.['unanswered']]
  return {
    version,
    types,
    steered: new Set(steered.map(({ name }) => name)),
    proxied: bound.filter(isProxied).length,
    unscanned: told.length === 0 && typeof unanswered === 'number' ? unanswered : 0,
    nameservers: Array.isArray(scanned) ? (scanned as Nameserver[]) : [],
  }
}

type Question = { name: string; types: string[] }

/** A wildcard is asked by a name that nobody has; so is the zone without one, since the other server may have it. */
function questionPlan(known: Map<string, Set<string>>, domainName: string): Question[] {
  const random = `fairway-${crypto.randomBytes(8).toString('hex')}`
  const names = new Map([...known].map(([name, types]) => [name.replace(/^\*\./, `${random}.`), types]))
  names.set(`${random}.${domainName}`, names.get(`${random}.${domainName}`) ?? new Set())
  const isSmall = names.size * (USUAL_TYPES.length + 1) <= MOST_QUESTIONS
  return [...names].map(([name, types]) => ({
    name,
    types: [...new Set([...types, ...(isSmall || types.size === 0 ? USUAL_TYPES : [])])].filter(
      (type) => type !== 'CNAME' && type !== 'SOA',
    ),
  }))
}

async function compareName(
  theirs: PacedAsker,
  ours: DnsClient,
  { name, types }: Question,
  steered: boolean,
): Promise<ParityRow[]> {
  const alias = await comparePair(theirs, ours, name, 'CNAME', steered)
  // Where both have an alias there is nothing else to ask (RFC 1034 3.6.2).
  if (alias.kind !== 'unanswered' && alias.old.length > 0 && alias.ours.length > 0) return [alias]
  const rest = await Promise.all(types.map((type) => comparePair(theirs, ours, name, type, steered)))
  return [alias, ...rest]
}

async function comparePair(
  theirs: PacedAsker,
  ours: DnsClient,
  name: string,
  type: string,
  steered: boolean,
): Promise<ParityRow> {
  const [before, after] = await Promise.all([theirs.ask(name, type), ours.ask(name, type)])
  const [oldSet, ourSet] = [answerSet(before, name, type), answerSet(after, name, type)]
  return {
    name,
    type,
    kind: compareAnswers(oldSet, ourSet, steered),
    old: oldSet?.rdata ?? [],
    ours: ourSet?.rdata ?? [],
    oldTtlSeconds: oldSet?.ttlSeconds ?? null,
    ourTtlSeconds: ourSet?.ttlSeconds ?? null,
  }
}

/** The set of the very name and type; a delegation is in the authority section of a referral. */
function answerSet(
  reply: DnsReply | null,
  name: string,
  type: string,
): { rdata: string[]; ttlSeconds: number | null } | null {
  if (!reply || (reply.rcode !== 'NOERROR' && reply.rcode !== 'NXDOMAIN')) return null
  const section = type === 'NS' ? [...reply.answers, ...reply.authorities] : reply.answers
  const records = section.filter((record) => record.name === name && record.type === type)
  return { rdata: [...new Set(records.map(({ rdata }) => rdata))].sort(), ttlSeconds: records[0]?.ttlSeconds ?? null }
}

async function isServed(ours: DnsClient, zone: string, version: number, signal: AbortSignal): Promise<boolean> {
  for (const giveUpAt = Date.now() + SERVED_WITHIN_MS; Date.now() < giveUpAt; await delay(200, undefined, { signal })) {
    const soa = (await ours.ask(zone, 'SOA'))?.answers.find(({ type, name }) => type === 'SOA' && name === zone)
    if (soa && Number(soa.rdata.split(' ')[2]) >= version) return true
  }
  return false
}

/** The DNS node of this machine; a node that listens everywhere is asked at the loopback address. */
function ownNode({ dnsListen: { host, port } }: Config): Peer {
  return ownPeer({ host: localHost(host), port })
}

const WEIGHT: Record<ParityRow['kind'], number> = {
  missing: 0,
  different: 0,
  extra: 0,
  unanswered: 1,
  steered: 2,
  ttl: 3,
  same: 4,
}

function byImportance(a: ParityRow, b: ParityRow): number {
  return WEIGHT[a.kind] - WEIGHT[b.kind] || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.type < b.type ? -1 : 1)
}
