import { type ChallengeOutcome, challengeOutcomes, type EventStore, knownThatGaveUp } from '@fairway/analytics'
import type { ChallengeMode } from '@fairway/contract'
import { challengesOf, costsPeople, frictionStep, softerMode } from '@fairway/domain'
import type { Database, Log, Tx } from '@fairway/platform'
import { uuidIn } from '../../http/tenant.ts'
import { writeAudit } from '../../http/write-audit.ts'
import { type RoundOf, eachByItself, unlessStoreIsAway } from '../../loops/unless-store-is-away.ts'
import { type RunningLoop, startWakeLoop } from '../../loops/wake-loop.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { endIncident, notify } from '../notifications/notify.ts'
import { securityPolicyOf } from '../web-security/policy.ts'
import { softens } from './friction-store.ts'

const EVERY_MS = 30_000
const HOUR_MS = 3_600_000

type Held = {
  domain_id: string
  organization_id: string
  site_id: string
  rule: string
  mode: ChallengeMode
  steps: number
  people: number
  gave_up: number
  changed_at: Date
}
type Place = { organizationId: string; siteId: string; domainId: string; rule: string }
type Counts = Pick<ChallengeOutcome, 'people' | 'gaveUp' | 'challenged' | 'lately'>
const NOTHING: Counts = { people: 0, gaveUp: 0, challenged: 0, lately: 0 }

/** Softens challenges that people give up, and puts them back when an attack shows. */
export function startFrictionWatch(database: Database, events: EventStore, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'watch-friction',
    isElected: true,
    pollMs: EVERY_MS,
    round: ({ stopped }) =>
      unlessStoreIsAway(events, log, () => watchFriction(database, events, Date.now(), { log, stopped })),
  })
}

/** One look at the last hour. `now` is epoch ms. */
export async function watchFriction(
  database: Database,
  events: EventStore,
  now: number,
  { log, stopped }: RoundOf,
): Promise<void> {
  const of = { database, events, log, stopped }
  const { hasDomains, held, attacked } = await database.system(async (tx) => ({
    hasDomains: (await tx.query('SELECT FROM domain LIMIT 1')).length > 0,
    held: await tx.query<Held>('SELECT * FROM challenge_softening WHERE steps > 0'),
    attacked: await tx.query<{ incident: string }>(
      `SELECT incident FROM notification WHERE event = 'attack' AND incident IS NOT NULL AND ended_at IS NULL`,
    ),
  }))
  // The store is not asked of what nobody has.
  if (!hasDomains) return
  const outcomes = await challengeOutcomes(events, { from: now - HOUR_MS, now })
  const attacks = new Set(attacked.map(({ incident }) => incident))
  const all = new Map<string, { place: Place; counts: Counts }>()
  for (const { domain_id, organization_id, site_id, rule } of held)
    all.set(`${organization_id} ${domain_id} ${rule}`, {
      place: { organizationId: organization_id, siteId: site_id, domainId: domain_id, rule },
      counts: NOTHING,
    })
  for (const { organization, site, domain, rule, ...counts } of outcomes) {
    const key = `${organization} ${domain} ${rule}`
    if (counts.people > 0 || all.has(key))
      all.set(key, { place: { organizationId: organization, siteId: site, domainId: domain, rule }, counts })
  }
  const look = async ({ place, counts: seen }: { place: Place; counts: Counts }) => {
    const counts = costsPeople(seen) ? await ofPeople(events, place, seen, now) : seen
    await database.system((tx) => follow(tx, place, counts, attacks.has(`attack:${place.domainId}`), now))
  }
  const each = { ...of, event: 'watch-friction.rule-failed' }
  await eachByItself(each, all.values(), look, ({ place }) => place.organizationId)
}

/** Without those who gave up and were never seen before. Only asked where it may decide: a day's log is looked through. */
async function ofPeople(events: EventStore, place: Place, counts: Counts, now: number): Promise<Counts> {
  const gaveUp = await knownThatGaveUp(events, { from: now - HOUR_MS, now, ...place })
  return { ...counts, people: counts.people - counts.gaveUp + gaveUp, gaveUp }
}

