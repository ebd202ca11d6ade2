import { routingStrategies } from '@fairway/contract'
import type { RoutingStrategy, Warning } from '@fairway/contract'
import { IconAlertTriangle, IconGripVertical } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../i18n/format.ts'
import { useScope } from '../../../shell/scope/scope.ts'
import { useCanCall } from '../../../shell/access/session.ts'
import { cssProperties } from '../../../ui/charts/series.ts'
import { EnableSwitch } from './enable-switch.tsx'
import { RowMenu } from './row-menu.tsx'
import type { Place } from '../strategies-read.ts'
import classes from './strategy-list.module.css'
import { TargetList } from './target-list.tsx'
import type { RowOffset, useDragOrder } from './use-drag-order.ts'
import { useVisitorWords } from '../visitor-words.ts'

type StrategyRowProps = {
  place: Place
  strategy: RoutingStrategy
  position: number
  total: number
  /** What is easily overlooked, and the strategy before it that is why. */
  warning: { kind: Warning['kind']; name: string } | undefined
  /** Absent for those who may not reorder. */
  handle?: ReturnType<ReturnType<typeof useDragOrder>['handleOf']>
  onMove?: (to: number) => void
  onMoveTo?: () => void
  /** Absent for those who may not add. */
  onDuplicate: (() => void) | undefined
  /** While a row is dragged: where this one stands. */
  offset: RowOffset | null
}

/** One strategy: its number, whom it is for, what it does, its switch. */
export function StrategyRow({
  place,
  strategy,
  position,
  total,
  warning,
  handle,
  onMove,
  onMoveTo,
  onDuplicate,
  offset,
}: StrategyRowProps) {
  const { t } = useTranslation('routing-strategies')
  const format = useFormat()
  const { site, domain } = useScope()
  const words = useVisitorWords()
  const canEdit = useCanCall(routingStrategies.routes.update)
  const { id, name, enabled, filter, method, targets, availabilityThreshold } = strategy
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || step === 0 || !onMove) return
    event.preventDefault()
    onMove(position - 1 + step)
  }
  return (
    <li
      className={classes.row}
      data-off={!enabled || undefined}
      data-dragged={offset?.isDragged || undefined}
      style={offset ? cssProperties({ '--drag': `${offset.px}px` }) : undefined}
      onKeyDown={onKeyDown}
    >
      {handle ? (
        <button
          type="button"
          className={classes.handle}
          aria-label={t('dragHandle', { name, position, total })}
          title={t('dragHint')}
          {...handle}
        >
          <IconGripVertical size={16} stroke={1.7} aria-hidden />
        </button>
      ) : (
        <span />
      )}
      <span className={`${classes.number} num`} aria-hidden="true">
        {position}
      </span>
      <div className={classes.main}>
        <p className={classes.name}>
          {canEdit ? (
            <Link
              className={classes.link}
              to="/$site/{-$domain}/dem/routing-strategies/edit/$id"
              params={{ site: site.domainName, domain: domain?.name, id }}
            >
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        <p className={classes.who} title={words.short(filter)}>
          {words.short(filter)}
        </p>
        {warning !== undefined && (
          <p className={classes.warning} data-kind={warning.kind}>
            <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
            {t(`warning.${warning.kind}`, { name: warning.name })}
          </p>
        )}
      </div>
      <div className={classes.does}>
        <p className={classes.method}>
          {t(`method.${method}.name`)}
          {method !== 'always-use' && availabilityThreshold !== null && (
            <span className={`${classes.threshold} num`}>
              {t('threshold.short', { value: format.percent(availabilityThreshold) })}
            </span>
          )}
        </p>
        <TargetList method={method} targets={targets} />
      </div>
      <EnableSwitch place={place} strategy={strategy} />
      {canEdit ? (
        <RowMenu
          place={place}
          strategy={strategy}
          onDuplicate={onDuplicate}
          {...(onMove && onMoveTo ? { onMove, onMoveTo, position, total } : {})}
        />
      ) : (
        <span />
      )}
    </li>
  )
}
