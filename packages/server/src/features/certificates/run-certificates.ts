import { AuthorityId, type ChallengeType } from '@fairway/contract'
import { challengeFor, noticeDue } from '@fairway/domain'
import { newCertificateKey } from '@fairway/drivers'
import { seal, unseal, type Config, type Database, type Log, type OutgoingGate, type Tx } from '@fairway/platform'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { notify } from '../notifications/notify.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { deployState, nodeRows } from '../versions/node-states.ts'
import { accountOf } from './account.ts'
import { openAuthority } from './authorities.ts'
import { orderStep, type Step } from './order-step.ts'
import { detailsOfChain } from './read-certificate.ts'
import { renewsItself } from './present.ts'
import { CERTIFICATE_KEYS } from './seal-purpose.ts'
import { askWindows } from './renewal-windows.ts'
import { keepStaples } from './staples.ts'
import {
  beginRenewal,
  dueForRenewal,
  forgetOrders,
  holdUnnamed,
  holdAuthority,
  mendTimesAhead,
  noteOrder,
  renewLease,
  PROOF_DOCUMENTS,
  replaceChallenges,
  sitesToChooseAnew,
  sitesWithoutDomain,
  takeDue,
  takesChoosing,
  toldAbout,
  unpublished,
  waitingForDeploy,
  type TakenCertificate,
  type UnnamedSite,
} from './store.ts'

const POLL_MS = 1_000
/** Renewed while a step lasts, which is about ten calls to the authority of 8 s at most; whose worker dies is soon free. */
const LEASE_SECONDS = 12
const RENEW_MS = 4_000
const NOTICES_MS = 600_000
const AT_ONCE = 4
const NOT_SET_UP_MS = 6 * 3_600_000
const CHOOSE_MS = 60_000
/** Most workers of before have gone by then; those that end later look themselves when they come back as new ones. */
const OTHERS_GONE_MS = 15 * 60_000
/** Somebody's change stands behind what waits to be published. */
const NAMED_AT_ONCE = 10
const NO_SITE = '00000000-0000-0000-0000-000000000000'

/**
 * Takes orders of certificates through their steps, renews what grows old and tells of what will end. Every order is a
 * row: it goes on after a restart, and several workers share them by leases.
 */
export function startCertificates(config: Config, gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  // By the time since the process began: a clock that was ahead would put them off for as long.
  let noticesAt = -Infinity
  let chosenAt = -Infinity
  const nameDomainsAt = [performance.now(), performance.now() + OTHERS_GONE_MS]
  let asking: Promise<void> | null = null
  const ordering = new Map<AuthorityId, Promise<void>>()
  let failure: { error: unknown } | null = null
  let naming: Naming | null = null
  const loop = startWakeLoop(database, log, {
    name: 'certificates',
    channels: ['certificate'],
    pollMs: POLL_MS,
    due: `SELECT FROM certificate WHERE step IS NOT NULL OR (removed_at IS NULL AND order_key IS NULL AND imported_at IS NULL AND chain_pem IS NOT NULL AND next_attempt_at <= now())`,
    // It looks after staples, windows and notices too.
    guaranteeMs: 15_000,
    async round({ stopped }) {
      await database.system(async (tx) => {
        for (const { id } of await dueForRenewal(tx))
          await beginRenewal(tx, id, seal(config, CERTIFICATE_KEYS, newCertificateKey()))
      })
      // An authority that hangs keeps nothing else waiting, nor orders at another one.
      for (const authority of AuthorityId.options) {
        if (ordering.has(authority)) continue
        const steps = takeSteps(config, database, log, authority, stopped)
          .catch((error: unknown) => void (failure = { error }))
          .finally(() => ordering.delete(authority))
        ordering.set(authority, steps)
      }
      await database.system(seeDeployed)
      await keepStaples(config, gate, database, log, new Date())
      if (performance.now() - chosenAt > CHOOSE_MS) {
        await database.system(chooseAnew)
        chosenAt = performance.now()
      }
      asking ??= askWindows(config, database, log)
        .catch((error: unknown) => log.warn({ event: 'certificate.windows-not-asked', err: error }))
        .finally(() => (asking = null))
      if (performance.now() - noticesAt > NOTICES_MS) {
        await database.system(mendTimesAhead)
        await database.system(giveNotice)
        await database.system(forgetOrders)
        noticesAt = performance.now()
      }
      if (failure) {
        const { error } = failure
        failure = null
        throw error
      }
      const [nameAt] = nameDomainsAt
      if (nameAt === undefined || nameAt > performance.now()) return
      naming = await nameDomains(database, naming ?? { after: NO_SITE, held: [] })
      if (naming !== null) return 'again'
      nameDomainsAt.shift()
    },
  })
  return {
    ...loop,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      await Promise.all([asking, ...ordering.values()])
    },
  }
}

