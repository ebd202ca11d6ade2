import { bulkConfigure, type BulkChange, type EntityChange, isSpending, type PublicationKind } from '@fairway/contract'
import { canUse } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { UserActor } from '../../http/actor.ts'
import { commitChange } from '../../http/commit-change.ts'
import { ChangeRecorder, type Context, type Services } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { refuseCall } from '../../http/handle.ts'
import { refuseSpending } from '../../http/spending.ts'
import { readTenant } from '../../http/tenant.ts'
import { stepsFor, type Step } from './steps.ts'

export type Applying = { tx: Tx; actor: UserActor; services: Services; now: Date; requestId: string; isTrial?: boolean }
export type Applied = { changes: EntityChange[]; version: number | null }

/** Audited apart from the request for the job. */
const APPLIED = { ...bulkConfigure.routes.create, audit: 'bulk.apply' }

/**
 * Brings one domain to what is wanted, by the verbs and rules of the single screens, as one version with one audit
 * entry.
 * @throws Failure what the first of them refuses; the caller's transaction then keeps nothing
 */
export async function applyTo(
  applying: Applying,
  place: { site: string; domain: string },
  change: BulkChange,
): Promise<Applied> {
  const { tx, actor } = applying
  const recorder = new ChangeRecorder(tx)
  const { site, domain } = await readTenant(tx, place, true)
  if (!site || !domain) throw new Failure(404)
  recorder.siteId = site.id
  recorder.isTrial = applying.isTrial ?? false
  const kinds = new Set<PublicationKind>()
  const titles: string[] = []
  for (const step of await stepsFor(tx, domain, change)) {
    const known = recorder.changes.length
    recorder.kinds = null
    const route = await run(applying, recorder, place, step)
    if (recorder.changes.length === known) continue
    for (const kind of recorder.kinds ?? route.changes ?? []) kinds.add(kind)
    titles.push(recorder.title)
  }
  if (recorder.changes.length === 0) return { changes: [], version: null }
  recorder.kinds = [...kinds]
  recorder.title = titles.length === 1 && titles[0] ? titles[0] : `Configure ${domain.name}`
  await commitChange(tx, applying.services.config, APPLIED, actor, recorder, domain.name)
  return { changes: recorder.changes, version: kinds.size > 0 ? await recorder.version() : null }
}

/** What the wrapper of the API does for a call, with the row of the domain as the step before has left it. */
async function run(
  { tx, actor, services, now, requestId }: Applying,
  change: ChangeRecorder,
  place: { site: string; domain: string },
  { slice, verb, input }: Step,
) {
  const route = slice.feature.routes[verb]
  const work = slice.verbs[verb]
  if (!route || !work) throw new Error(`${slice.feature.name} has no ${verb}`)
  refuseCall(route, actor)
  const missing = route.planFeature ? canUse([...actor.abilities], route.planFeature) : null
  if (missing) throw new Failure(missing)
  if (isSpending(route, input)) await refuseSpending(tx, actor.organizationId)
  const { site, domain } = await readTenant(tx, place, true)
  const context = { tx, actor, services, now, requestId, reply: null, userAgent: null, change, site, domain }
  const { id, ...rest } = input
  await work(
    context as unknown as Context<never>,
    { ...(route.in.parse(rest) as object), ...place, ...(id === undefined ? {} : { id }) } as never,
  )
  return route
}
