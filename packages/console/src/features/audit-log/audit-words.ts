import type { AuditLine, SiteVersion } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useChangeWords } from '../versions/change-words.ts'

/** Entries in the reader's language. */
export function useAuditWords() {
  const { t, i18n } = useTranslation('audit-log')
  const format = useFormat()
  const { did } = useChangeWords()
  return {
    /** `dnsRecord.create` in words; one that has none is shown as it is. */
    action: (action: string): string => (i18n.exists(`audit-log:action.${action}`) ? t(`action.${action}`) : action),
    who: ({ user, impostor }: Pick<AuditLine, 'user' | 'impostor'>): string =>
      impostor === null ? user : t('by', { impostor, user }),
    source: (source: string): string => (i18n.exists(`audit-log:source.${source}`) ? t(`source.${source}`) : source),
    /** Names of what was changed, the first few. */
    changes: ({ changes, changeCount }: Pick<AuditLine, 'changes' | 'changeCount'>): string => {
      const names = format.list(changes.map(({ label }) => label))
      return changeCount > changes.length ? `${names} ${t('more', { count: changeCount - changes.length })}` : names
    },
    did: (change: SiteVersion['changes'][number]): string => did(change),
  }
}
