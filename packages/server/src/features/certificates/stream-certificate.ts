import type { AuthorityId } from '@fairway/contract'
import { orderBackOffMs } from '@fairway/domain'
import { newCertificateKey } from '@fairway/drivers'
import {
  type Config,
  type Database,
  type Log,
  STREAM_CERTIFICATE,
  seal,
  streamCertificateNames,
  streamZone,
  type Tx,
  unseal,
} from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { type RunningLoop, startWakeLoop } from '../../loops/wake-loop.ts'
import { systemZoneKey } from '../../publish/system-zone.ts'
import { endForOperators, notifyOperators } from '../notifications/notify-operators.ts'
import { deployState, nodeRows } from '../versions/node-states.ts'
import { accountOf } from './account.ts'
import { directoryOf, openAuthority } from './authorities.ts'
import { type Taken, takeHouseOrder, writeHouseOrder } from './house-orders.ts'
import { orderStep, type Step } from './order-step.ts'
import { detailsOfChain } from './read-certificate.ts'
import { CERTIFICATE_KEYS } from './seal-purpose.ts'
import { holdAuthority } from './store.ts'
import {
  STREAM_CERTIFICATE_KEY,
  streamCertificate,
  type StreamCertificateRow,
  wantStreamCertificate,
  writeLive,
} from './stream-certificate-store.ts'

const POLL_MS = 300
/** Longer than the calls of one step may take together. */
const LEASE_SECONDS = 60
/** Videos are served meanwhile: an authority that is away need not be asked every other second. */
const AWAY_MS = 10_000

type Needs = { config: Config; database: Database; log: Log }

/**
 * The certificate of the names that videos are served under, by ACME: proven in the zone of the service domain, which
 * is ours, and shown by every edge node. Null where no authority is asked for it.
 */
export async function startStreamCertificate(
  config: Config,
  database: Database,
  log: Log,
): Promise<RunningLoop | null> {
  const [needs, host, authority] = [{ config, database, log }, streamZone(config), streamAuthority(config)]
  if (authority === null) return null
  await database.system(async (tx) => {
    const slugs = await tx.query<{ slug: string }>('SELECT slug FROM simulated_cdn ORDER BY slug')
    const names = streamCertificateNames(
      config,
      slugs.map(({ slug }) => slug),
    )
    await wantStreamCertificate(tx, { host, names, authority, directory: directoryOf(config, authority) ?? '' })
  })
  return startWakeLoop(database, log, {
    name: STREAM_CERTIFICATE,
    channels: [STREAM_CERTIFICATE],
    pollMs: POLL_MS,
    // The host is one of letters, digits, hyphens and full stops: the settings say so.
    due: `SELECT FROM stream_certificate WHERE host = '${host}' AND (live_until <= now() OR (not_after > now() AND live_until IS DISTINCT FROM not_after) OR (next_attempt_at <= now() AND (leased_until IS NULL OR leased_until < now())))`,
    async round() {
      const isUnderWay = await advance(needs, host, authority)
      await database.system((tx) => seeLive(tx, host))
      return isUnderWay ? 'again' : undefined
    },
  })
}

/** Who is asked for it; where the edge is on loopback nobody, unless the settings say whom. */
function streamAuthority(config: Config): AuthorityId | null {
  if (streamCertificateNames(config, []).length === 0 || config.streamAcme === 'off') return null
  if (config.streamAcme !== '') return config.streamAcme
  return (['lets-encrypt', 'zero-ssl'] as const).find((id) => directoryOf(config, id) !== null) ?? null
}

/** One step, if there is one to take and nobody else takes it. Answers whether there will be another one soon. */
async function advance({ config, database, log }: Needs, host: string, id: AuthorityId): Promise<boolean> {
  const row = await database.system((tx) =>
    takeHouseOrder<StreamCertificateRow>(tx, 'stream_certificate', host, {
      authority: id,
      leaseSeconds: LEASE_SECONDS,
      newKey: () => seal(config, CERTIFICATE_KEYS, newCertificateKey()),
    }),
  )
  const authority = row && openAuthority(config, row.authority)
  if (!row || !authority) return false
  const step = await orderStep({
    row,
    proof: { next: 'dns-01', current: 'dns-01' },
    authority,
    now: new Date(),
    keyPem: row.order_key ? unseal(config, CERTIFICATE_KEYS, row.order_key) : '',
    account: () => accountOf(config, database, row.authority, authority),
    isPublished: () => database.system((tx) => isPublished(tx, config, row)),
    detailsOf: detailsOfChain,
  })
  if (step.to !== 'stay')
    log.info({
      event: 'stream-certificate.step',
      host,
      from: row.step,
      to: step.to,
      ...(step.to === 'later' ? { problem: step.problem } : {}),
    })
  await database.system((tx) => write(tx, config, row, step))
  return step.to !== 'deploy' && step.to !== 'later'
}

