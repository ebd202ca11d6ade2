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
import { keepStaples } from './staples.ts'
import {
  beginRenewal,
  dueForRenewal,
  PROOF_DOCUMENTS,
  replaceChallenges,
  takeDue,
  toldAbout,
  waitingForDeploy,
  type TakenCertificate,
} from './store.ts'

const POLL_MS = 1_000
const LEASE_SECONDS = 10
const NOTICES_MS = 600_000
const AT_ONCE = 4

/**
 * Takes orders of certificates through their steps, renews what grows old and tells of what will end. Every order is a
 * row: it goes on after a restart, and several workers share them by leases.
 */
export function startCertificates(config: Config, gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  let noticesAt = 0
  return startWakeLoop(database, log, {
    name: 'certificates',
    channels: ['certificate'],
    pollMs: POLL_MS,
    due: `SELECT FROM certificate WHERE step IS NOT NULL OR (removed_at IS NULL AND order_key IS NULL AND imported_at IS NULL AND chain_pem IS NOT NULL AND next_attempt_at <= now())`,
    async round({ stopped }) {
      await database.system(async (tx) => {
        for (const { id } of await dueForRenewal(tx))
          await beginRenewal(tx, id, seal(config, CERTIFICATE_KEYS, newCertificateKey()))
      })
      for (let more = true; more && !stopped.aborted;) {
        const taken = await database.system((tx) => takeDue(tx, AT_ONCE, LEASE_SECONDS))
        await Promise.all(taken.map((row) => advance(config, database, log, row)))
        more = taken.length > 0
      }
      await database.system(seeDeployed)
      await keepStaples(config, gate, database, log, new Date())
      if (Date.now() - noticesAt > NOTICES_MS) {
        await database.system(giveNotice)
        noticesAt = Date.now()
      }
    },
  })
}

/** One step of one order. Only the newest holder of the lease writes. */
async function advance(config: Config, database: Database, log: Log, row: TakenCertificate): Promise<void> {
  const authorityId = AuthorityId.parse(row.type)
  const authority = openAuthority(config, authorityId)
  const step =
    authority === null
      ? ({
          to: 'later',
          hindrance: 'failed',
          problem: 'This certificate authority is not set up in this installation.',
          at: null,
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
  await database.system(async (tx) => {
    if (
      (
        await tx.query('SELECT FROM certificate WHERE id = $1 AND leased_until = $2 FOR UPDATE', [
          row.id,
          row.leased_until,
        ])
      ).length === 0
    )
      return
    await write(tx, row, step)
  })
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
        `UPDATE certificate SET step = 'deploy', chain_pem = $2, sealed_key = order_key, order_key = NULL, order_url = NULL, details = $3, not_after = $4, next_attempt_at = $5, problem = NULL, hindrance = NULL, attempts = 0, told_days = NULL, leased_until = NULL, staple = NULL, staple_until = NULL, staple_next_at = NULL WHERE id = $1`,
        [row.id, step.chainPem, JSON.stringify(step.details), step.details.notAfter, step.renewAt],
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