async function follow(tx: Tx, place: Place, counts: Counts, isAttacked: boolean, now: number): Promise<void> {
  const { organizationId, domainId, rule } = place
  // What the log says is of yesterday: the domain may be gone, or another's.
  const [domain] = await tx.query<{ name: string }>(
    `SELECT name FROM domain WHERE id = ${uuidIn('$1::text')} AND organization_id = ${uuidIn('$2::text')} AND removed_at IS NULL FOR UPDATE`,
    [domainId, organizationId],
  )
  if (!domain) return
  const [row] = await tx.query<Held>('SELECT * FROM challenge_softening WHERE domain_id = $1 AND rule = $2', [
    domainId,
    rule,
  ])
  const asked = challengesOf(await securityPolicyOf(tx, domainId)).find((one) => one.rule === rule)
  const isOn = await softens(tx, domainId)
  if (asked === undefined || !isOn || (row && row.mode !== asked.mode)) {
    // Somebody has decided anew, and that was published with it.
    if (row) await forget(tx, place)
    return
  }
  const steps = row?.steps ?? 0
  const step = frictionStep({
    mode: asked.mode,
    steps,
    secondsSince: row ? (now - row.changed_at.getTime()) / 1000 : null,
    people: counts.people,
    gaveUp: counts.gaveUp,
    lately: counts.lately,
    hour: counts.challenged,
    isAttacked,
  })
  if (step === 'keep') return
  const next = step === 'soften' ? steps + 1 : 0
  await tx.query(
    `INSERT INTO challenge_softening (domain_id, rule, organization_id, site_id, mode, steps, people, gave_up, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (domain_id, rule) DO UPDATE SET mode = $5, steps = $6, people = $7, gave_up = $8, changed_at = $9`,
    [domainId, rule, organizationId, place.siteId, asked.mode, next, counts.people, counts.gaveUp, new Date(now)],
  )
  await tell(tx, place, domain.name, {
    step,
    name: asked.name,
    before: softerMode(asked.mode, steps),
    after: softerMode(asked.mode, next),
    counts,
    now,
  })
}

async function forget(tx: Tx, { organizationId, domainId, rule }: Place): Promise<void> {
  await tx.query('DELETE FROM challenge_softening WHERE domain_id = $1 AND rule = $2', [domainId, rule])
  await endAll(tx, organizationId, domainId, rule, new Date())
}

/** Each step is an incident of its own; they end together. */
async function endAll(tx: Tx, organizationId: string, domainId: string, rule: string, at: Date): Promise<void> {
  // Those of before, too, when it went on to nothing.
  for (const softer of ['browser-standard', 'browser-no-delay', 'none'])
    await endIncident(tx, organizationId, incidentOf(domainId, rule, softer), { at })
}

const incidentOf = (domainId: string, rule: string, softer: string) =>
  `challenge-softened:${domainId}:${rule}:${softer}`

type Change = {
  step: 'soften' | 'restore' | 'expire'
  name: string
  before: ChallengeMode
  after: ChallengeMode
  counts: Counts
  now: number
}

/** Publishes it, and says so in the history, the audit log and to people. */
async function tell(tx: Tx, place: Place, domain: string, change: Change): Promise<void> {
  const { organizationId, siteId, domainId, rule } = place
  const { step, name, before, after, counts, now } = change
  const what = rule === 'level' ? 'the security level' : `“${name}”`
  const version = await systemVersion(tx, {
    organizationId,
    siteId,
    title:
      step === 'soften'
        ? `Soften the challenge of ${what} at ${domain}: people gave it up`
        : `Put back the challenge of ${what} at ${domain}${step === 'restore' ? ': signs of an attack' : ''}`,
    kinds: ['edge-security'],
    changes: [],
  })
  if (step !== 'soften') await endAll(tx, organizationId, domainId, rule, new Date(now))
  else
    await notify(tx, {
      organizationId,
      siteId,
      event: 'challenge-softened',
      fields: { domain, rule: name, mode: before, softer: after, people: counts.people, gaveUp: counts.gaveUp },
      incident: incidentOf(domainId, rule, after),
      at: new Date(now),
    })
  await writeAudit(tx, {
    organizationId,
    action: step === 'soften' ? 'challenge.soften' : 'challenge.restore',
    userId: null,
    userLabel: 'system',
    source: 'system',
    siteId,
    domain,
    version,
    changes: [
      {
        entity: 'challenge-friction',
        id: domainId,
        label: rule === 'level' ? domain : name,
        before: { challenge: before },
        after: { challenge: after, people: counts.people, gave_up: counts.gaveUp },
      },
    ],
  })
}
