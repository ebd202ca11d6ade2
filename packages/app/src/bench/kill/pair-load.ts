import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '@fairway/analytics'
import { FEATURES } from '@fairway/contract'
import { makeLog, openDatabase, urlOf } from '@fairway/platform'
import { ApiError, apiClient } from '../../api-client.ts'
import { MEASURED, measuredCdn } from '../bench-ingest.ts'
import { operatorToken } from '../operator.ts'
import type { Pair } from './pair.ts'

const { sites, dnsRecords, pulse, bulkConfigure } = FEATURES

export type PairMet = {
  /** `lost`: neither of two took the call, again and again. */
  sessions: { asked: number; lost: number; refused: number }
  writes: { acknowledged: number; doubtful: number }
  jobs: { given: number; doubtful: number }
  beacons: { taken: number; doubtful: number }
  scores: { oldestMs: number }
}
export type PairLoad = {
  met: PairMet
  /** Ends it and looks whether all that was taken is there, once. Answers what is not. */
  stop(): Promise<string[]>
}

const TRIES = 200
const TRY_AGAIN_MS = 50
const CALL_EVERY_MS = 100
const WRITE_EVERY_MS = 200
const JOB_EVERY_MS = 3_000
const BEACON_EVERY_MS = 50
const SENDERS = 3
const SETTLE_MS = 60_000
/** By the promise. */
const OLDEST_SCORES_MS = 5_000
const STARTS_MS = 60_000