/** Does the zone that all name servers have confirmed hold the texts? */
async function isPublished(tx: Tx, config: Config, { challenges }: StreamCertificateRow): Promise<boolean> {
  const key = systemZoneKey(config)
  const held = challenges.map(({ name, value }) => ({ name, type: 'TXT', rdata: [`"${value}"`] }))
  const [zone] = await tx.query<{ version: number }>(
    `SELECT version FROM publication WHERE kind = 'dns-zone' AND key = $1 AND body->'rrsets' @> $2::jsonb`,
    [key, JSON.stringify(held)],
  )
  return (
    zone !== undefined && deployState(await nodeRows(tx, key), ['dns-zone'], zone.version, new Date()).state === 'live'
  )
}

async function write(tx: Tx, config: Config, row: Taken<StreamCertificateRow>, step: Step<'dns-01'>): Promise<void> {
  const incident = `stream-certificate:${row.host}`
  const now = Date.now()
  const change = (fields: Partial<StreamCertificateRow> & { order_began_at?: Date | null }) =>
    writeHouseOrder<StreamCertificateRow>(tx, 'stream_certificate', row, fields)
  switch (step.to) {
    case 'stay': {
      const again = new Date(now + (step.away === undefined ? step.again : Math.max(step.again, AWAY_MS)))
      return void (await change({ next_attempt_at: again, ...(step.away === undefined ? {} : { problem: step.away }) }))
    }
    case 'validate':
      return void (await change({ step: 'validate', next_attempt_at: new Date(now) }))
    case 'publish': {
      const isOurs = await change({
        step: 'publish',
        order_url: step.orderUrl,
        challenges: step.challenges,
        challenges_at: new Date(now),
        hindrance: null,
        problem: null,
        next_attempt_at: new Date(now),
      })
      if (isOurs) await enqueue(tx, null, ['dns-zone'], systemZoneKey(config))
      return
    }
    case 'deploy': {
      const isOurs = await change({
        ...NO_ORDER,
        step: null,
        chain_pem: step.chainPem,
        sealed_key: row.order_key,
        order_key: null,
        not_after: new Date(step.details.notAfter),
        version: row.version + 1,
        next_attempt_at: step.renewAt,
        problem: null,
        hindrance: null,
        attempts: 0,
      })
      if (!isOurs) return
      await endForOperators(tx, incident)
      await enqueue(tx, null, ['edge-certificates'], STREAM_CERTIFICATE_KEY)
      await enqueue(tx, null, ['dns-zone'], systemZoneKey(config))
      return
    }
    case 'later': {
      const attempts = row.attempts + 1
      const isOurs = await change({
        ...NO_ORDER,
        step: 'order',
        problem: step.problem.slice(0, 1000),
        hindrance: step.hindrance,
        attempts,
        next_attempt_at: step.at ?? new Date(now + orderBackOffMs(attempts)),
      })
      if (!isOurs) return
      if (step.heldUntil) await holdAuthority(tx, row.authority, step.heldUntil)
      await notifyOperators(tx, {
        event: 'stream-certificate-failed',
        fields: {
          host: row.host,
          until: row.not_after?.toISOString().slice(0, 10) ?? '',
          reason: step.problem.slice(0, 300),
        },
        incident,
      })
      await enqueue(tx, null, ['dns-zone'], systemZoneKey(config))
    }
  }
}

const NO_ORDER = { order_url: null, order_began_at: null, challenges: [], challenges_at: null }

/**
 * Addresses are https from when every edge node that is there has confirmed the certificate, and no longer than it
 * holds.
 */
async function seeLive(tx: Tx, host: string): Promise<void> {
  const row = await streamCertificate(tx, host)
  if (!row?.not_after) return
  const now = new Date()
  if (row.not_after <= now) return row.live_until === null ? undefined : writeLive(tx, host, null)
  if (row.live_until?.getTime() === row.not_after.getTime()) return
  const [published] = await tx.query(
    `SELECT FROM publication WHERE kind = 'edge-certificates' AND key = $1 AND version = $2 AND body IS NOT NULL`,
    [STREAM_CERTIFICATE_KEY, row.version],
  )
  if (!published) return
  const nodes = await nodeRows(tx, STREAM_CERTIFICATE_KEY)
  if (deployState(nodes, ['edge-certificates'], row.version, now).state === 'live')
    await writeLive(tx, host, row.not_after)
}
