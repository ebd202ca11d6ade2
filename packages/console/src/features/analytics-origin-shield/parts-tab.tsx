import { analyticsOriginShield } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { LIVE_MS } from '../analytics-dem/tab-props.ts'
import { BreakdownCard } from './breakdown-card.tsx'
import { ShieldFigures } from './shield-figures.tsx'
import classes from './screen.module.css'
import type { TabProps } from './tab-props.ts'

type Part = NonNullable<TabProps['filter']['part']>

/** Parts of web security that go together: all of them, or one. */
export function PartsTab({ parts, ...tab }: TabProps & { parts: readonly Part[] }) {
  const { t } = useTranslation('analytics-origin-shield')
  const { place, filter, isLive, onNarrow } = tab
  const query = useRead(
    analyticsOriginShield.routes.report,
    { ...place, ...filter, part: filter.part ?? parts.join(',') },
    isLive ? { everyMs: LIVE_MS } : {},
  )
  const options = [
    { value: 'all', label: t(parts.length === 2 ? 'both' : 'allParts') },
    ...parts.map((value) => ({ value: value as string, label: t(`part.${value}`) })),
  ]
  return (
    <div className={classes.root} data-dimmed={query.isPlaceholderData || undefined}>
      {/* A grid would make it as wide as the page. */}
      <div>
        <Segmented
          label={t('by.part')}
          value={filter.part ?? 'all'}
          options={options}
          onChange={(next) => onNarrow({ part: parts.find((part) => part === next) })}
        />
      </div>
      {query.error && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ShieldFigures report={query.data} of="parts" />
      )}
      <BreakdownCard {...tab} parts={parts} measure="requests" by={tab.by ?? 'rule'} />
    </div>
  )
}
