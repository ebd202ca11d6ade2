import { LIMITS, type ListedStrategy } from '@fairway/contract'
import { METHOD_FEATURES } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { maximaOf } from '../plans/maxima.ts'
import { recordedRows } from '../versions/recorded-row.ts'
import { listProblems, refuseByPlan } from './checks.ts'
import { inputOf, present } from './rule.ts'
import { allStrategies, deleteStrategy, insertStrategy, setPriorities, targetIds, updateStrategy } from './store.ts'

/**
 * Makes `wanted` the strategies of a domain, in its order: one with a known id changes that strategy, the others are
 * new, and what is not in the list goes. Records what changed and nothing else.
 * @throws Failure 400 with the path of each problem; the plan's codes.
 */
export async function replaceStrategies(
  context: Context,
  domain: { id: string; name: string },
  wanted: readonly ListedStrategy[],
  path = 'strategies',
): Promise<void> {
  const { tx, site, actor, change } = context
  await refuse(context, domain.id, wanted, path)
  const old = await allStrategies(tx, domain.id)
  const oldIds = old.map((row) => row.id)
  const before = await recordedRows(tx, 'strategy', site.id, oldIds)
  const kept = new Set<string>()
  const order: string[] = []
  for (const { id, ...rule } of wanted) {
    const row = old.find((one) => one.id === id && !kept.has(one.id))
    if (row) {
      kept.add(row.id)
      order.push(row.id)
      if (JSON.stringify(inputOf(present(row))) !== JSON.stringify(inputOf(rule)))
        await updateStrategy(tx, row.id, inputOf(rule))
    } else {
      const place = { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id }
      order.push(await insertStrategy(tx, place, inputOf(rule)))
    }
  }
  for (const { id } of old) if (!kept.has(id)) await deleteStrategy(tx, id)
  await setPriorities(tx, domain.id, order)
  const after = await recordedRows(tx, 'strategy', site.id, [...new Set([...oldIds, ...order])])
  for (const id of new Set([...oldIds, ...order])) {
    const [was, is] = [before.get(id) ?? null, after.get(id) ?? null]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    change.record({ entity: 'strategy', id, label: String((is ?? was)?.['name'] ?? ''), before: was, after: is })
  }
}

async function refuse(
  { tx, actor }: Context,
  domainId: string,
  wanted: readonly ListedStrategy[],
  path: string,
): Promise<void> {
  const fields = listProblems(wanted, await targetIds(tx, domainId), path)
  if (fields.length > 0) throw new Failure(400, { fields })
  for (const rule of wanted) await refuseByPlan({ tx, actor }, rule)
  const maxima = await maximaOf(tx, actor.organizationId)
  const fixed = wanted.filter(({ method }) => METHOD_FEATURES[method] === 'dns.staticRouting').length
  if (
    wanted.length > LIMITS.strategiesPerDomain ||
    fixed > maxima.staticStrategiesPerDomain ||
    wanted.length - fixed > maxima.dynamicStrategiesPerDomain
  )
    throw new Failure(810007)
}