/** Steps of all orders at one authority that are due, some at once, until none is. */
async function takeSteps(
  config: Config,
  database: Database,
  log: Log,
  authority: AuthorityId,
  stopped: AbortSignal,
): Promise<void> {
  for (let more = true; more && !stopped.aborted;) {
    const taken = await database.system((tx) => takeDue(tx, authority, AT_ONCE, LEASE_SECONDS))
    await Promise.all(taken.map((row) => advance(config, database, log, row)))
    more = taken.length > 0
  }
}

/** One step of one order. */
async function advance(config: Config, database: Database, log: Log, row: TakenCertificate): Promise<void> {
  const authorityId = AuthorityId.parse(row.type)
  const authority = openAuthority(config, authorityId)
  await using lease = keptLease(database, row)
  const step =
    authority === null
      ? ({
          to: 'later',
          hindrance: 'failed',
          problem: 'This certificate authority is not set up in this installation.',
          // A first order waits for a person; what is served is renewed as soon as the setting is back.
          at: row.chain_pem === null ? null : new Date(Date.now() + NOT_SET_UP_MS),
        } satisfies Step<ChallengeType>)
      : await orderStep({
          row,
          proof: {
            // Looked at with each order: a zone may have come to our name servers since the last one, or left them.
            next: challengeFor(row.names, {
              chosen: row.chosen_challenge,
              isVerified: row.dns_state === 'verified',
            }),
            current: row.challenge ?? 'dns-01',
          },
          authority,
          now: new Date(),
          keyPem: row.order_key ? unseal(config, CERTIFICATE_KEYS, row.order_key) : '',
          account: () => accountOf(config, database, authorityId, authority),
          isPublished: () =>
            database.system(
              async (tx) =>
                deployState(
                  await nodeRows(tx, row.site_id),
                  [PROOF_DOCUMENTS[row.challenge ?? 'dns-01']],
                  row.wanted_version ?? 0,
                  new Date(),
                ).state === 'live',
            ),
          detailsOf: detailsOfChain,
        })
  if (step.to !== 'stay')
    log.info({
      event: 'certificate.step',
      certificate: row.id,
      from: row.step,
      to: step.to,
      ...(step.to === 'later' ? { problem: step.problem } : {}),
    })
  await lease[Symbol.asyncDispose]()
  await database.system((tx) => finishStep(tx, row, step))
}

/** Renews the lease of a row that is held until it is disposed, and writes its end into the row. */
function keptLease(database: Database, row: TakenCertificate): AsyncDisposable {
  let renewing = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renewing
      .then(async () => {
        const until = await database.system((tx) => renewLease(tx, row, LEASE_SECONDS))
        if (until) row.leased_until = until
      })
      // While the database is away nobody else takes it either.
      .catch(() => {})
  }, RENEW_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await renewing
    },
  }
}

