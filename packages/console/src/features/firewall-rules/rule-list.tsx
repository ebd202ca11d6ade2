import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import classes from '../routing-strategies/list/strategy-list.module.css'
import { useDragOrder } from '../routing-strategies/list/use-drag-order.ts'
import type { ListedRule, RuleAddress, RuleVerbs } from './listed-rule.ts'
import { RuleRow } from './rule-row.tsx'

type RuleListProps<Rule extends ListedRule> = {
  label: string
  /** Undefined while they are awaited. */
  rules: readonly Rule[] | undefined
  error: unknown
  onRetry: () => void
  does: (rule: Rule) => string
  /** Below what it does. */
  beside?: (rule: Rule) => ReactNode
  address: RuleAddress
  verbs: RuleVerbs<Rule>
  /** Absent for those who may not. */
  onReorder: ((rows: readonly Rule[], from: number, to: number) => void) | null
  empty: ReactNode
  /** Below the list: what becomes of requests that no rule is about. */
  otherwise: string
}

/** Rules from first to last, moved by hand or by Alt and an arrow. */
export function RuleList<Rule extends ListedRule>(props: RuleListProps<Rule>) {
  const { label, rules, error, onRetry, does, beside, address, verbs, onReorder, empty, otherwise } = props
  const rows = rules ?? []
  const { list, isDragging, offsetOf, handleOf } = useDragOrder((from, to) => onReorder?.(rows, from, to))
  if (error && !rules) return <ErrorState error={error} onRetry={onRetry} />
  if (!rules)
    return (
      <div className={classes.waiting} aria-busy="true">
        {[1, 2, 3].map((row) => (
          <Skeleton key={row} height={62} radius="md" />
        ))}
      </div>
    )
  if (rows.length === 0)
    return (
      <div data-empty>
        <Card>{empty}</Card>
      </div>
    )
  return (
    <>
      <ol className={classes.list} ref={list} aria-label={label} data-dragging={isDragging || undefined}>
        {rows.map((rule, index) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            does={does(rule)}
            beside={beside?.(rule)}
            address={address}
            position={index + 1}
            total={rows.length}
            shadowedBy={rows.find(({ id }) => id === rule.shadowedBy)?.name ?? null}
            verbs={verbs}
            offset={offsetOf(index)}
            {...(onReorder && rows.length > 1
              ? { handle: handleOf(index), onMove: (to: number) => onReorder(rows, index, to) }
              : {})}
          />
        ))}
      </ol>
      <p className={classes.otherwise}>{otherwise}</p>
    </>
  )
}
