import type { CrsInspection, CrsSettings } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Notice } from '../../ui/page/notice.tsx'

/** Says loudly when requests are not inspected, and what becomes of them meanwhile. */
export function InspectionNotice({
  inspection: { nodes, ruleSet },
  onFailure,
}: {
  inspection: CrsInspection
  onFailure: CrsSettings['onFailure']
}) {
  const { t } = useTranslation('crs-rules')
  const format = useFormat()
  const failing = nodes.filter(({ state }) => state === 'failed')
  const silent = nodes.filter(({ state }) => state === 'unknown')
  const refused = nodes.filter(({ state, problem }) => state === 'running' && problem !== '')
  if (failing.length > 0)
    return (
      <Notice tone="bad" title={t('failing.title', { nodes: format.list(failing.map(({ node }) => node)) })}>
        {t(`failing.${onFailure}`)} {failing[0]?.problem}
      </Notice>
    )
  if (refused.length > 0)
    return (
      <Notice tone="warn" title={t('refused.title', { ruleSet: refused[0]?.ruleSet })}>
        {t('refused.text')} <code>{refused[0]?.problem}</code>
      </Notice>
    )
  if (nodes.length === 0 || silent.length === nodes.length)
    return (
      <Notice tone="warn" title={t('silent.title')}>
        {t('silent.text')}
      </Notice>
    )
  return ruleSet === '' ? (
    <Notice tone="warn" title={t('noList.title')}>
      {t('noList.text')}
    </Notice>
  ) : null
}
