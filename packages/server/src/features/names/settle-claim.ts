import crypto from 'node:crypto'
import { PublicationKind } from '@fairway/contract'
import {
  type ClaimNow,
  type ClaimStep,
  type NameSeen,
  type NameserverPair,
  claimUntil,
  drawPair,
  nextStep,
  samePair,
} from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { enqueue, notifyConsole } from '../../http/commit-change.ts'
import { writeAudit } from '../../http/write-audit.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { isClockTrusted } from '../billing/clock-watch.ts'
import { endIncident, notify } from '../notifications/notify.ts'
import { type NameFacts, claimRules, factsOf, heldByOthers } from './held.ts'
import { removeClaimedSite } from './remove-claimed-site.ts'
import {
  type ClaimRow,
  claimOf,
  lookAgain,
  noteHolder,
  noteProof,
  pairOfOrganization,
  pairsOfOthers,
  setClaim,
  setPair,
} from './store.ts'

/** What a site's claim takes out of service, or brings back. */
const DOCUMENTS = PublicationKind.options.filter(
  (kind) => kind === 'dns-zone' || kind === 'probe-targets' || /^edge-(site|certificates|challenges|pages)$/.test(kind),
)

export type Look = Omit<NameSeen, 'txt'> & {
  /** The token that was looked for and found: another proof may have replaced it in the meantime. */
  tokenSeen: string | null
  /** Nobody has looked at this claim before. */
  isFirst: boolean
}

/**
 * What was seen of a name decides what becomes of a site's claim, and of the claims of others. Answers false when the
 * site is gone.
 */
export async function settleClaim(tx: Tx, config: Config, siteId: string, look: Look, now: Date): Promise<boolean> {
  const before = await claimOf(tx, siteId)
  if (!before || before.claim === 'draft') return before !== undefined
  const facts = await factsOf(tx, before.domain_name)
  // Read again under the lock that `factsOf` takes.
  const row = facts.around.find(({ id }) => id === siteId)
  if (!row) return false
  if (config.domainProof === 'off') return true
  const held = heldByOthers(facts, row, now)
  const rules = claimRules(config, row.domain_name)
  const claim = claimNow(row)
  const isAmbiguous =
    look.isFirst && claim?.state === 'looking' && look.leads === 'to-pair' && (await isShared(tx, row))
  if (isAmbiguous) await drawAnew(tx, config, row, facts)
  const isOthers = isAmbiguous || (look.leads === 'to-part-of-pair' && isPartOfOthers(row, facts))
  const seen: NameSeen = {
    parent: look.parent,
    leads: isOthers ? 'to-others-of-ours' : look.leads,
    txt: look.tokenSeen === row.proof_token,
  }
  if (!claim) return true
  const step = nextStep(claim, seen, held, rules, now.getTime())
  if (step) {
    if (step.state === 'parked' && step.reason === 'no-proof' && !(await isClockTrusted(tx))) return true
    if (step.state === 'proven') await parkOthers(tx, row, facts, now)
    await apply(tx, row, step, now)
    return true
  }
  const until = claimUntil(claim, rules)
  if (claim.state === 'parked' && until !== null && now.getTime() >= until && (await isClockTrusted(tx))) {
    await removeClaimedSite(tx, row)
    return false
  }
  return true
}

/**
 * Whether another organisation has the pair that a name leads to: whoever set it before the name was added may have
 * meant that one, so it is no proof.
 */
async function isShared(tx: Tx, row: ClaimRow): Promise<boolean> {
  const own = await pairOfOrganization(tx, row.organization_id)
  if (!own || !samePair(own, row.nameserver_pair)) return false
  return (await pairsOfOthers(tx, row.organization_id)).some((pair) => samePair(pair, own))
}

/** One name of a pair may be meant by anybody whose pair has it too. */
function isPartOfOthers(row: ClaimRow, { holders }: NameFacts): boolean {
  return holders.some(
    ({ organization_id, nameserver_pair }) =>
      organization_id !== row.organization_id && nameserver_pair.some((at) => row.nameserver_pair.includes(at)),
  )
}

async function drawAnew(tx: Tx, config: Config, row: ClaimRow, { holders }: NameFacts): Promise<void> {
  const avoid = [row.nameserver_pair, ...holders.map(({ nameserver_pair }) => nameserver_pair)]
  const taken: NameserverPair[] = await pairsOfOthers(tx, row.organization_id)
  const pair = drawPair({ servers: config.nameserverNames, taken, avoid }, crypto.randomInt)
  await setPair(tx, row.id, pair)
  await noteHolder(tx, row.domain_name, row.organization_id, pair)
}

