import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { AuthorityId } from '@fairway/contract'
import { orderBackOffMs } from '@fairway/domain'
import { challengeCertificate, newCertificateKey, type ProofType } from '@fairway/drivers'
import { endOf, seal, unseal, type Config, type Database, type Log, type Pem, type Tx } from '@fairway/platform'
import type { ConsoleCertificate } from '../../http/tls.ts'
import { startWakeLoop } from '../../loops/wake-loop.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { endForOperators, notifyOperators } from '../notifications/notify-operators.ts'
import { deployState, nodeRows } from '../versions/node-states.ts'
import { accountOf } from './account.ts'
import { AUTHORITY_NAMES, directoryOf, openAuthority } from './authorities.ts'
import {
  CONSOLE_CERTIFICATE,
  consoleCertificate,
  type ConsoleCertificateRow,
  type ProvenZone,
  type TakenConsoleCertificate,
  wantConsoleCertificate,
  zoneAround,
} from './console-certificate-store.ts'
import { takeHouseOrder, writeHouseOrder } from './house-orders.ts'
import { orderStep, type Step } from './order-step.ts'
import { detailsOfChain } from './read-certificate.ts'
import { CERTIFICATE_KEYS } from './seal-purpose.ts'
import { holdAuthority } from './store.ts'

const POLL_MS = 300
/** Longer than the calls of one step may take together. */
const LEASE_SECONDS = 60
/** Until every process that answers for the console has heard what to show. */
const HEARD_MS = 2_000
/** Nobody waits for a renewal so much that an authority which is away has to be asked every other second. */
const AWAY_MS = 10_000
/** Another way of proof is tried so soon. */
const OTHER_PROOF_MS = 5_000

/** Not before Node.js 20.17, which can choose a certificate by the protocol that a handshake is for. */
const SHOWS_IN_HANDSHAKE = typeof (TLSSocket.prototype as { setKeyCert?: unknown }).setKeyCert === 'function'

type Needs = { config: Config; database: Database; log: Log }

/**
 * The console's certificate by ACME. One row says all: any process of the API takes the next step under a lease, and
 * all of them show what came of it. `name` is of the authority, as people know it.
 */
export async function orderConsoleCertificate(needs: Needs): Promise<ConsoleCertificate & AsyncDisposable> {
  const { config, database, log } = needs
  const host = new URL(config.publicUrl).hostname
  const listeners: ((pem: Pem) => void)[] = []
  const state = {
    row: undefined as ConsoleCertificateRow | undefined,
    shown: null as Pem | null,
    inHandshake: { of: '', context: null as SecureContext | null },
  }
  const take = async () => {
    const row = await database.system((tx) => consoleCertificate(tx, host))
    state.row = row
    const proof = row?.challenges.find(({ type }) => type === 'tls-alpn-01')
    if ((proof?.value ?? '') !== state.inHandshake.of) {
      const context = proof ? createSecureContext(await challengeCertificate(proof)) : null
      state.inHandshake = { of: proof?.value ?? '', context }
    }
    if (!row?.chain_pem || !row.sealed_key || row.chain_pem === state.shown?.cert) return
    const pem = { cert: row.chain_pem, key: unseal(config, CERTIFICATE_KEYS, row.sealed_key) }
    createSecureContext(pem)
    state.shown = pem
    for (const listener of listeners) listener(pem)
    log.info({ event: 'tls.certificate-read', until: new Date(endOf(pem)).toISOString() })
  }
  const authority = AUTHORITY_NAMES[authorityOf(config)]
  let isWanted = false
  const want = async () => {
    if (isWanted) return
    await database.system((tx) => wantConsoleCertificate(tx, host, directoryOf(config, authorityOf(config)) ?? ''))
    isWanted = true
  }
  // One that is there is shown from the first connection on. A key that does not open must not keep the API away.
  await want()
  await take().catch((error: unknown) => log.warn({ event: 'tls.certificate-refused', err: error }))
  if (state.shown === null) log.warn({ event: 'tls.certificate-awaited', host, authority })
  const loop = startWakeLoop(database, log, {
    name: CONSOLE_CERTIFICATE,
    channels: [CONSOLE_CERTIFICATE],
    pollMs: POLL_MS,
    // The name is one of letters, digits and hyphens: the settings say so.
    due: `SELECT FROM console_certificate WHERE host = '${host}' AND next_attempt_at <= now() AND (leased_until IS NULL OR leased_until < now())`,
    async round() {
      await take()
      const isUnderWay = await advance(needs, host)
      return isUnderWay ? 'again' : undefined
    },
  })
  return {
    pem: () => state.shown,
    problem: () => problemOf(host, authority, state, loop.lastProblem()),
    onChange: (listener) => void listeners.push(listener),
    proofs: {
      inHandshake: (name) => (name === host ? state.inHandshake.context : null),
      overHttp: async (token) => {
        // Asked anew: the authority may come to a process that has not heard of it yet.
        const row = await database.system((tx) => consoleCertificate(tx, host))
        const proof = row?.challenges.find((one) => one.type === 'http-01' && one.token === token)
        return proof?.value ?? null
      },
    },
    [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose](),
  }
}

