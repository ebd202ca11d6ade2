import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { targetIds } from '../routing-strategies/store.ts'
import { recordedRows } from '../versions/recorded-row.ts'
import { allRules, deleteRule, insertRule } from './store.ts'

/**
 * Gives `target` the VSR rules of another domain in the place of its own.
 * @throws Failure 810008 when they are more than the plan allows, 810011 when one is for a CDN that the target lacks.
 */
export async function replaceRules(
  { tx, actor, site, change }: Context,
  fromId: string,
  target: { id: string },
  most: number,
): Promise<void> {
  const [wanted, old, installed] = [
    await allRules(tx, fromId),
    await allRules(tx, target.id),
    await targetIds(tx, target.id),
  ]
  if (wanted.length > most) throw new Failure(810008)
  if (wanted.some(({ cdn_id }) => cdn_id !== null && !installed.has(cdn_id))) throw new Failure(810011)
  const oldIds = old.map(({ id }) => id)
  const before = await recordedRows(tx, 'vsr_rule', site.id, oldIds)
  for (const { id, name } of old) {
    await deleteRule(tx, id)
    change.record({ entity: 'vsr-rule', id, label: name, before: before.get(id) ?? null, after: null })
  }
  const place = { organizationId: actor.organizationId, siteId: site.id, domainId: target.id }
  for (const row of wanted) {
    const id = await insertRule(tx, place, {
      name: row.name,
      enabled: row.enabled,
      filter: row.filter,
      cdnId: row.cdn_id,
      mimickedAddress: row.mimicked_address,
      mimickedLocation: row.mimicked_location,
    })
    const after = (await recordedRows(tx, 'vsr_rule', site.id, [id])).get(id) ?? null
    change.record({ entity: 'vsr-rule', id, label: row.name, before: null, after })
  }
}
