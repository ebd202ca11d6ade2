import type { HeaderRule } from '@fairway/contract'
import { headerConflicts } from '@fairway/domain'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/page/notice.tsx'
import type { HeaderChanges } from './operation-fields.tsx'

/** What the rule would break or fight with, told before it is saved. */
export function Conflicts({ changes, others }: { changes: HeaderChanges; others: readonly HeaderRule[] }) {
  const { t } = useTranslation('http-header-rewrite')
  const found = headerConflicts({ ...changes, name: '', enabled: true }, others)
  if (found.length === 0) return null
  return (
    <Notice tone="warn" title={t('conflict.title')}>
      <ul>
        {found.map(({ code, header, ruleName }) => (
          <li key={`${code} ${header} ${ruleName}`}>{t(`conflict.${code}`, { header, name: ruleName })}</li>
        ))}
      </ul>
    </Notice>
  )
}