function claimNow(row: ClaimRow): ClaimNow | null {
  if (row.claim === 'draft') return null
  return {
    state: row.claim,
    reason: row.claim_reason,
    since: row.claim_since.getTime(),
    claimedAt: row.claimed_at.getTime(),
  }
}

/** Whoever has proven the name is the one who is served; the others may prove it anew, by another token. */
async function parkOthers(tx: Tx, row: ClaimRow, { around }: NameFacts, now: Date): Promise<void> {
  for (const other of around) {
    if (other.organization_id === row.organization_id || other.claim === 'draft') continue
    const isSame = other.domain_name === row.domain_name
    if (!isSame && other.claim === 'proven') continue
    if (other.claim_reason !== 'proven-elsewhere')
      await apply(tx, other, { state: 'parked', reason: 'proven-elsewhere' }, now)
    if (isSame) await noteProof(tx, other.domain_name, other.organization_id, null)
  }
}

async function apply(tx: Tx, row: ClaimRow, step: ClaimStep, now: Date): Promise<void> {
  const { id: siteId, organization_id: organizationId, domain_name: site } = row
  await setClaim(tx, siteId, step, now)
  if (step.state === 'proven') await noteProof(tx, site, organizationId, step.by)
  await publishClaim(tx, row, step)
  await tell(tx, row, step)
  await writeAudit(tx, {
    organizationId,
    action: `site.claim`,
    userId: null,
    userLabel: 'system',
    source: 'system',
    siteId,
    changes: [{ entity: 'site', id: siteId, label: site, before: told(row), after: toldOf(step) }],
  })
}

const told = (row: ClaimRow) => ({ claim: row.claim, reason: row.claim_reason, provenBy: row.proven_by })
const toldOf = (step: ClaimStep) => ({
  claim: step.state,
  reason: 'reason' in step ? step.reason : null,
  provenBy: 'by' in step ? step.by : null,
})

async function publishClaim(tx: Tx, row: ClaimRow, step: ClaimStep): Promise<void> {
  const { id: siteId, organization_id: organizationId } = row
  const wasServed = row.claim === 'served' || row.claim === 'proven'
  const isServed = step.state === 'served' || step.state === 'proven'
  // That it is proven stands in the zone: from now on answers of others' zones may go on into it.
  if (wasServed && step.state === 'proven') await enqueue(tx, organizationId, ['dns-zone'], siteId)
  if (wasServed === isServed) return notifyConsole(tx, { organizationId, kind: 'version', siteId })
  if (isServed && row.claim === 'parked') {
    const title = step.state === 'proven' ? 'The name is proven: it is served' : 'The name is free: it is served'
    const version = await systemVersion(tx, { organizationId, siteId, title, kinds: DOCUMENTS, changes: [] })
    if (version !== null) await deployAgain(tx, siteId, version)
    return
  }
  await enqueue(tx, organizationId, DOCUMENTS, siteId)
  await notifyConsole(tx, { organizationId, kind: 'version', siteId })
  // What it held is free for those who wait.
  if (wasServed && step.state === 'parked' && step.reason !== 'proven-elsewhere') await lookAgain(tx, row.domain_name)
}

/** The edge has forgotten the site: its CDNs confirm it before DNS answers with them. */
async function deployAgain(tx: Tx, siteId: string, version: number): Promise<void> {
  await tx.query(
    `UPDATE domain_cdn SET state = 'deploying', state_since = now(), wanted_version = $2, applied_version = NULL, attempts = 0, next_attempt_at = now() WHERE site_id = $1 AND state = 'operational'`,
    [siteId, version],
  )
}

async function tell(tx: Tx, row: ClaimRow, step: ClaimStep): Promise<void> {
  const { id: siteId, organization_id: organizationId, domain_name: site } = row
  const incident = `claim:${siteId}`
  if (step.state === 'parked') {
    await endIncident(tx, organizationId, incident)
    await notify(tx, { organizationId, siteId, event: 'name-parked', fields: { site, reason: step.reason }, incident })
  } else if (step.state === 'proven') {
    if (!(await endIncident(tx, organizationId, incident)))
      await notify(tx, { organizationId, siteId, event: 'name-proven', fields: { site, by: step.by } })
  } else if (step.state === 'served') await endIncident(tx, organizationId, incident)
}
