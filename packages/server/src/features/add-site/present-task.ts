import { LIMITS, Parity, type NsStatus, type Scan } from '@fairway/contract'
import { proofRecordName } from '@fairway/domain'
import type { Config } from '@fairway/platform'
import { nameserversOf } from '../../publish/nameservers.ts'
import { presentClaim } from '../names/present-claim.ts'
import type { ClaimRow } from '../names/store.ts'
import type { NameserverResult } from './check-nameservers.ts'
import type { ParityResult } from './parity/compare-servers.ts'
import type { ScanResult } from './scan/scan-site.ts'
import type { TaskRow } from './task-store.ts'

const iso = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

function head(task: TaskRow | undefined) {
  return {
    state: task?.state ?? ('none' as const),
    problem: task?.problem ?? null,
    startedAt: iso(task?.started_at),
    finishedAt: iso(task?.finished_at),
  }
}

/** While it runs, what it has told; then what it ended with. */
const told = <T>(task: TaskRow | undefined): Partial<T> =>
  (task?.state === 'running' || task?.state === 'waiting' ? task.progress : (task?.result ?? {})) as Partial<T>

export function presentScan(task: TaskRow | undefined, found: { names: number; records: number }): Scan {
  const now = told<ScanResult & { namesTotal: number; foundNames: number }>(task)
  return {
    ...head(task),
    nameservers: now.nameservers ?? [],
    method: now.method ?? null,
    namesAsked: now.namesAsked ?? 0,
    namesTotal: now.namesTotal ?? now.namesAsked ?? 0,
    unanswered: now.unanswered ?? 0,
    unansweredNames: now.unansweredNames ?? [],
    queries: now.queries ?? 0,
    hasWildcard: now.hasWildcard ?? false,
    foundNames: Math.max(found.names, now.foundNames ?? 0),
    foundRecords: found.records,
  }
}

export function presentParity(task: TaskRow | undefined): Parity {
  const {
    version = null,
    names = 0,
    differences = 0,
    proxied = 0,
    unscanned = 0,
    rows = [],
    questions = 0,
  } = (task?.result ?? {}) as Partial<ParityResult>
  const progress = (task?.progress ?? {}) as { questionsAsked?: number; questionsTotal?: number }
  const isDone = task?.state === 'done'
  return Parity.parse({
    ...head(task),
    questionsAsked: isDone ? questions : (progress.questionsAsked ?? 0),
    questionsTotal: isDone ? questions : (progress.questionsTotal ?? 0),
    version,
    names,
    differences,
    proxied,
    unscanned,
    rows,
  })
}

export function presentNsStatus(
  task: TaskRow | undefined,
  site: ClaimRow & { dns_state: NsStatus['dnsState'] },
  config: Config,
  now: Date,
): NsStatus {
  const result = (task?.result ?? {}) as Partial<NameserverResult>
  const until = task ? new Date(task.requested_at.getTime() + LIMITS.nameserverCheckMs) : null
  const isVerified = site.dns_state === 'verified'
  const isChecking = task !== undefined && !isVerified && until !== null && now < until
  const nameservers = nameserversOf(config, site)
  const ours = new Set([...nameservers.global, ...nameservers.china])
  return {
    dnsState: site.dns_state,
    state:
      site.dns_state === 'draft' || !task
        ? 'unchecked'
        : isVerified
          ? 'checked'
          : isChecking
            ? 'checking'
            : 'timed-out',
    checkingUntil: isChecking ? iso(until) : null,
    checkedAt: result.checkedAt ?? null,
    reason: isVerified ? null : (result.reason ?? null),
    parent: result.parent ?? null,
    delegation: (result.delegation ?? []).map(({ name, glue }) => ({ name, glue, ours: ours.has(name) })),
    hasDs: result.hasDs ?? false,
    requirements: result.requirements ?? [],
    serials: result.serials ?? [],
    nameservers,
    claim: presentClaim(config, site),
    proof:
      config.domainProof === 'off' || site.dns_state === 'draft'
        ? null
        : { name: proofRecordName(site.domain_name), value: site.proof_token, seen: result.proofSeen ?? null },
    sets: (['global', 'china'] as const).map((set) => ({
      set,
      named: nameservers[set].filter((name) => result.delegation?.some((one) => one.name === name)),
      total: nameservers[set].length,
    })),
  }
}
