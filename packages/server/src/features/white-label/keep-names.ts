import { standingOf, type WantedRecord } from '@fairway/domain'
import type { Config, Database, Log, OutgoingGate, Tx } from '@fairway/platform'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { houseOf, presentWhiteLabel, recordsOf, wishOf } from './facts.ts'
import { lookAt, type Looker, type Seen } from './look.ts'
import { holdPartner, partnerOf, type WhiteLabelRow } from './store.ts'
import { endForPartner } from '../notifications/notify-partner.ts'
import { leakIncident, lostIncident, tellOfPartner } from './tell.ts'
import { keepZones, serveZone } from './zones.ts'

const POLL_MS = 2_000
const AT_ONCE = 4
/** Longer than a look at everything takes when nobody answers. */
const LEASE_SECONDS = 120
/** So often is looked while somebody sets records; then now and then. */
const SOON_SECONDS = 5
const SOON_FOR_MS = 900_000
const LATER_SECONDS = 300
const STEADY_SECONDS = 900

/** Looks after the names of partners: sees whether their records are right, and gives them out only while they are. */
export function startWhiteLabel(config: Config, gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'white-label',
    isElected: true,
    channels: ['white-label'],
    pollMs: POLL_MS,
    due: 'SELECT FROM partner WHERE checks_due_at <= now()',
    async round() {
      const due = await database.system((tx) =>
        tx.query<{ id: string }>(
          `UPDATE partner SET checks_due_at = now() + make_interval(secs => $2) WHERE id IN (SELECT id FROM partner WHERE checks_due_at <= now() ORDER BY checks_due_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id`,
          [AT_ONCE, LEASE_SECONDS],
        ),
      )
      await Promise.all(
        due.map(({ id }) =>
          keepOne({ config, gate }, database, id).catch((error: unknown) =>
            log.error({ event: 'white-label.partner-failed', partner: id, err: error }),
          ),
        ),
      )
    },
  })
}

async function keepOne(by: Looker, database: Database, id: string): Promise<void> {
  const found = await database.system(async (tx) => {
    const row = await partnerOf(tx, id)
    return row && { row, house: await houseOf(tx, by.config) }
  })
  if (!found) return
  const { row, house } = found
  const records = recordsOf(by.config, house, row)
  const seen = await lookAt(by, id, records, house)
  await database.system((tx) => settle(tx, by.config, row, records, seen))
}

const wishes = (records: readonly WantedRecord[]): string => records.map(wishOf).join('\n')

async function settle(
  tx: Tx,
  config: Config,
  { id }: WhiteLabelRow,
  records: readonly WantedRecord[],
  seen: ReadonlyMap<string, Seen>,
): Promise<void> {
  await holdPartner(tx, id)
  const row = await partnerOf(tx, id)
  if (!row) return
  // Something else is wanted since the look began: the next one is for that.
  if (wishes(recordsOf(config, await houseOf(tx, config), row)) !== wishes(records)) return lookIn(tx, id, 0)
  await writeChecks(tx, id, records, seen)
  const judged = records.map((record) => ({ ...record, state: seen.get(record.id)?.state ?? 'unknown' }) as const)
  const tolerant = config.domainProof !== 'on'
  const zones = await zonesWanted(tx, config, row, judged, tolerant)
  await keepZones(tx, id, zones)
  const isGood: boolean[] = []
  for (const { use, column, since } of [
    { use: 'nameservers', column: 'own_names_since', since: row.own_names_since },
    { use: 'cname', column: 'own_cname_since', since: row.own_cname_since },
    { use: 'sender', column: 'own_sender_since', since: row.own_sender_since },
  ] as const) {
    const own = judged.filter((record) => record.use === use)
    if (own.length === 0) {
      await endForPartner(tx, lostIncident(id, use))
      continue
    }
    const standing = standingOf(own, use, { tolerant })
    isGood.push(standing === 'good')
    if (standing === 'good') {
      if (since === null) await tx.query(`UPDATE partner SET ${column} = now() WHERE id = $1`, [id])
      await endForPartner(tx, lostIncident(id, use))
    } else if (standing === 'bad' && since !== null) {
      await tx.query(`UPDATE partner SET ${column} = NULL WHERE id = $1`, [id])
      const wrong = own.find(({ required, state }) => required && (state === 'missing' || state === 'wrong'))
      await tellOfPartner(tx, id, lostIncident(id, use), {
        event: 'white-label-lost',
        fields: {
          partner: row.company_name,
          name: `${wrong?.name ?? ''} ${wrong?.type ?? ''}`.trim(),
          seen: (seen.get(wrong?.id ?? '')?.seen ?? []).join(', ').slice(0, 200),
        },
      })
    }
  }
  await tellLeaks(tx, config, id)
  const isNew = Date.now() - row.checks_asked_at.getTime() < SOON_FOR_MS
  await lookIn(tx, id, isGood.every(Boolean) ? STEADY_SECONDS : isNew ? SOON_SECONDS : LATER_SECONDS)
}

