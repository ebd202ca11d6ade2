import { IconAlertTriangle, IconGripVertical } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../shell/scope/scope.ts'
import { cssProperties } from '../../ui/charts/series.ts'
import { CellSwitch } from '../../ui/data-table/cell-controls.tsx'
import classes from '../routing-strategies/list/strategy-list.module.css'
import type { RowOffset, useDragOrder } from '../routing-strategies/list/use-drag-order.ts'
import type { ListedRule, RuleAddress, RuleVerbs } from './listed-rule.ts'
import { useExpressionWords } from './expression-words.ts'
import { RuleMenu } from './rule-menu.tsx'

type RuleRowProps<Rule extends ListedRule> = {
  rule: Rule
  /** What it does, in a few words. */
  does: string
  /** Below it, such as how often it fitted. */
  beside: ReactNode
  address: RuleAddress
  position: number
  total: number
  /** Name of the rule before it that takes all its requests. */
  shadowedBy: string | null
  verbs: RuleVerbs<Rule>
  /** Absent for those who may not reorder. */
  handle?: ReturnType<ReturnType<typeof useDragOrder>['handleOf']>
  onMove?: (to: number) => void
  /** While a row is dragged: where this one stands. */
  offset: RowOffset | null
}

/** One rule: its number, which requests it is about, what it does, its switch. */
export function RuleRow<Rule extends ListedRule>({
  rule,
  does,
  beside,
  address,
  position,
  total,
  shadowedBy,
  verbs,
  handle,
  onMove,
  offset,
}: RuleRowProps<Rule>) {
  const { t } = useTranslation('firewall-rules')
  const { site, domain } = useScope()
  const words = useExpressionWords()
  const { id, name, enabled, expression } = rule
  const about = words(expression)
  const mayEdit = verbs.onSwitch !== undefined
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
          {mayEdit ? (
            <Link className={classes.link} to={address} params={{ site: site.domainName, domain: domain?.name, id }}>
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        <p className={classes.who} title={about}>
          {about}
        </p>
        {shadowedBy !== null && (
          <p className={classes.warning}>
            <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
            {t('unreachable', { name: shadowedBy })}
          </p>
        )}
      </div>
      <div className={classes.does}>
        <p className={classes.method}>{does}</p>
        {beside}
      </div>
      <CellSwitch
        checked={enabled}
        disabled={!mayEdit}
        aria-label={t('switch', { name })}
        onChange={(event) => verbs.onSwitch?.(rule, event.currentTarget.checked)}
      />
      {mayEdit ? (
        <RuleMenu rule={rule} position={position} total={total} verbs={verbs} {...(onMove ? { onMove } : {})} />
      ) : (
        <span />
      )}
    </li>
  )
}
