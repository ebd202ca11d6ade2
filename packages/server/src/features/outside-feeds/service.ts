import { FEED_KEYS } from '@fairway/analytics'
import { LIMITS, outsideFeeds, type OutsideFeed, type SeenFeed } from '@fairway/contract'
import { mint, seal, type Config, type Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { withoutConnection } from '../../http/call-transaction.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { endIncident } from '../notifications/notify.ts'
import { leftOutIncident } from '../nodes/tell-left-out.ts'
import { seenFeeds } from './seen-feeds.ts'
import {
  insertOutsideFeed,
  listOutsideFeeds,
  nameTaken,
  outsideFeedById,
  replaceKey,
  updateOutsideFeed,
  type OutsideFeedRow,
} from './store.ts'

const { perOrganization, keepOldHours } = LIMITS.outsideFeeds

export const outsideFeedsSlice = slice(outsideFeeds, {
  async list({ tx, actor, now, services: { config } }) {
    const rows = await listOutsideFeeds(tx)
    const seen = rows.length > 0 ? await withoutConnection(() => seenFeeds(config, actor.organizationId)) : []
    return { data: rows.map((row) => present(config, row, now, seen)), limit: perOrganization }
  },

  async create({ tx, actor, now, change, services: { config } }, input) {
    // One after the other, so that two at once do not both find room.
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4092))', [actor.organizationId])
    if ((await listOutsideFeeds(tx)).length >= perOrganization) throw new Failure(27050)
    await refuseTaken(tx, input.name, null)
    const key = mint('feedKey').text
    const id = await insertOutsideFeed(tx, actor.organizationId, input, seal(config, FEED_KEYS, key))
    const row = await found(tx, id)
    change.record({ entity: 'outside-feed', id, label: row.name, before: null, after: recorded(row) })
    await publish(tx, actor.organizationId)
    return { data: present(config, row, now, null), key }
  },

  async update({ tx, actor, now, change, services: { config } }, { id, ...input }) {
    const before = await found(tx, id)
    await refuseTaken(tx, input.name, id)
    await updateOutsideFeed(tx, id, input)
    const row = await found(tx, id)
    change.record({ entity: 'outside-feed', id, label: row.name, before: recorded(before), after: recorded(row) })
    await publish(tx, actor.organizationId)
    return present(config, row, now, await withoutConnection(() => seenFeeds(config, actor.organizationId)))
  },

  async rotateKey({ tx, actor, now, change, services: { config } }, { id }) {
    const { name } = await found(tx, id)
    const key = mint('feedKey').text
    await replaceKey(tx, id, seal(config, FEED_KEYS, key), keepOldHours)
    change.record({ entity: 'outside-feed', id, label: name, before: { key: 'old' }, after: { key: 'new' } })
    await publish(tx, actor.organizationId)
    return { data: present(config, await found(tx, id), now, null), key }
  },

  async remove({ tx, actor, now, change }, { id }) {
    const row = await found(tx, id)
    await tx.query('DELETE FROM outside_feed WHERE id = $1', [id])
    change.record({ entity: 'outside-feed', id, label: row.name, before: recorded(row), after: null })
    await publish(tx, actor.organizationId)
    // Scores of an organisation without feeds tell nothing of them any more.
    await endIncident(tx, actor.organizationId, leftOutIncident(id), { at: now })
    return {}
  },
})

const publish = (tx: Tx, organizationId: string) => enqueue(tx, organizationId, ['outside-feeds'], organizationId)

async function found(tx: Tx, id: string): Promise<OutsideFeedRow> {
  const row = isUuid(id) ? await outsideFeedById(tx, id) : undefined
  if (!row) throw new Failure(404)
  return row
}

async function refuseTaken(tx: Tx, name: string, butOf: string | null): Promise<void> {
  if (await nameTaken(tx, name, butOf)) throw new Failure(27051, { fields: [{ path: 'name', message: 'code:27051' }] })
}

const recorded = ({ name, weight_percent, enabled }: OutsideFeedRow) => ({ name, weight_percent, enabled })

function present(config: Config, row: OutsideFeedRow, now: Date, seen: readonly SeenFeed[] | null): OutsideFeed {
  const { id, name, weight_percent: weightPercent, enabled, old_key_until: until, created_at } = row
  return {
    id,
    name,
    weightPercent,
    enabled,
    createdAt: created_at.toISOString(),
    oldKeyUntil: until !== null && until > now ? until.toISOString() : null,
    url: `${config.collectorUrl}/feeds/${id}/`,
    seen: seen?.find((one) => one.feed === id) ?? null,
  }
}
