import type { CrsRule } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import classes from './crs-rules.module.css'

const TONES: Record<CrsRule['action'], Tone> = { block: 'bad', simulate: 'warn', pass: 'neutral' }

export function useRuleColumns(): Columns<CrsRule> {
  const { t } = useTranslation('crs-rules')
  return useMemo(() => {
    const column = columnsFor<CrsRule>()
    return column.columns([
      column.accessor('ruleId', {
        header: t('rules.id'),
        meta: { widthPx: 96, card: 'lead' },
        cell: ({ getValue }) => <span className="num">{getValue()}</span>,
      }),
      column.accessor('message', {
        header: t('rules.message'),
        meta: { leastPx: 220, card: 'title' },
        cell: ({ row: { original } }) => (
          <span className={original.isAsked && original.enabled ? undefined : classes.asleep}>{original.message}</span>
        ),
      }),
      column.accessor('set', {
        header: t('rules.set'),
        meta: { widthPx: 150, card: 'detail' },
        cell: ({ getValue }) => t(`ruleSet.${getValue()}`),
      }),
      column.accessor('paranoiaLevel', {
        header: t('rules.level'),
        meta: { widthPx: 76, align: 'end' },
        cell: ({ getValue }) => <span className="num">{getValue()}</span>,
      }),
      column.accessor('score', {
        header: t('rules.score'),
        meta: { widthPx: 84, align: 'end' },
        cell: ({ row: { original } }) => (
          <span className="num" title={original.isHint ? t('hint') : t(`severity.${original.severity}`)}>
            {original.score}
            {original.isHint && '*'}
          </span>
        ),
      }),
      column.accessor('action', {
        header: t('rules.action'),
        meta: { widthPx: 120, card: 'end' },
        cell: ({ row: { original } }) =>
          original.enabled ? (
            <Pill tone={TONES[original.action]}>{t(`action.${original.action}`)}</Pill>
          ) : (
            <Pill tone="neutral">{t('state.off')}</Pill>
          ),
      }),
    ])
  }, [t])
}
