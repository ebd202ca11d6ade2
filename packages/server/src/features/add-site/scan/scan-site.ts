import { LIMITS } from '@fairway/contract'
import {
  allowedTtl,
  canHoldRecord,
  isProxied,
  type RecordPlan,
  reviewProblem,
  reviewRecord,
  type RawRecord,
} from '@fairway/domain'
import { transferZone, type Peer } from '@fairway/platform'
import { recordPlanOf } from '../../plans/maxima.ts'
import { addFound, type NewFound } from '../found-store.ts'
import { houseZones } from '../../names/house-zones.ts'
import { addressesToAsk, admitted, oldNameservers, type Nameserver } from '../old-nameservers.ts'
import type { TaskNeeds } from '../task-needs.ts'
import type { TaskEnd } from '../task-store.ts'
import { guessNames } from './guess-names.ts'
import { PacedAsker } from './paced-asker.ts'

export type ScanResult = {
  nameservers: Nameserver[]
  method: 'transfer' | 'names' | null
  namesAsked: number
  /** Names of which not everything is known: no server has answered, or the time was over before they were asked. */
  unanswered: number
  /** The first of them. */
  unansweredNames: string[]
  queries: number
  hasWildcard: boolean
}

/** A scan as a whole, the transfers that it tries, and one of them; a server that is silent is left sooner. */
const SCAN_MS = 60_000
const TRANSFERS_MS = 30_000
const TRANSFER_MS = 15_000
const QUIET_MS = 3_000
/** What a server sends of its zone: anybody may run one. */
const MOST_BYTES = 32 * 2 ** 20
const LONGEST_VALUE = 4_096
/** Names without an answer that the review lists. */
const MOST_TOLD = 50

/**
 * What the old nameservers know of a site goes into its review: the whole zone where one of them hands it over, else
 * what common names find.
 */
export async function scanSite({ config, gate, database, task, signal, progress }: TaskNeeds): Promise<TaskEnd> {
  const zone = task.domain_name
  const until = performance.now() + SCAN_MS
  const asker = { config, gate, organizationId: task.organization_id }
  const houses = await database.system((tx) => houseZones(tx, config))
  const old = await oldNameservers(asker, zone, houses)
  if ('problem' in old) return { state: 'failed', problem: old.problem }
  const { servers: nameservers } = old
  progress({ nameservers })
  const servers = await admitted(asker, addressesToAsk(nameservers))
  const transferred = await transferFrom(servers, zone, signal)
  await using paced = new PacedAsker(servers, LIMITS.scanQueriesPerSecond, signal)
  if (!transferred && !(await paced.ask(zone, 'SOA')))
    return { state: 'failed', problem: 'noAnswer', result: { nameservers } }
  const guessed = transferred
    ? null
    : await guessNames(paced, zone, {
        until,
        most: { records: LIMITS.zoneFile.records, characters: MOST_BYTES, longest: LONGEST_VALUE },
        report: (now) => progress({ nameservers, queries: paced.asked, ...now }),
      })
  const records = guessed?.records ?? transferred ?? []
  const result: ScanResult = {
    nameservers,
    method: guessed ? 'names' : 'transfer',
    queries: paced.asked,
    namesAsked: guessed?.namesAsked ?? 0,
    unanswered: guessed?.unanswered.length ?? 0,
    unansweredNames: guessed?.unanswered.slice(0, MOST_TOLD) ?? [],
    hasWildcard: records.some(({ name }) => name.startsWith('*.')),
  }
  await database.system(async (tx) => {
    const owner = { organizationId: task.organization_id, siteId: task.site_id }
    await addFound(
      tx,
      owner,
      toReview(records, zone, await recordPlanOf(tx, task.organization_id)),
      guessed ? 'names' : 'transfer',
    )
  })
  return { state: 'done', result }
}

async function transferFrom(servers: readonly Peer[], zone: string, signal: AbortSignal): Promise<RawRecord[] | null> {
  const until = performance.now() + TRANSFERS_MS
  for (const server of servers) {
    const leftMs = until - performance.now()
    if (leftMs <= 0) return null
    const records = await transferZone(server, zone, {
      timeoutMs: Math.min(TRANSFER_MS, leftMs),
      quietMs: QUIET_MS,
      most: LIMITS.zoneFile.records,
      mostBytes: MOST_BYTES,
      longest: LONGEST_VALUE,
    })
    signal.throwIfAborted()
    if (records) return records
  }
  return null
}

/** Records as the review holds them; those that can be added, on this plan, and lead to no proxy, are chosen. */
export function toReview(records: readonly RawRecord[], zone: string, plan: RecordPlan): NewFound[] {
  return records.flatMap((raw) => {
    const record = reviewRecord(raw, zone)
    if (!record) return []
    const ttlSeconds = allowedTtl(record.ttlSeconds, plan.minimumTtlSeconds)
    const added = { ...record, ttlSeconds, multiCdn: false }
    return [
      {
        ...record,
        ttlSeconds,
        oldTtlSeconds: record.ttlSeconds,
        chosen: reviewProblem(added, zone) === null && canHoldRecord(plan, added, null) === null && !isProxied(added),
      },
    ]
  })
}
