import { type EventStore, vendorUsage, viewedUsage } from '@fairway/analytics'
import { monthOf, quotaReached, trialState } from '@fairway/domain'
import type { Config, Database, Log, Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { mustAnswer } from '../../loops/must-answer.ts'
import { streamSiteKeys } from '../../publish/stream-site.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { stopLive } from '../live-streams/stop-live.ts'
import { type AccountRow, accountOf, followedAccounts, updateAccount } from './account-store.ts'
import { creditOf } from './credit-store.ts'
import { allowancesOf, spentOf } from './fees.ts'
import { openInvoices } from './invoice-store.ts'
import { isHeldBack } from './serving-stops-at.ts'
import { tellCapped, tellLocked, tellNearCap, tellUncapped } from './tell-customer.ts'
import { streamUsage } from './stream-usage.ts'
import { UsageSoFar } from './usage-so-far.ts'
import { usageOf, writeUsage } from './usage-store.ts'

const DAY_MS = 86_400_000
/** From this share of the limit on people are warned, in hundredths. */
const WARN_AT_PERCENT = 80
/** A trial that is over is served on for so long; without a card the edge then stops. */
const GRACE_DAYS = 7

export type CountSpan = { daysBack: number; vendorDaysBack: number; now: Date }
/** Of the days in `soFar` only the last minutes' logs are read, unless `whole` days are asked for. */
export type CountOptions = { soFar?: UsageSoFar; whole?: boolean }

/** Counts days up to now from the serving nodes' logs, and from what vendors say, which is corrected for longer. */
export async function countUsage(
  database: Database,
  events: EventStore,
  { daysBack, vendorDaysBack, now }: CountSpan,
  { soFar = new UsageSoFar(), whole = true }: CountOptions = {},
): Promise<void> {
  try {
    // The store is not asked of what nobody has used.
    if (!(await hasCustomers(database))) return await database.system((tx) => noteCounted(tx, now))
    const [logged, told] = await Promise.all([
      soFar.of(events, { from: spanOf(now, daysBack).from, now: now.getTime(), whole }),
      vendorUsage(events, spanOf(now, vendorDaysBack)),
    ])
    await database.system(async (tx) => {
      await writeUsage(tx, logged)
      await writeUsage(tx, await streamUsage(tx, spanOf(now, daysBack)))
      await writeUsage(tx, told, { corrects: true })
      await noteCounted(tx, now)
    })
  } catch (error) {
    soFar.forget()
    throw error
  }
}

/** Counts the views of videos in days up to now. */
export async function countViews(
  database: Database,
  events: EventStore,
  { daysBack, now }: Pick<CountSpan, 'daysBack' | 'now'>,
  { soFar = new UsageSoFar(viewedUsage), whole = true }: CountOptions = {},
): Promise<void> {
  try {
    if (!(await hasCustomers(database))) return
    const viewed = await soFar.of(events, { from: spanOf(now, daysBack).from, now: now.getTime(), whole })
    await database.system((tx) => writeUsage(tx, viewed))
  } catch (error) {
    soFar.forget()
    throw error
  }
}

function spanOf(now: Date, days: number): { from: number; until: number } {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  return { from: today - days * DAY_MS, until: today + DAY_MS }
}

const hasCustomers = (database: Database): Promise<boolean> =>
  database.system(async (tx) => (await tx.query('SELECT FROM organization LIMIT 1')).length > 0)

const noteCounted = async (tx: Tx, now: Date): Promise<void> =>
  void (await tx.query('UPDATE installation SET usage_counted_at = $1', [now]))

/**
 * What the counted usage means for each account: its limit, its quota, its trial. One transaction each, so that one
 * fault holds up nobody else; nor does one for which the database has no room, while it answers others.
 */
export async function findFacts(config: Config, database: Database, log: Log, now: Date): Promise<void> {
  for (const { organization_id } of await database.system((tx) => followedAccounts(tx))) {
    const finding = database.system(async (tx) =>
      findFactsOf(tx, config, await accountOf(tx, organization_id, { lock: true }), now),
    )
    await finding.catch(async (error: unknown) => {
      await mustAnswer(database, error)
      log.error({ event: 'billing.facts-not-found', organization: organization_id, err: error })
    })
  }
}

/**
 * @returns the account's facts as they are now; people are told, and the edge is stopped or started, when one has
 * changed
 */
export async function findFactsOf(tx: Tx, config: Config, account: AccountRow, now: Date): Promise<void> {
  const month = monthOf(now.getTime())
  const { feesMinor, usageMinor } = await spentOf(tx, account, month)
  const spent = feesMinor + usageMinor
  const cap = account.cap_minor
  const capped = cap !== null && spent >= cap
  const near = cap !== null && spent * 100 >= cap * WARN_AT_PERCENT
  const full =
    account.over_usage === 'stop' &&
    quotaReached(await usageOf(tx, account.organization_id, month), await allowancesOf(tx, account, month))
  const trialOver =
    account.billed &&
    account.category === 'trial' &&
    !account.payment_method_ref &&
    trialState(
      {
        startedAt: account.trial_started_at?.getTime() ?? null,
        days: account.trial_days,
        creditLeftMinor: await creditOf(tx, account.organization_id, account.currency, now),
        openMinor: usageMinor,
      },
      now.getTime(),
    ).over !== null
  const forgotten =
    trialOver && account.trial_over_at !== null && now.getTime() - account.trial_over_at.getTime() > GRACE_DAYS * DAY_MS
  const since = (is: boolean, before: Date | null): Date | null => (is ? (before ?? now) : null)
  const held = {
    locked_at: since(await owes(tx, account), account.locked_at),
    suspended_at: since(account.suspended, account.suspended_at),
  }
  const heldBack = isHeldBack({ ...account, ...held }, now)
  const stop = (capped && account.cap_action === 'stop') || forgotten || heldBack

  if (capped && !account.cap_reached_at) await tellCapped(tx, config, account, spent)
  if (!capped && account.cap_reached_at) await tellUncapped(tx, account.organization_id)
  if (near && !capped && !account.cap_warned_at) await tellNearCap(tx, account, spent)
  // Locked before its debt was found, or by a release that did not stop anything: nobody has told the date yet.
  if (held.locked_at && !account.locked_at) await tellLocked(tx, config, { ...account, ...held })
  const facts = {
    ...held,
    cap_reached_at: since(capped, account.cap_reached_at),
    cap_warned_at: since(near, account.cap_warned_at),
    quota_reached_at: since(full, account.quota_reached_at),
    trial_over_at: since(trialOver, account.trial_over_at),
    serving_stopped_at: since(stop, account.serving_stopped_at),
  }
  const title = heldBack ? 'Edge stopped: the account is locked or suspended' : OVERSPENT
  const changed = (Object.keys(facts) as (keyof typeof facts)[]).some(
    (name) => facts[name]?.getTime() !== account[name]?.getTime(),
  )
  if (changed) await updateAccount(tx, account.organization_id, facts)
  if (stop !== (account.serving_stopped_at !== null))
    await switchServing(tx, account.organization_id, stop ? title : 'Edge started again')
  // Also of one that a release before has stopped, which left them on.
  if (stop) await stopLive(tx, account.organization_id)
}

/** Only a debt stops serving: a lock by hand with nothing to pay closes the account alone, and contracts are people's. */
async function owes(tx: Tx, { status, category, organization_id }: AccountRow): Promise<boolean> {
  if (status !== 'locked' || category === 'contract') return false
  return (await openInvoices(tx, organization_id)).some((invoice) => invoice.status === 'unpaid')
}

const OVERSPENT = 'Edge stopped: the spending limit is reached or the trial is over'

/**
 * A version of every site, so that what became of it is seen in its history and on every node. Videos have no history:
 * their hosts come and go.
 */
async function switchServing(tx: Tx, organizationId: string, title: string): Promise<void> {
  const sites = await tx.query<{ id: string }>('SELECT id FROM site WHERE organization_id = $1 ORDER BY id', [
    organizationId,
  ])
  for (const { id } of sites)
    await systemVersion(tx, {
      organizationId,
      siteId: id,
      title,
      kinds: ['edge-site'],
      changes: [],
    })
  for (const key of await streamSiteKeys(tx, organizationId)) await enqueue(tx, organizationId, ['edge-site'], key)
}
