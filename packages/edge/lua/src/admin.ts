import * as json from 'cjson.safe'
import type { Batch } from './documents.ts'
import { beginRequest, drop, hold, newEpoch, stampInForce } from './held.ts'

/** `POST /apply`: takes a batch whole into shared memory, or says at which document it stopped. */
export function apply(): void {
  const batch = body() as Batch | undefined
  if (batch === undefined) return answer(400, { error: 'the batch is not JSON' })
  const problem = take(batch)
  // Also after half of it: what is there is what counts.
  newEpoch()
  if (problem !== undefined) return answer(507, { error: problem })
  answer(200, { applied: batch.documents.length })
}

function take(batch: Batch): string | undefined {
  for (const name in batch.names) {
    const [stored, problem] = ngx.shared.policies.safe_set(`name:${name}`, (batch.names[name] ?? []).join(','))
    if (stored !== true) return `name ${name}: ${problem}`
  }
  for (const { key, stamp, document } of batch.documents) {
    const problem = hold(key, stamp, document)
    if (problem !== undefined) return `${key}: ${problem}`
  }
  for (const key of batch.removed) drop(key)
  if (batch.tagsKnown) ngx.shared.policies.set('tags_known', '1')
  if (batch.primed) ngx.shared.policies.set('primed', '1')
  return undefined
}

/** `POST /in-force`: keys (`host:…`, `at:…`, `purge:…`) → stamps that requests obey now; a key without one is left out. */
export function inForce(): void {
  const asked = body() as { keys: string[] } | undefined
  if (asked === undefined) return answer(400, { error: 'the question is not JSON' })
  beginRequest()
  const stamps: Record<string, string> = {}
  for (const key of asked.keys) {
    const stamp = stampInForce(key)
    if (stamp !== undefined) stamps[key] = stamp
  }
  answer(200, { stamps })
}

const COUNTERS = ['unknown_hosts', 'loops', 'faults_closed', 'faults_refused', 'origins_unresolved', 'origins_unreachable', 'origins_hinted', 'origin_retries', 'answers_unreadable', 'answers_interim', 'requests_refused', 'in_maintenance', 'tags_forgotten', 'certificates_unreadable']

/** `GET /state`: which generic configuration runs, and what was counted since nginx started. */
export function state(): void {
  const counters: Record<string, string> = {}
  for (const name of COUNTERS) {
    const [value] = ngx.shared.counters.get(name)
    counters[name] = value ?? '0'
  }
  const [primed] = ngx.shared.policies.get('primed')
  answer(200, { configuration: ngx.var.fw_configuration, primed: primed !== undefined, counters })
}

function body(): unknown {
  ngx.req.read_body()
  const text = ngx.req.get_body_data()
  return text === undefined ? undefined : json.decode(text)
}

function answer(status: number, value: unknown): void {
  ngx.status = status
  ngx.header['Content-Type'] = 'application/json'
  ngx.print(json.encode(value) ?? '{}')
}
