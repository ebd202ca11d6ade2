import { NotificationType, notifications, type NotificationPreference } from '@fairway/contract'
import { allPreferences } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { UserActor } from '../../http/actor.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import {
  choosePreference,
  chosenPreferences,
  countUnread,
  hookType,
  listNews,
  markAll,
  markOne,
  presentNews,
  unhookedTypes,
} from './store.ts'

const ORDER = { created_at: 'n.created_at' }

export const notificationsSlice = slice(notifications, {
  async list({ tx, actor }, query) {
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listNews(tx, actor, {
      type: query.type ?? null,
      level: query.level ?? null,
      state: query.state,
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    return { data: rows.map(presentNews), meta: meta(total) }
  },

  async unreadCount({ tx, actor }) {
    return { unreadCount: await countUnread(tx, actor) }
  },

  async markRead({ tx, actor }, { id, read }) {
    if (!(await markOne(tx, actor, id, read))) throw new Failure(404)
    return { unreadCount: await countUnread(tx, actor) }
  },

  async markAllRead({ tx, actor }) {
    await markAll(tx, actor)
    return { unreadCount: await countUnread(tx, actor) }
  },

  async preferences({ tx, actor }) {
    return { data: await preferencesOf(tx, actor) }
  },

  async setPreference({ tx, actor }, { type, inApp, mail }) {
    const known = typeOf(type)
    await choosePreference(tx, actor, known, { inApp, mail })
    return preferenceOf(tx, actor, known)
  },

  async setWebhook({ tx, actor, change }, { type, webhook }) {
    const known = typeOf(type)
    const before = await preferenceOf(tx, actor, known)
    await hookType(tx, actor, known, webhook)
    if (before.webhook !== webhook)
      change.record({
        entity: 'notification-webhook',
        id: known,
        label: known,
        before: { webhook: before.webhook },
        after: { webhook },
      })
    return { ...before, webhook }
  },
})

/** The type that the path names. @throws Failure 404 */
function typeOf(text: string): NotificationType {
  const parsed = NotificationType.safeParse(text)
  if (!parsed.success) throw new Failure(404)
  return parsed.data
}

const preferencesOf = async (tx: Tx, actor: UserActor): Promise<NotificationPreference[]> =>
  allPreferences(await chosenPreferences(tx, actor.userId), await unhookedTypes(tx))

async function preferenceOf(tx: Tx, actor: UserActor, type: NotificationType): Promise<NotificationPreference> {
  const found = (await preferencesOf(tx, actor)).find((preference) => preference.type === type)
  if (!found) throw new Failure(404)
  return found
}
