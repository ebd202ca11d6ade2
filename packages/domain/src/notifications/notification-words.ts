import type { Locale, NotificationFields } from '@fairway/contract'
import { isNotificationEvent } from './events.ts'
import { en } from './words/en.ts'
import type { NotificationWords } from './words/event-words.ts'
import { zhHans } from './words/zh-hans.ts'
import { zhHant } from './words/zh-hant.ts'

const WORDS = { en, zhHant, zhHans } as const satisfies Record<Locale, object>

/** What happened, in a person's language. An event of a newer or older release is called by its name. */
export function notificationWords(locale: Locale, event: string, fields: NotificationFields): NotificationWords {
  if (!isNotificationEvent(event)) return { title: event, text: '' }
  // The fields of an event are what it was told with; the union of all functions cannot follow that.
  const say = WORDS[locale][event] as (fields: NotificationFields) => NotificationWords
  return say(fields)
}
