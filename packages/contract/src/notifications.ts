import { z } from 'zod'
import { NOTIFICATION_LEVELS, NOTIFICATION_TYPES } from './lean.ts'
import { ListQuery, feature, get, page, post, put } from './route.ts'

export const NotificationType = z.enum(NOTIFICATION_TYPES)
export type NotificationType = z.infer<typeof NotificationType>

export const NotificationLevel = z.enum(NOTIFICATION_LEVELS)
export type NotificationLevel = z.infer<typeof NotificationLevel>

/** A change of a site shortly before: perhaps the cause. */
export const NearbyChange = z.object({
  siteId: z.string(),
  siteName: z.string(),
  version: z.int(),
  title: z.string(),
  author: z.string(),
  at: z.iso.datetime(),
})
export type NearbyChange = z.infer<typeof NearbyChange>

export const NotificationFields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
export type NotificationFields = z.infer<typeof NotificationFields>

export const Notification = z.object({
  id: z.string(),
  type: NotificationType,
  level: NotificationLevel,
  /** Name of what happened; its words are `notificationWords(locale, event, fields)`. */
  event: z.string(),
  fields: NotificationFields,
  siteId: z.string().nullable(),
  siteName: z.string().nullable(),
  /** Where to look, as a path of the console; null when there is no place for it. */
  link: z.string().nullable(),
  change: NearbyChange.nullable(),
  createdAt: z.iso.datetime(),
  /** True for what lasts until it ends. */
  isIncident: z.boolean(),
  endedAt: z.iso.datetime().nullable(),
  read: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

const NotificationQuery = ListQuery.extend({
  type: NotificationType.optional(),
  level: NotificationLevel.optional(),
  /** `open`: incidents that have not ended. */
  state: z.enum(['all', 'unread', 'read', 'open']).default('all'),
})

export const MailLevel = z.enum([...NOTIFICATION_LEVELS, 'off'])
export type MailLevel = z.infer<typeof MailLevel>

/** What of one type a user hears of. */
export const NotificationPreference = z.object({
  type: NotificationType,
  inApp: z.boolean(),
  /** The least urgent level that comes by mail. */
  mail: MailLevel,
  /** Whether the organisation's webhooks get it; the same for all its users. */
  webhook: z.boolean(),
})
export type NotificationPreference = z.infer<typeof NotificationPreference>

export const notifications = feature('notifications', {
  list: get('/event/v2/notifications/', {
    fromReplica: true,
    in: NotificationQuery,
    out: page(Notification),
    permission: 'signed-in',
    errors: [],
  }),
  unreadCount: get('/event/v2/notifications/unread-count/', {
    out: z.object({ unreadCount: z.int() }),
    permission: 'signed-in',
    errors: [],
  }),
  markRead: put('/event/v2/notifications/{id}/read/', {
    in: z.object({ read: z.boolean().default(true) }),
    out: z.object({ unreadCount: z.int() }),
    permission: 'signed-in',
    errors: [],
    audit: null,
    changes: [],
  }),
  markAllRead: post('/event/v2/notifications/mark-all-read/', {
    out: z.object({ unreadCount: z.int() }),
    permission: 'signed-in',
    errors: [],
    audit: null,
    changes: [],
  }),
  preferences: get('/event/v2/preferences/', {
    out: z.object({ data: z.array(NotificationPreference) }),
    inSession: true,
    permission: 'signed-in',
    errors: [],
  }),
  setPreference: put('/event/v2/preferences/{type}/', {
    in: NotificationPreference.pick({ inApp: true, mail: true }),
    out: NotificationPreference,
    personal: true,
    permission: 'signed-in',
    errors: [],
    audit: null,
    changes: [],
  }),
  setWebhook: put('/event/v2/preferences/{type}/webhook/', {
    in: z.object({ webhook: z.boolean() }),
    out: NotificationPreference,
    permission: 'EditWebhook',
    errors: [],
    audit: 'notification.webhook',
    changes: [],
    summary: "Whether the organisation's webhooks are called for notifications of a type.",
  }),
})