/** One person who is signed in, writes and gives jobs at either machine, and visitors who measure. */
export async function startPairLoad({ machines, url: balancer, organizationId }: Pair): Promise<PairLoad> {
  const [first] = machines
  const token = await operatorToken(first)
  const api = apiClient(balancer, token)
  const met: PairMet = {
    sessions: { asked: 0, lost: 0, refused: 0 },
    writes: { acknowledged: 0, doubtful: 0 },
    jobs: { given: 0, doubtful: 0 },
    beacons: { taken: 0, doubtful: 0 },
    scores: { oldestMs: 0 },
  }
  const site = (await first.api(sites.routes.create, { domainName: 'pairs.example' })).data.id
  await measuredCdn(first)
  const { key } = await first.api(pulse.routes.update, { startDelaySeconds: 2, repeatDelaySeconds: 30, batchNumber: 3 })
  const collectors = machines.map(({ config }) => urlOf(config.collectorListen))
  for (const url of collectors)
    while (!(await (await fetch(`${url}/b/settings?k=${key}`)).text()).includes(MEASURED)) await sleep(100)
  const database = openDatabase(first.config, makeLog('bench', { logLevel: 'error' }), { connections: 2 })
  const [domain] = await database.system((tx) =>
    tx.query<{ id: string }>('SELECT id FROM domain WHERE organization_id = $1 LIMIT 1', [organizationId]),
  )
  const domainId = domain?.id ?? ''
  const stop = new AbortController()
  const isOver = () => stop.signal.aborted

  const taken = new Set<number>()
  const doubtfulBeacons = new Set<number>()
  let next = 0
  const beacons = Array.from({ length: SENDERS }, async () => {
    while (!isOver()) {
      const n = next++
      let isTaken = false
      // Again, to the next one, as pages do when no word came.
      for (let at = n; !isTaken && !isOver(); at++) {
        isTaken = await postBeacon(collectors[at % 2] ?? '', key, n)
        if (!isTaken) await sleep(TRY_AGAIN_MS)
      }
      if (isTaken) met.beacons.taken = taken.add(n).size
      else met.beacons.doubtful = doubtfulBeacons.add(n).size
      await sleep(BEACON_EVERY_MS)
    }
  })
  const session = (async () => {
    for (; !isOver(); await sleep(CALL_EVERY_MS)) {
      met.sessions.asked++
      const answer = await patiently(() => api(sites.routes.list, {}))
      if (answer === 'refused') met.sessions.refused++
      if (answer === 'lost') met.sessions.lost++
    }
  })()
  const written = new Set<string>()
  const doubtfulWrites = new Set<string>()
  const writer = (async () => {
    for (let at = 0; !isOver(); at++, await sleep(WRITE_EVERY_MS)) {
      const name = `w${at}`
      const record = { site, type: 'TXT', name, value: 'written' } as const
      const done = await api(dnsRecords.routes.create, record).catch(() => null)
      if (done) met.writes.acknowledged = written.add(name).size
      else met.writes.doubtful = doubtfulWrites.add(name).size
    }
  })()
  const jobIds = new Set<string>()
  const giver = (async () => {
    for (let at = 0; !isOver(); at++, await sleep(JOB_EVERY_MS)) {
      // Each makes something else of the domain, so that a second time would be seen as a version.
      const given = await api(bulkConfigure.routes.create, {
        domainIds: [domainId],
        change: { tab: 'general', settings: { ignoreQuery: at % 2 === 0 } },
      }).catch((error: unknown) => (error instanceof ApiError && error.status === 429 ? 'refused' : null))
      // As many are unfinished as may be: nothing came of it, for certain.
      if (given === 'refused') continue
      if (given) met.jobs.given = jobIds.add(given.data.id).size
      else met.jobs.doubtful++
    }
  })()
  const watcher = (async () => {
    const built = async () =>
      (
        await database.system((tx) =>
          tx.query<{ built: number }>(
            `SELECT (body->>'builtAt')::float8 AS built FROM publication WHERE kind = 'scores' AND key = $1`,
            [organizationId],
          ),
        )
      )[0]?.built ?? null
    for (; !isOver(); await sleep(100)) {
      const at = await built()
      if (at !== null && taken.size > 0)
        met.scores.oldestMs = Math.max(met.scores.oldestMs, Math.round(Date.now() - at))
    }
  })()
  // Scores that were built before anybody measured are repeated less often.
  for (const end = performance.now() + STARTS_MS; taken.size < 100 && performance.now() < end;) await sleep(100)
  await sleep(3_000)
  met.scores.oldestMs = 0

  return {
    met,
    async stop() {
      stop.abort()
      await Promise.all([...beacons, session, writer, giver, watcher])
      const wrong: string[] = []
      if (met.sessions.lost > 0) wrong.push(`${met.sessions.lost} calls of the session were lost`)
      if (met.sessions.refused > 0) wrong.push(`the session was refused ${met.sessions.refused} times`)
      if (met.scores.oldestMs > OLDEST_SCORES_MS) wrong.push(`scores were ${met.scores.oldestMs} ms old`)
      const rows = (await first.api(dnsRecords.routes.list, { site, page_size: -1 })).data
      const times = Map.groupBy(rows, ({ name }) => name)
      for (const name of written)
        if (times.get(name)?.length !== 1) wrong.push(`${name} is there ${times.get(name)?.length ?? 0} times`)
      for (const name of doubtfulWrites) if ((times.get(name)?.length ?? 0) > 1) wrong.push(`${name} is there twice`)
      wrong.push(...(await wrongJobs(jobIds)), ...(await wrongBeacons()))
      const { status, stdout } = await first.fairway('audit', 'verify')
      if (status !== 0) wrong.push(stdout)
      await database[Symbol.asyncDispose]()
      return wrong
    },
  }

  /** Each has made one version, and no two the same. */
  async function wrongJobs(ids: ReadonlySet<string>): Promise<string[]> {
    const read = () =>
      database.system((tx) =>
        tx.query<{ state: string; version: number | null; times: number }>(
          `SELECT i.state, i.version, count(*) OVER (PARTITION BY i.site_id, i.version)::int AS times FROM bulk_item i WHERE i.job_id = ANY($1::uuid[])`,
          [[...ids]],
        ),
      )
    for (const end = performance.now() + SETTLE_MS; performance.now() < end; await sleep(200))
      if ((await read()).every(({ state }) => state !== 'waiting')) break
    const items = await read()
    const [made] = await database.system((tx) =>
      tx.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM version v WHERE v.site_id = (SELECT site_id FROM domain WHERE id = $1) AND v.changes::text LIKE '%ignoreQuery%' AND v.title NOT LIKE 'Add %'`,
        [domainId],
      ),
    )
    const done = items.filter(({ state }) => state === 'done').length
    return [
      ...items.filter(({ state }) => state === 'waiting' || state === 'failed').map(({ state }) => `a job is ${state}`),
      ...items
        .filter(({ state, times }) => state === 'done' && times !== 1)
        .map(({ version }) => `two jobs are version ${version}`),
      // A job that nobody heard of any more may have made one too.
      ...((made?.n ?? 0) < done || (made?.n ?? 0) > done + met.jobs.doubtful
        ? [`${done} jobs made ${made?.n} versions`]
        : []),
    ]
  }

  async function wrongBeacons(): Promise<string[]> {
    await using store = openStore(first.config)
    const read = async () =>
      new Map(
        (
          await store.query<{ n: number; times: number }>(
            `SELECT toUInt32((rtt_ms - 1) + 1000 * (connect_ms - 1)) AS n, count() AS times FROM beacons WHERE organization = {o:String} GROUP BY n`,
            { o: organizationId },
          )
        ).map(({ n, times }) => [n, times]),
      )
    for (const end = performance.now() + SETTLE_MS; performance.now() < end; await sleep(500)) {
      const stored = await read()
      if ([...taken].every((n) => stored.has(n))) break
    }
    const stored = await read()
    return [
      ...[...taken].filter((n) => !stored.has(n)).map((n) => `beacon ${n} is lost`),
      ...[...stored].filter(([, count]) => count > 1).map(([n, count]) => `beacon ${n} was counted ${count} times`),
      ...[...stored]
        .filter(([n]) => !taken.has(n) && !doubtfulBeacons.has(n))
        .map(([n]) => `beacon ${n} was never sent`),
    ]
  }
}

/** A person tries again, for a while. */
async function patiently<T>(call: () => Promise<T>): Promise<T | 'refused' | 'lost'> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await call()
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return 'refused'
      await sleep(TRY_AGAIN_MS)
    }
  }
  return 'lost'
}

async function postBeacon(url: string, key: string, n: number): Promise<boolean> {
  const response = await fetch(`${url}/b/`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'x-forwarded-for': `198.51.${n % 200}.7` },
    body: JSON.stringify({
      v: 1,
      k: key,
      i: `page-view-${n}`,
      s: [{ c: MEASURED, r: 1 + (n % 1_000), t: 1 + Math.floor(n / 1_000), ok: 1 }],
    }),
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null)
  return response?.status === 204
}