/** Settings that name none do not come here. */
const authorityOf = ({ tlsAcme }: Config): AuthorityId => tlsAcme || 'lets-encrypt'

function problemOf(
  host: string,
  authority: string,
  { row, shown }: { row: ConsoleCertificateRow | undefined; shown: Pem | null },
  ofLoop: string | null,
): string | null {
  const problem = ofLoop ?? row?.problem ?? null
  if (shown === null)
    return `TLS: ${authority} ${problem === null ? `is being asked for the certificate of ${host}` : `has not signed the certificate of ${host} yet, and is asked again by itself: ${problem}`}. Until it is there nobody can connect by TLS.`
  const day = new Date(endOf(shown)).toISOString().slice(0, 10)
  const why = problem === null ? '' : ` ${authority}: ${problem}`
  if (endOf(shown) <= Date.now()) return `TLS: the certificate of ${host} expired on ${day}.${why}`
  return problem === null
    ? null
    : `TLS: the certificate of ${host} is not renewed, which is tried again by itself; it is shown until ${day}.${why}`
}

/** One step, if there is one to take and nobody else takes it. Answers whether there will be another one soon. */
async function advance({ config, database, log }: Needs, host: string): Promise<boolean> {
  const id = authorityOf(config)
  const row = await database.system((tx) =>
    takeHouseOrder<ConsoleCertificateRow>(tx, 'console_certificate', host, {
      authority: id,
      leaseSeconds: LEASE_SECONDS,
      newKey: () => seal(config, CERTIFICATE_KEYS, newCertificateKey()),
    }),
  )
  const authority = openAuthority(config, id)
  if (!row || !authority) return false
  const zone = await database.system((tx) => zoneAround(tx, host))
  const proofs = proofsWith(zone)
  const step = await orderStep({
    row: { ...row, names: [host] },
    proof: { next: nextProof(row, proofs), current: row.challenge ?? 'http-01' },
    authority,
    now: new Date(),
    keyPem: row.order_key ? unseal(config, CERTIFICATE_KEYS, row.order_key) : '',
    account: () => accountOf(config, database, id, authority),
    isPublished: () => database.system((tx) => isPublished(tx, row)),
    detailsOf: detailsOfChain,
  })
  if (step.to !== 'stay')
    log.info({
      event: 'console-certificate.step',
      host,
      from: row.step,
      to: step.to,
      ...(step.to === 'publish' ? { challenge: step.challenge } : {}),
      ...(step.to === 'later' ? { problem: step.problem } : {}),
    })
  await database.system((tx) => write(tx, row, step, { authority: id, zone, proofs: proofs.length }))
  return step.to !== 'deploy' && step.to !== 'later'
}

/** In the order in which they are tried. */
function proofsWith(zone: ProvenZone | null): ProofType[] {
  return [...(zone ? (['dns-01'] as const) : []), ...(SHOWS_IN_HANDSHAKE ? (['tls-alpn-01'] as const) : []), 'http-01']
}

/** The one that has worked, else the next of those that have not: which port leads here from outside is not known. */
function nextProof({ challenge, hindrance }: ConsoleCertificateRow, proofs: readonly ProofType[]): ProofType {
  const at = challenge === null ? -1 : proofs.indexOf(challenge)
  return proofs[hindrance === 'failed' || at < 0 ? (at + 1) % proofs.length : at] ?? 'http-01'
}

