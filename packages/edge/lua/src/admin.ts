import * as json from 'cjson.safe'
import type { Batch, CrawlerNews } from './policy/documents.ts'
import { beginRequest, drop, hold, newEpoch, stampInForce } from './policy/held.ts'
import { exchange } from './security/looked-up.ts'

/** `POST /apply`: takes a batch whole into shared memory and sees it in force, or says at which document it stopped. */
export function apply(): void {
  const batch = body() as Batch | undefined
  if (batch === undefined) return answer(400, { error: 'the batch is not JSON' })
  const problem = take(batch)
  // Also after half of it: what is there is what counts.
  newEpoch()
  if (problem !== undefined) return answer(507, { error: problem })
  const wrong = notInForce(batch)
  if (wrong !== undefined) return answer(500, { error: `${wrong} is not in force` })
  answer(200, { applied: batch.documents.length })
}

/**
 * The first key that a request of now would not obey as the batch says: it is asked of what requests ask, parsed
 * documents included.
 */
function notInForce(batch: Batch): string | undefined {
  beginRequest()
  // Of a key that comes twice, the last counts.
  const wanted: Record<string, string> = {}
  for (const { key, stamp } of batch.documents) wanted[key] = stamp
  for (const { key } of batch.documents) if (stampInForce(key) !== wanted[key]) return key
  for (const key of batch.removed) if (stampInForce(key) !== undefined) return key
  return undefined
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
  if (batch.clearanceSecret !== '') ngx.shared.policies.set('clearance', batch.clearanceSecret)
  if (batch.inspector !== undefined) ngx.shared.policies.set('inspector', batch.inspector)
  if (batch.front !== undefined) ngx.shared.policies.set('front', batch.front)
  if (batch.tagsKnown) ngx.shared.policies.set('tags_known', '1')
  if (batch.primed) ngx.shared.policies.set('primed', '1')
  return undefined
}

const COUNTERS = [
  'unknown_hosts',
  'loops',
  'faults_closed',
  'faults_refused',
  'origins_unresolved',
  'origins_unreachable',
  'origins_untrusted',
  'origin_retries',
  'kept_connections_stale',
  'answers_unreadable',
  'answers_interim',
  'requests_refused',
  'in_maintenance',
  'challenges_answered',
  'slices_renewed',
  'tags_forgotten',
  'invalidations_forgotten',
  'visitors_refused',
  'bodies_slow',
  'bodies_refused',
  'misses_refused',
  'tunnels_refused',
  'inspections_crowded',
  'answers_too_large',
  'answers_ended',
  'certificates_unreadable',
  'connections_refused',
  'security_pass',
  'security_block',
  'security_rate-limit',
  'security_redirect',
  'security_challenge',
  'security_simulate',
  'security_failed',
  'refusals_held',
  'challenges_shown',
  'challenges_solved',
  'challenges_failed',
  'limits_uncounted',
  'limits_shared',
  'limits_evicted',
  'blocks_evicted',
  'known_evicted',
  'crawlers_unasked',
  'inspections_answered',
  'inspections_remembered',
  'inspections_failed',
  'trials',
  'tokens_exchanged',
  'tokens_refused',
  'relays_failed',
  'relays_refused',
  'front_requests',
  'front_handshakes',
  'front_hints',
]

/** `GET /state`: which generic configuration runs, and what was counted since nginx started. */
export function state(): void {
  const counters: Record<string, string> = {}
  for (const name of COUNTERS) {
    const [value] = ngx.shared.counters.get(name)
    counters[name] = value ?? '0'
  }
  const [primed] = ngx.shared.policies.get('primed')
  const policies = { free: ngx.shared.policies.free_space(), size: ngx.shared.policies.capacity() }
  answer(200, { configuration: ngx.var.fw_configuration, primed: primed !== undefined, counters, policies })
}

/**
 * `GET /shield`: requests that went to origins from here since nginx started, by domain, of visitors here (`own`) and for
 * other machines (`others`).
 */
export function shield(): void {
  answerCounts(ngx.shared.relayed)
}

/**
 * `GET /origins`: requests that went to origins from here since nginx started, by domain, that were `answered`, that
 * found no connection (`unconnected`) and that got no answer (`silent`).
 */
export function origins(): void {
  answerCounts(ngx.shared.origins)
}

function answerCounts(shared: SharedDict): void {
  const counts: Record<string, number> = {}
  for (const key of shared.get_keys(0)) {
    const [value] = shared.get(key)
    counts[key] = tonumber(value) ?? 0
  }
  answer(200, { counts })
}

/** `POST /crawlers`: what was found out about those that call themselves crawlers, for what is to be found out. */
export function crawlers(): void {
  const news = body() as CrawlerNews | undefined
  if (news === undefined) return answer(400, { error: 'the news is not JSON' })
  beginRequest()
  // One text: an empty table would be an object to JSON.
  answer(200, { asked: exchange(news).join('\n') })
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
