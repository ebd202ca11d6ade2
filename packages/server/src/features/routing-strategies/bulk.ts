import type { routingStrategies } from '@fairway/contract'
import { canUse } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Verbs } from '../../http/register.ts'
import { maximaOf } from '../plans/maxima.ts'
import { replaceRules } from '../vsr-rules/replace.ts'
import { replaceStrategies } from './replace.ts'
import { inputOf, present } from './rule.ts'
import { changeSetting, settingOf } from './setting.ts'
import { allStrategies } from './store.ts'

type BulkVerbs = Pick<Verbs<typeof routingStrategies>, 'cloneAndReplace' | 'bulkUpdate'>

/** Gives other domains of the site the strategies, VSR rules or setting of this one. */
export const cloneAndReplace: BulkVerbs['cloneAndReplace'] = async (
  context,
  { domainIds, strategies, vsrRules, setting },
) => {
  const { tx, actor, domain, change } = context
  if (domainIds.includes(domain.id))
    throw new Failure(400, { fields: [{ path: 'domainIds', message: 'validation.duplicateValue' }] })
  const unplanned = vsrRules ? canUse([...actor.abilities], 'dns.vsr') : null
  if (unplanned) throw new Failure(unplanned)
  const list = (await allStrategies(tx, domain.id)).map((row) => inputOf(present(row)))
  const most = (await maximaOf(tx, actor.organizationId)).vsrRulesPerDomain
  // The TTL is a DNS record's, and how a domain is steered is not why it should change.
  const { ttlSeconds: _, ...wanted } = await settingOf(tx, domain.id)
  for (const { index, ...target } of await domainsOf(context, domainIds)) {
    if (strategies) await replaceStrategies(context, target, list, `domainIds.${index}.strategies`)
    if (vsrRules) await replaceRules(context, domain.id, target, most)
    if (setting) await changeSetting(context, target, wanted)
  }
  change.title = `Clone the steering of ${domain.name} to ${domainIds.length} domains`
  return { data: { domainIds }, meta: { version: change.changes.length > 0 ? await change.version() : null } }
}

/** Changes all strategies, or the setting, of several domains of the site alike. */
export const bulkUpdate: BulkVerbs['bulkUpdate'] = async (context, { domainIds, strategy, setting }) => {
  const { tx, change } = context
  for (const { index, ...target } of await domainsOf(context, domainIds)) {
    if (strategy) {
      const list = (await allStrategies(tx, target.id)).map((row) => ({
        id: row.id,
        ...inputOf({ ...present(row), ...strategy }),
      }))
      await replaceStrategies(context, target, list, `domainIds.${index}.strategies`)
    }
    if (setting) await changeSetting(context, target, setting)
  }
  change.title = `Change the steering of ${domainIds.length} domains`
  return { data: { domainIds }, meta: { version: change.changes.length > 0 ? await change.version() : null } }
}

/** Domains of the site in the order given, each with its place in it. */
async function domainsOf(
  { tx, site }: Context,
  domainIds: string[],
): Promise<{ id: string; name: string; index: number }[]> {
  const rows = await tx.query<{ id: string; name: string }>(
    'SELECT id, name FROM domain WHERE site_id = $1 AND id = ANY($2) AND removed_at IS NULL',
    [site.id, domainIds],
  )
  return [...new Set(domainIds)].map((id, index) => {
    const row = rows.find((one) => one.id === id)
    if (!row) throw new Failure(404)
    return { ...row, index }
  })
}
