import type { Notification } from '@fairway/contract'
import { notificationWords } from '@fairway/domain'
import { useTranslation } from 'react-i18next'
import { currentLocale } from '../../i18n/i18n.ts'

export type NewsWords = { title: string; text: string; cause: string | null }

/** What a notification says in the language of the console: once it is over, that it is. */
export function useNewsWords(): (news: Notification) => NewsWords {
  const { t } = useTranslation('notifications')
  const locale = currentLocale()
  return ({ event, fields, endedAt }) => {
    const { title, text, cause, ended } = notificationWords(locale, event, fields)
    return endedAt === null
      ? { title, text, cause: cause ?? null }
      : { title: ended ?? title, text: ended === undefined ? text : t('before', { title }), cause: cause ?? null }
  }
}