async function isPublished(tx: Tx, row: ConsoleCertificateRow): Promise<boolean> {
  if (row.challenge !== 'dns-01') return Date.now() - (row.challenges_at?.getTime() ?? 0) >= HEARD_MS
  if (row.site_id === null) return false
  const rows = await nodeRows(tx, row.site_id)
  return deployState(rows, ['dns-zone'], row.wanted_version ?? 0, new Date()).state === 'live'
}

async function write(
  tx: Tx,
  row: TakenConsoleCertificate,
  step: Step<ProofType>,
  { authority, zone, proofs }: { authority: AuthorityId; zone: ProvenZone | null; proofs: number },
): Promise<void> {
  const incident = `console-certificate:${row.host}`
  const now = Date.now()
  const change = (fields: Partial<ConsoleCertificateRow> & { order_began_at?: Date | null }) =>
    writeHouseOrder<ConsoleCertificateRow>(tx, 'console_certificate', row, fields)
  switch (step.to) {
    case 'stay': {
      const again = new Date(now + (step.away === undefined ? step.again : Math.max(step.again, AWAY_MS)))
      return void (await change({ next_attempt_at: again, ...(step.away === undefined ? {} : { problem: step.away }) }))
    }
    case 'validate':
      return void (await change({ step: 'validate', next_attempt_at: new Date(now) }))
    case 'publish': {
      const inZone = step.challenge === 'dns-01' ? zone : null
      const isOurs = await change({
        step: 'publish',
        order_url: step.orderUrl,
        challenge: step.challenge,
        challenges: step.challenges,
        challenges_at: new Date(now),
        site_id: inZone?.id ?? null,
        hindrance: null,
        problem: null,
        next_attempt_at: new Date(now),
      })
      if (!isOurs) return
      if (inZone) await publishProof(tx, row.host, inZone, `Proof of control for the certificate of ${row.host}`)
      break
    }
    case 'deploy': {
      const isOurs = await change({
        ...NO_ORDER,
        step: null,
        chain_pem: step.chainPem,
        sealed_key: row.order_key,
        order_key: null,
        not_after: new Date(step.details.notAfter),
        next_attempt_at: step.renewAt,
        problem: null,
        hindrance: null,
        attempts: 0,
      })
      if (!isOurs) return
      await endForOperators(tx, incident)
      await takeProofBack(tx, row, zone)
      break
    }
    case 'later': {
      const attempts = row.attempts + 1
      const isRoundOver = attempts % proofs === 0
      const wait = isRoundOver ? orderBackOffMs(attempts / proofs) : OTHER_PROOF_MS
      const isLimited = step.hindrance === 'waiting'
      const isOurs = await change({
        ...NO_ORDER,
        step: 'order',
        problem: step.problem.slice(0, 1000),
        hindrance: step.hindrance,
        attempts,
        next_attempt_at: isLimited && step.at ? step.at : new Date(now + wait),
      })
      if (!isOurs) return
      if (step.heldUntil) await holdAuthority(tx, authority, step.heldUntil)
      if (isRoundOver || isLimited) await tellOperators(tx, row, step.problem, incident)
      await takeProofBack(tx, row, zone)
    }
  }
  await tx.query('SELECT pg_notify($1, $2)', [CONSOLE_CERTIFICATE, ''])
}

const NO_ORDER = { order_url: null, order_began_at: null, challenges: [], challenges_at: null }

async function publishProof(tx: Tx, host: string, zone: ProvenZone, title: string): Promise<void> {
  const version = await systemVersion(tx, {
    organizationId: zone.organization_id,
    siteId: zone.id,
    title,
    kinds: ['dns-zone'],
    changes: [{ entity: 'certificate', id: host, label: host, before: null, after: { challenges: true } }],
  })
  await tx.query('UPDATE console_certificate SET wanted_version = $2 WHERE host = $1', [host, version])
}

async function takeProofBack(tx: Tx, row: ConsoleCertificateRow, zone: ProvenZone | null): Promise<void> {
  if (row.challenges.length === 0 || row.site_id === null || row.site_id !== zone?.id) return
  await publishProof(tx, row.host, zone, `No more proof of control for ${row.host}`)
}

async function tellOperators(tx: Tx, row: ConsoleCertificateRow, problem: string, incident: string): Promise<void> {
  const until = row.not_after?.toISOString().slice(0, 10) ?? ''
  await notifyOperators(tx, {
    event: 'console-certificate-failed',
    fields: { host: row.host, until, reason: problem.slice(0, 300) },
    incident,
  })
}
