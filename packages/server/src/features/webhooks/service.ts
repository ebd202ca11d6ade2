import { LIMITS, webhooks } from '@fairway/contract'
import { newWebhookSecret } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { checkUrl } from './check-url.ts'
import { enqueueDelivery } from './enqueue-deliveries.ts'
import { sealSecret } from './secrets.ts'
import { shownUrl } from './shown-url.ts'
import {
  countAskedFor,
  deliverAgain,
  deliveryById,
  endWaiting,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  presentDelivery,
  presentWebhook,
  replaceSecret,
  updateWebhook,
  webhookById,
  type DeliveryRow,
  type WebhookRow,
} from './store.ts'

/** So long receivers have time to learn the new secret. */
const OLD_SECRET_HOURS = 24

export const webhooksSlice = slice(webhooks, {
  async list({ tx, now, services }) {
    return {
      data: (await listWebhooks(tx)).map((row) => presentWebhook(row, now)),
      privateAllowed: services.config.privateNetworks.length > 0,
    }
  },

  async create({ tx, actor, now, services, change }, input) {
    await checkUrl(services.gate, actor.organizationId, input.url)
    // One after the other, so that two at once do not both find room.
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4713))', [actor.organizationId])
    if ((await listWebhooks(tx)).length >= LIMITS.webhooksPerOrganization)
      throw new Failure(7409, { internal: 'no more webhooks' })
    const secret = newWebhookSecret()
    const id = await insertWebhook(tx, actor.organizationId, input, sealSecret(services.config, secret))
    const row = await found(tx, id)
    change.record({ entity: 'webhook', id, label: shownUrl(row.url), before: null, after: recorded(row) })
    return { data: presentWebhook(row, now), secret }
  },

  async update({ tx, actor, now, services, change }, { id, ...input }) {
    const before = await found(tx, id, { hold: true })
    await checkUrl(services.gate, actor.organizationId, input.url)
    await updateWebhook(tx, id, input)
    if (input.enabled !== before.enabled) await endWaiting(tx, id)
    const row = await found(tx, id)
    change.record({ entity: 'webhook', id, label: shownUrl(row.url), ...editOf(before, row) })
    return presentWebhook(row, now)
  },

  async remove({ tx, change }, { id }) {
    const row = await found(tx, id, { hold: true })
    await tx.query('DELETE FROM webhook_endpoint WHERE id = $1', [id])
    change.record({ entity: 'webhook', id, label: shownUrl(row.url), before: recorded(row), after: null })
    return {}
  },

  async rotateSecret({ tx, now, services, change }, { id }) {
    const row = await found(tx, id, { hold: true })
    const secret = newWebhookSecret()
    await replaceSecret(tx, id, sealSecret(services.config, secret), OLD_SECRET_HOURS)
    change.record({
      entity: 'webhook',
      id,
      label: shownUrl(row.url),
      before: { secret: 'old' },
      after: { secret: 'new' },
    })
    return { data: presentWebhook(await found(tx, id), now), secret }
  },

  async test({ tx, actor, now }, { id }) {
    const row = await callable(tx, id)
    await refuseMany(tx, id)
    const delivery = await enqueueDelivery(tx, {
      organizationId: actor.organizationId,
      endpointId: row.id,
      event: 'webhook.test',
      data: { webhook: row.id, requestedBy: actor.label },
      at: now,
    })
    return presentDelivery(await foundDelivery(tx, id, delivery))
  },

  async deliveries({ tx }, { id, ...query }) {
    await found(tx, id)
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listDeliveries(tx, id, { state: query.state ?? null, limit, offset })
    return { data: rows.map(presentDelivery), meta: meta(total) }
  },

  async redeliver({ tx }, { id, delivery }) {
    await callable(tx, id)
    if (!isUuid(delivery)) throw new Failure(404)
    await foundDelivery(tx, id, delivery)
    await refuseMany(tx, id)
    await deliverAgain(tx, delivery)
    return presentDelivery(await foundDelivery(tx, id, delivery))
  },
})

async function found(tx: Tx, id: string, options: { hold?: boolean } = {}): Promise<WebhookRow> {
  const row = await webhookById(tx, id, options)
  if (!row) throw new Failure(404)
  return row
}

/** A webhook that is switched off is not called, not even for a test. */
async function callable(tx: Tx, id: string): Promise<WebhookRow> {
  const row = await found(tx, id, { hold: true })
  if (!row.enabled) throw new Failure(7409, { internal: 'the webhook is off' })
  return row
}

/** One after the other by the webhook's own row. */
async function refuseMany(tx: Tx, id: string): Promise<void> {
  if ((await countAskedFor(tx, id)) >= LIMITS.webhookTestsWaiting)
    throw new Failure(429, { internal: 'too many tests wait already' })
}

async function foundDelivery(tx: Tx, endpointId: string, id: string): Promise<DeliveryRow> {
  const row = await deliveryById(tx, endpointId, id)
  if (!row) throw new Failure(404)
  return row
}

/** Another address of the same host looks like the one before. */
function editOf(before: WebhookRow, after: WebhookRow) {
  const [was, is] = [recorded(before), recorded(after)]
  return before.url !== after.url && was['url'] === is['url']
    ? { before: { ...was, path: 'old' }, after: { ...is, path: 'new' } }
    : { before: was, after: is }
}

const recorded = ({ url, description, types, enabled }: WebhookRow): Record<string, unknown> => ({
  url: shownUrl(url),
  description,
  types,
  enabled,
})