/** Only the newest holder of the lease writes; what the authority has taken is counted all the same. */
export async function finishStep(tx: Tx, row: TakenCertificate, step: Step<ChallengeType>): Promise<void> {
  if (step.to === 'publish') await noteOrder(tx, row)
  const held = await tx.query('SELECT FROM certificate WHERE id = $1 AND leased_until = $2 FOR UPDATE', [
    row.id,
    row.leased_until,
  ])
  if (held.length > 0) await write(tx, row, step)
}

async function write(tx: Tx, row: TakenCertificate, step: Step<ChallengeType>): Promise<void> {
  const site = { organizationId: row.organization_id, siteId: row.site_id }
  const label = row.names[0] ?? ''
  const recorded = (what: string) => [
    { entity: 'certificate', id: row.id, label, before: null, after: { [what]: true } },
  ]
  switch (step.to) {
    case 'stay':
      return void (await tx.query(
        `UPDATE certificate SET leased_until = NULL, next_attempt_at = now() + make_interval(secs => $2) WHERE id = $1`,
        [row.id, step.again / 1000],
      ))
    case 'validate':
      return void (await tx.query(
        `UPDATE certificate SET step = 'validate', leased_until = NULL, next_attempt_at = now() WHERE id = $1`,
        [row.id],
      ))
    case 'publish': {
      const kinds = new Set([...(await replaceChallenges(tx, row, step.challenges)), PROOF_DOCUMENTS[step.challenge]])
      const version = await systemVersion(tx, {
        ...site,
        title: `Proof of control for the certificate of ${label}`,
        kinds: [...kinds],
        changes: recorded('challenges'),
      })
      return void (await tx.query(
        `UPDATE certificate SET step = 'publish', challenge = $4, order_url = $2, wanted_version = $3, hindrance = NULL, problem = NULL, leased_until = NULL, next_attempt_at = now() WHERE id = $1`,
        [row.id, step.orderUrl, version, step.challenge],
      ))
    }
    case 'deploy': {
      const kinds = await replaceChallenges(tx, row, [])
      await tx.query(
        `UPDATE certificate SET step = 'deploy', chain_pem = $2, sealed_key = order_key, order_key = NULL, order_url = NULL, details = $3, not_after = $4, valid_from = $6, next_attempt_at = $5, window_next_at = now() + interval '12 hours', revoked_at = NULL, by_hand = false, problem = NULL, hindrance = NULL, attempts = 0, told_days = NULL, leased_until = NULL, staple = NULL, staple_until = NULL, staple_next_at = NULL WHERE id = $1`,
        [
          row.id,
          step.chainPem,
          JSON.stringify(step.details),
          step.details.notAfter,
          step.renewAt,
          step.details.notBefore,
        ],
      )
      const version = await systemVersion(tx, {
        ...site,
        title: `Certificate for ${label}`,
        kinds: [...kinds, 'edge-certificates'],
        changes: recorded('issued'),
      })
      await tx.query('UPDATE certificate SET wanted_version = $2 WHERE id = $1', [row.id, version])
      // A renewal is nothing that anybody waits for.
      if (row.chain_pem === null) await notify(tx, { ...site, event: 'certificate-issued', fields: { host: label } })
      return
    }
    case 'later': {
      if (step.heldUntil) await holdAuthority(tx, row.type, step.heldUntil)
      const kinds = await replaceChallenges(tx, row, [])
      if (kinds.length > 0)
        await systemVersion(tx, {
          ...site,
          title: `No more proof of control for ${label}`,
          kinds,
          changes: recorded('challengesRemoved'),
        })
      if (step.hindrance === 'failed' && row.hindrance !== 'failed')
        await notify(tx, {
          ...site,
          event: 'certificate-failed',
          fields: { host: label, reason: step.problem.slice(0, 300) },
        })
      return void (await tx.query(
        `UPDATE certificate SET step = $2, order_url = NULL, hindrance = $3, problem = $4, attempts = attempts + 1, next_attempt_at = $5, order_began_at = NULL, leased_until = NULL WHERE id = $1`,
        [row.id, step.at === null ? null : 'order', step.hindrance, step.problem.slice(0, 1000), step.at],
      ))
    }
  }
}

