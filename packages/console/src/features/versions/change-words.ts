import { LIMITS, type EntityChange, type SiteVersion } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useRoleWords } from '../teammates/role-words.ts'

/** Columns that say nothing to people: identities and bookkeeping. */
const SILENT =
  /(^|_)(id|ids|created_at|modified_at|removed_at|state_since|wanted_version|attempts|next_attempt_at|left_dns_at|leaves_edge)$/

/**
 * Words for what a version did, in the reader's language. The server's own title is kept for what has no words here.
 */
export function useChangeWords() {
  const { t, i18n } = useTranslation('versions')
  const format = useFormat()
  const roles = useRoleWords()
  const did = ({ entity, label, before, after }: EntityChange): string => {
    const verb = before === null ? 'added' : after === null ? 'removed' : 'changed'
    return i18n.exists(`versions:entity.${entity}`) ? t(`did.${verb}`, { what: t(`entity.${entity}`), label }) : label
  }
  return {
    did,
    title: ({ changes, changeCount, title }: SiteVersion): string => {
      const [first] = changes
      if (!first || !i18n.exists(`versions:entity.${first.entity}`)) return title
      const count = changes.length < LIMITS.versionChanges ? changes.length : changeCount
      return count === 1 ? did(first) : t('didMore', { first: did(first), count: count - 1 })
    },
    field: (name: string): string => t(`field.${name}`, { defaultValue: name.replaceAll('_', ' ') }),
    value: (name: string, value: unknown): string => {
      if (value === null || value === undefined) return name === 'ttl_seconds' ? t('auto') : '—'
      if (typeof value === 'boolean') return t(value ? 'on' : 'off')
      if (name === 'ttl_seconds' && typeof value === 'number') return format.seconds(value)
      if (name === 'roles' && Array.isArray(value)) return roles.ofIds(value) || '—'
      return plain(value)
    },
  }
}

/** The fields of a row that people compare. */
export function spoken(row: Record<string, unknown> | null): Record<string, unknown> | null {
  return row && Object.fromEntries(Object.entries(row).filter(([name]) => !SILENT.test(name)))
}

/** Lists and small objects without the punctuation of JSON: `places: country:JP, country:KR`. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.map(plain).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${plain(inner)}`)
    .join(' · ')
}
