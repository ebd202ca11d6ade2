import { PATCHED_FROM_SETS, dnssecStep, type DnssecStep } from '@fairway/domain'
import type { Config, Database, Log, OutgoingGate, Tx } from '@fairway/platform'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { isClockTrusted } from '../billing/clock-watch.ts'
import { databaseNow } from '../names/store.ts'
import { seeDelegation } from '../add-site/check-nameservers.ts'
import { factsOf } from './facts.ts'
import {
  DNSSEC_DUE,
  dnssecOf,
  keysOf,
  lookAgainAt,
  noteParent,
  removeDnssec,
  removeKey,
  setKeyState,
  setState,
  takeDue,
  type DnssecRow,
} from './store.ts'

const POLL_MS = 2_000
const AT_ONCE = 10
/** So often is looked while somebody waits, for ten minutes; then now and then. */
const SOON_SECONDS = 15
const SOON_FOR_MS = 600_000
const LATER_SECONDS = 900
/**
 * Secondaries have signatures of three weeks; they are given new ones by a new version. Of a zone whose versions go out
 * as patches, which sign nothing else, nodes sign the rest when it is two weeks old: a version has to come soon after.
 */
const RENEW_DAYS = { whole: 7, patched: 3 }
/** Safe when a time is over, and never to be taken back: by a clock that is ahead, resolvers would be left behind. */
const BY_TIME: ReadonlySet<DnssecStep['do']> = new Set(['unsign', 'announce', 'drop'])
const NOT_NOW: DnssecStep = { do: 'nothing', dueAt: null }

/** Looks after signed zones: asks their parents for the DS and takes the next step as soon as it is safe. */
export function startDnssecKeeper(config: Config, gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'dnssec',
    isElected: true,
    pollMs: POLL_MS,
    due: DNSSEC_DUE,
    async round() {
      const due = await database.system((tx) => takeDue(tx, AT_ONCE))
      await Promise.all(
        due.map((row) =>
          keepOne({ config, gate }, database, row).catch((error: unknown) =>
            log.error({ event: 'dnssec.zone-failed', zone: row.domain_name, err: error }),
          ),
        ),
      )
    },
  })
}

async function keepOne(
  by: { config: Config; gate: OutgoingGate },
  database: Database,
  taken: DnssecRow & { domain_name: string },
): Promise<void> {
  const { site_id, organization_id, domain_name } = taken
  const { ds } = await seeDelegation({ ...by, organizationId: organization_id }, domain_name)
  await database.system(async (tx) => {
    await noteParent(tx, site_id, ds)
    const row = await dnssecOf(tx, site_id, true)
    if (!row) return
    const now = await databaseNow(tx)
    const safe = dnssecStep(factsOf(row, await keysOf(tx, site_id), domain_name, ds !== null, now))
    const step = !BY_TIME.has(safe.do) || (await isClockTrusted(tx)) ? safe : NOT_NOW
    const title = await take(tx, site_id, step)
    if (title !== null)
      await systemVersion(tx, {
        organizationId: organization_id,
        siteId: site_id,
        title,
        kinds: ['dns-zone'],
        changes: [],
      })
    else await renewForSecondaries(tx, row)
    await lookAgainAt(tx, site_id, nextLook(row, step, now.getTime()))
  })
}

/** Does a step; what the history says of it, null when nothing was done. */
async function take(tx: Tx, siteId: string, step: DnssecStep): Promise<string | null> {
  switch (step.do) {
    case 'nothing':
      return null
    case 'secured':
      await setState(tx, siteId, 'secured')
      return 'DNSSEC: the parent vouches for the zone'
    case 'waiting':
      await setState(tx, siteId, 'waiting')
      return 'DNSSEC: the parent does not vouch for the zone any more'
    case 'unsign':
      await removeDnssec(tx, siteId)
      return 'DNSSEC is off: the zone is not signed any more'
    case 'announce':
      await setKeyState(tx, step.keyId, 'ready')
      return 'DNSSEC: the new key can be given to the parent'
    case 'takeOver':
      // In this order, for only one key of a zone may be active.
      await tx.query(
        `UPDATE zone_key SET state = 'retired', state_since = now() WHERE site_id = $1 AND state = 'active'`,
        [siteId],
      )
      await setKeyState(tx, step.keyId, 'active')
      return 'DNSSEC: the new key signs'
    case 'drop':
      await removeKey(tx, step.keyId)
      return 'DNSSEC: the old key is gone'
  }
}

async function renewForSecondaries(tx: Tx, { site_id, organization_id }: DnssecRow): Promise<void> {
  const old = await tx.query(
    `SELECT FROM dns_secondary WHERE organization_id = $2 AND NOT EXISTS (SELECT FROM version WHERE site_id = $1 AND 'dns-zone' = ANY (kinds) AND created_at > now() - make_interval(days => CASE WHEN (SELECT record_count FROM site WHERE id = $1) >= $5 THEN $4::int ELSE $3::int END)) LIMIT 1`,
    [site_id, organization_id, RENEW_DAYS.whole, RENEW_DAYS.patched, PATCHED_FROM_SETS],
  )
  if (old.length > 0)
    await systemVersion(tx, {
      organizationId: organization_id,
      siteId: site_id,
      title: 'DNSSEC: new signatures for secondaries',
      kinds: ['dns-zone'],
      changes: [],
    })
}

function nextLook({ state_since, state }: DnssecRow, step: DnssecStep, now: number): Date {
  const waits = state !== 'secured' && Math.abs(now - state_since.getTime()) < SOON_FOR_MS
  const seconds = step.do !== 'nothing' || waits ? SOON_SECONDS : LATER_SECONDS
  const due = step.do === 'nothing' && step.dueAt !== null ? step.dueAt : Number.POSITIVE_INFINITY
  return new Date(Math.max(now + 1000, Math.min(due, now + seconds * 1000)))
}