/** The zones of a partner that lead to our name servers: those are answered, and what has never led here is not. */
async function zonesWanted(
  tx: Tx,
  config: Config,
  { id, service_domain: serviceDomain, cname_host: cnameHost }: WhiteLabelRow,
  judged: readonly (WantedRecord & Pick<Seen, 'state'>)[],
  tolerant: boolean,
): Promise<Set<string>> {
  const wanted = new Set<string>()
  const served = new Set(
    (await tx.query<{ name: string }>('SELECT name FROM partner_zone WHERE partner_id = $1', [id])).map(
      ({ name }) => name,
    ),
  )
  for (const zone of new Set([serviceDomain, cnameHost])) {
    const parts = judged.filter(
      ({ place, name, id: record, required }) =>
        place === 'parent' &&
        required &&
        zone !== null &&
        (name === zone || (zone === serviceDomain && record.startsWith('glue-'))),
    )
    if (zone === null || parts.length === 0) continue
    const led = parts.every(({ state }) => state === 'good' || (tolerant && state === 'unknown'))
    // A parent that does not answer has not changed its mind.
    const stays = served.has(zone) && parts.every(({ state }) => state === 'good' || state === 'unknown')
    if ((led && (await serveZone(tx, config, id, zone))) || stays) wanted.add(zone)
  }
  return wanted
}

async function writeChecks(
  tx: Tx,
  partnerId: string,
  records: readonly WantedRecord[],
  seen: ReadonlyMap<string, Seen>,
): Promise<void> {
  await tx.query('DELETE FROM partner_check WHERE partner_id = $1 AND record <> ALL ($2)', [
    partnerId,
    records.map(({ id }) => id),
  ])
  for (const record of records) {
    const found = seen.get(record.id)
    if (found)
      await tx.query(
        `INSERT INTO partner_check (partner_id, record, wanted, state, seen, checked_at) VALUES ($1, $2, $3, $4, $5, now())
         ON CONFLICT (partner_id, record) DO UPDATE SET wanted = $3, state = $4, seen = $5, checked_at = now()`,
        [partnerId, record.id, wishOf(record), found.state, found.seen],
      )
  }
}

/** Until nothing of the installation's own is shown to new customers, those who can change it know. */
async function tellLeaks(tx: Tx, config: Config, id: string): Promise<void> {
  const row = await partnerOf(tx, id)
  if (!row) return
  const { leaks } = await presentWhiteLabel(tx, config, row)
  const names = leaks.filter(({ reason }) => reason !== 'earlier').map(({ shown }) => shown)
  if (names.length === 0) return endForPartner(tx, leakIncident(id))
  await tellOfPartner(tx, id, leakIncident(id), {
    event: 'white-label-leaks',
    fields: { partner: row.company_name, names: names.join(', ') },
  })
}

async function lookIn(tx: Tx, id: string, seconds: number): Promise<void> {
  await tx.query('UPDATE partner SET checks_due_at = now() + make_interval(secs => $2) WHERE id = $1', [id, seconds])
}