/**
 * Certificates that every edge node has confirmed are served, and their orders at their end. Uploaded ones have no
 * order, but get their version here too. What a node refuses is told where the certificate is, until it is taken.
 */
async function seeDeployed(tx: Tx): Promise<void> {
  for (const { id, site_id, wanted_version, problem } of await waitingForDeploy(tx)) {
    const { state, nodes } = deployState(await nodeRows(tx, site_id), ['edge-certificates'], wanted_version, new Date())
    if (state === 'live')
      await tx.query(
        `UPDATE certificate SET step = NULL, served = true, problem = NULL, hindrance = NULL WHERE id = $1 AND step = 'deploy'`,
        [id],
      )
    const refusal = nodes.find((node) => node.state === 'failed')
    const words = state === 'failed' && refusal ? `${refusal.name}: ${refusal.reason ?? ''}`.slice(0, 1000) : null
    if (words !== null && words !== problem)
      await tx.query(
        `UPDATE certificate SET problem = $2, hindrance = 'failed' WHERE id = $1 AND step = 'deploy' AND wanted_version = $3`,
        [id, words, wanted_version],
      )
  }
}

/** What is shown was chosen when it was published: where one has ended or begun since then, it is chosen anew. */
export async function chooseAnew(tx: Tx): Promise<void> {
  if (!(await takesChoosing(tx))) return
  for (const { organization_id, site_id, name } of await sitesToChooseAnew(tx))
    await systemVersion(tx, {
      organizationId: organization_id,
      siteId: site_id,
      title: `Another certificate is shown for names of ${name}`,
      kinds: ['edge-certificates'],
      changes: [],
    })
}

/** The site to go on after, and those before it that somebody else held. */
export type Naming = { after: string; held: UnnamedSite[] }

/**
 * Documents that publishers of before have made, which may run for a while after the database has got new: they name no
 * domain, so that edges cannot hold them to it. Some are made anew, by id of site, once each: a publisher of before may
 * take them again. Answers where to go on; null at the end.
 */
export async function nameDomains(database: Database, { after, held }: Naming): Promise<Naming | null> {
  if ((await database.system(unpublished)) >= NAMED_AT_ONCE) return { after, held }
  const next = await database.system((tx) => sitesWithoutDomain(tx, after, NAMED_AT_ONCE - held.length))
  const sites = [...held, ...next]
  if (sites.length === 0) return null
  const left: UnnamedSite[] = []
  for (const site of sites) {
    // One at a time: who changes a site waits for no other one.
    const outcome = await database.system((tx) => nameDomain(tx, site))
    if (outcome === 'held') left.push(site)
  }
  return { after: next.at(-1)?.site_id ?? after, held: left }
}

async function nameDomain(tx: Tx, { organization_id, site_id, name }: UnnamedSite): Promise<'ours' | 'held' | 'done'> {
  const outcome = await holdUnnamed(tx, site_id)
  if (outcome === 'ours')
    await systemVersion(tx, {
      organizationId: organization_id,
      siteId: site_id,
      title: `Certificates are shown for names of ${name} only`,
      kinds: ['edge-certificates'],
      changes: [],
    })
  return outcome
}

async function giveNotice(tx: Tx): Promise<void> {
  for (const row of await toldAbout(tx)) {
    const days =
      row.not_after === null
        ? null
        : noticeDue(
            { notAfter: row.not_after.getTime(), hindrance: row.hindrance, renewsItself: renewsItself(row) },
            row.told_days,
            Date.now(),
          )
    if (days === null) continue
    await tx.query('UPDATE certificate SET told_days = $2 WHERE id = $1', [row.id, days])
    await notify(tx, {
      organizationId: row.organization_id,
      siteId: row.site_id,
      event: 'certificate-expiring',
      fields: { host: row.names[0] ?? '', days },
      level: days <= 1 ? 'critical' : days <= 7 ? 'warning' : 'notice',
    })
  }
}
