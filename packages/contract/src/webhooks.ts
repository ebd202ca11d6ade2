import { z } from 'zod'
import { NotificationType } from './notifications.ts'
import { ListQuery, del, feature, get, page, post, put } from './route.ts'

const WebhookUrl = z.string().trim().max(2000).refine(isWebUrl, 'validation.url')

export const WebhookInput = z.object({
  url: WebhookUrl,
  description: z.string().trim().max(200).default(''),
  /** Notifications of these types are sent; at least one. */
  types: z.array(NotificationType).min(1, 'validation.required').max(NotificationType.options.length),
  enabled: z.boolean().default(true),
})
export type WebhookInput = z.infer<typeof WebhookInput>

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  types: z.array(NotificationType),
  enabled: z.boolean(),
  /** Why it was switched off by itself: the receiver said that it is gone, or nothing has arrived for days. */
  disabledReason: z.enum(['gone', 'failing']).nullable(),
  failingSince: z.iso.datetime().nullable(),
  /** Until when the secret before the present one signs as well. */
  previousSecretUntil: z.iso.datetime().nullable(),
  lastDeliveryAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type Webhook = z.infer<typeof Webhook>

/** One try: what came back, or why nothing did. */
export const WebhookTry = z.object({
  at: z.iso.datetime(),
  tookMs: z.int(),
  status: z.int().nullable(),
  problem: z.string().nullable(),
  /** The address that the name stood for. */
  address: z.string().nullable(),
  requestHeaders: z.record(z.string(), z.string()),
  /** The first 2,000 characters of the answer. */
  response: z.string().nullable(),
})
export type WebhookTry = z.infer<typeof WebhookTry>

export const WebhookDelivery = z.object({
  id: z.string(),
  event: z.string(),
  state: z.enum(['waiting', 'sent', 'failed']),
  body: z.string(),
  tries: z.array(WebhookTry),
  createdAt: z.iso.datetime(),
  /** When it is tried next; null when it is not. */
  nextTryAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const withSecret = z.object({ data: Webhook, secret: z.string() })

/** Signed calls to the organisation's own servers, as Standard Webhooks says. */
export const webhooks = feature('webhooks', {
  list: get('/event/v2/webhooks/', {
    out: z.object({
      data: z.array(Webhook),
      /** Whether addresses of private networks may be called. */ privateAllowed: z.boolean(),
    }),
    permission: 'ViewWebhook',
    errors: [],
  }),
  create: post('/event/v2/webhooks/', {
    in: WebhookInput,
    out: withSecret,
    permission: 'EditWebhook',
    errors: [7409],
    lasting: true,
    audit: 'webhook.create',
    changes: [],
    summary: 'The secret is in this answer only.',
  }),
  update: put('/event/v2/webhooks/{id}/', {
    in: WebhookInput,
    out: Webhook,
    permission: 'EditWebhook',
    errors: [],
    lasting: true,
    audit: 'webhook.update',
    changes: [],
  }),
  remove: del('/event/v2/webhooks/{id}/', {
    out: z.object({}),
    permission: 'EditWebhook',
    errors: [],
    audit: 'webhook.remove',
    changes: [],
  }),
  rotateSecret: post('/event/v2/webhooks/{id}/rotate-secret/', {
    out: withSecret,
    permission: 'EditWebhook',
    errors: [],
    lasting: true,
    audit: 'webhook.rotateSecret',
    changes: [],
    summary: 'A new secret; the one before signs as well for a day.',
  }),
  test: post('/event/v2/webhooks/{id}/test/', {
    out: WebhookDelivery,
    permission: 'EditWebhook',
    errors: [429],
    audit: 'webhook.test',
    changes: [],
  }),
  deliveries: get('/event/v2/webhooks/{id}/deliveries/', {
    fromReplica: true,
    in: ListQuery.extend({ state: z.enum(['waiting', 'sent', 'failed']).optional() }),
    out: page(WebhookDelivery),
    permission: 'ViewWebhook',
    errors: [],
  }),
  redeliver: post('/event/v2/webhooks/{id}/deliveries/{delivery}/redeliver/', {
    out: WebhookDelivery,
    permission: 'EditWebhook',
    errors: [429],
    audit: 'webhook.redeliver',
    changes: [],
  }),
})

/** `http` or `https`, a host, and no name or password in it. */
function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === '' &&
    url.hash === ''
  )
}
