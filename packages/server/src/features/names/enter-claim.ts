import crypto from 'node:crypto'
import { KEPT_DAYS, type NameserverPair, drawPair, firstStep, isAtOrUnder, samePair } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { Failure } from '../../http/failure.ts'
import { claimRules, factsOf, heldByOthers } from './held.ts'
import { houseZones } from './house-zones.ts'
import {
  claimOf,
  claimsAround,
  holdersOf,
  lookAgain,
  noteEnd,
  noteEntry,
  noteHolder,
  noteProof,
  pairOfOrganization,
  pairsOfOthers,
  setClaim,
  setOrganizationPair,
  settleNamesZone,
} from './store.ts'

/**
 * Whether an organisation may claim a name: once, not above or below what it or a proven owner has, and never in the
 * installation's own zones. What another one has proven is claimed only by who means to prove it anew.
 */
export async function refuseTaken(
  tx: Tx,
  config: Config,
  organizationId: string,
  name: string,
  contest: boolean,
): Promise<void> {
  const zones = await houseZones(tx, config)
  if (zones.some((zone) => isAtOrUnder(name, zone) || isAtOrUnder(zone, name))) throw new Failure(2021)
  const around = await beyondTenant(tx, () => claimsAround(tx, name))
  const own = around.filter(({ organization_id }) => organization_id === organizationId)
  if (own.some(({ domain_name }) => domain_name === name)) throw new Failure(2020)
  if (own.length > 0) throw new Failure(2021)
  const held = config.domainProof === 'off' ? around : around.filter(({ claim }) => claim === 'proven')
  if (held.some(({ domain_name }) => domain_name !== name)) throw new Failure(2021)
  if (held.length > 0 && !(contest && config.domainProof !== 'off')) throw new Failure(900103)
}

/** The pair of nameservers that a name of an organisation is to be delegated to: its own, or one that tells it apart. */
export async function allotPair(tx: Tx, config: Config, organizationId: string, name: string): Promise<NameserverPair> {
  return beyondTenant(tx, async () => {
    await settleNamesZone(tx, organizationId)
    const pair: NameserverPair =
      config.domainProof === 'off' ? [0, 1] : await pairFor(tx, config.nameserverNames, organizationId, name)
    await noteHolder(tx, name, organizationId, pair)
    return pair
  })
}

async function pairFor(tx: Tx, servers: number, organizationId: string, name: string): Promise<NameserverPair> {
  const holders = await holdersOf(tx, name)
  const before = holders.find(({ organization_id }) => organization_id === organizationId)?.nameserver_pair
  const avoid = holders
    .filter(({ organization_id }) => organization_id !== organizationId)
    .map(({ nameserver_pair }) => nameserver_pair)
  const own = await ownPair(tx, servers, organizationId)
  const free = [before, own].find((pair) => pair && !avoid.some((taken) => samePair(taken, pair)))
  return free ?? drawPair({ servers, taken: await pairsOfOthers(tx, organizationId), avoid }, crypto.randomInt)
}

/** The organisation's own pair, drawn when it is needed for the first time. */
async function ownPair(tx: Tx, servers: number, organizationId: string): Promise<NameserverPair> {
  const known = await pairOfOrganization(tx, organizationId)
  if (known) return known
  const drawn = drawPair({ servers, taken: await pairsOfOthers(tx, organizationId), avoid: [] }, crypto.randomInt)
  await setOrganizationPair(tx, organizationId, drawn)
  return drawn
}

/** A site is to be served: what its claim is before anybody has looked; the look is asked for. */
export async function enterClaim(tx: Tx, config: Config, siteId: string, now: Date): Promise<void> {
  await beyondTenant(tx, () => enter(tx, config, siteId, now))
}

async function enter(tx: Tx, config: Config, siteId: string, now: Date): Promise<void> {
  const row = await claimOf(tx, siteId)
  if (!row) return
  const { domain_name: name, organization_id: organizationId } = row
  const { claimedAt, provenBy } = await noteEntry(tx, name, organizationId, now)
  if (config.domainProof === 'off') {
    await setClaim(tx, siteId, { state: 'proven', by: 'house' }, now)
    return noteProof(tx, name, organizationId, 'house')
  }
  await tx.query('UPDATE site SET claimed_at = $2 WHERE id = $1', [siteId, claimedAt])
  const held = heldByOthers(await factsOf(tx, name), { ...row, claimed_at: now }, now)
  const rules = claimRules(config, name)
  // A deleted name was kept for its organisation: it comes back as it was, unless somebody has proven it meanwhile.
  const isKept = (provenBy === 'delegation' || provenBy === 'txt') && !held.proven && !held.provenAround
  await setClaim(tx, siteId, isKept ? { state: 'proven', by: provenBy } : firstStep(held, rules), now)
  if (rules.canBeProven || config.resolver !== '') await lookAgain(tx, name)
}

/** The site goes: its name is kept for its organisation for a while, and its pair is nobody else's proof. */
export async function endClaim(tx: Tx, siteId: string): Promise<void> {
  await beyondTenant(tx, () => noteSiteEnd(tx, siteId))
}

/** The same within a transaction of the system's. */
export async function noteSiteEnd(tx: Tx, siteId: string): Promise<void> {
  const row = await claimOf(tx, siteId)
  if (!row) return
  const isHeld = row.claim === 'served' || row.claim === 'proven'
  await noteEnd(tx, row.domain_name, row.organization_id, isHeld ? KEPT_DAYS : null)
  await lookAgain(tx, row.domain_name)
}
