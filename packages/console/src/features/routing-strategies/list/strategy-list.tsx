import { routingStrategies } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../api/queries.ts'
import { useScope } from '../../../shell/scope/scope.ts'
import { useCanCall } from '../../../shell/access/session.ts'
import { Card } from '../../../ui/page/card.tsx'
import { EmptyTeach } from '../../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../../ui/page/error-state.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { type Place, strategiesInput } from '../strategies-read.ts'
import { StrategyRow } from './strategy-row.tsx'
import classes from './strategy-list.module.css'
import { useDragOrder } from './use-drag-order.ts'
import { useReorder } from './use-reorder.ts'

const DuplicateDialog = lazy(async () => ({ default: (await import('./duplicate-dialog.tsx')).DuplicateDialog }))

/** The strategies of a domain from first to last, and what happens when none decides. */
export function StrategyList({ place }: { place: Place }) {
  const { t } = useTranslation('routing-strategies')
  const { site, domain } = useScope()
  const { data, error, refetch } = useRead(routingStrategies.routes.list, strategiesInput(place))
  const canReorder = useCanCall(routingStrategies.routes.reorder)
  const canCreate = useCanCall(routingStrategies.routes.create)
  const reorder = useReorder(place)
  const [moving, setMoving] = useState<string | null>(null)
  const [duplicating, setDuplicating] = useState<string | null>(null)
  const rows = data?.data ?? []
  const { list, isDragging, offsetOf, handleOf } = useDragOrder((from, to) => reorder(rows, from, to))

  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <div className={classes.waiting} aria-busy="true">
        {[1, 2, 3].map((row) => (
          <Skeleton key={row} height={62} radius="md" />
        ))}
      </div>
    )
  if (rows.length === 0) {
    return (
      <Card>
        <EmptyTeach
          title={t('empty.title')}
          text={t('empty.text')}
          steps={[t('empty.step1'), t('empty.step2'), t('empty.step3')]}
          action={
            canCreate && (
              <Button
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/$site/{-$domain}/dem/routing-strategies/add"
                    params={{ site: site.domainName, domain: domain?.name }}
                  />
                )}
              >
                {t('add')}
              </Button>
            )
          }
        />
      </Card>
    )
  }
  const duplicated = rows.find(({ id }) => id === duplicating)
  const nameOf = (id: string) => rows.find((row) => row.id === id)?.name ?? id
  return (
    <>
      <ol className={classes.list} ref={list} aria-label={t('tab.strategies')} data-dragging={isDragging || undefined}>
        {rows.map((strategy, index) => (
          <StrategyRow
            key={strategy.id}
            place={place}
            strategy={strategy}
            position={index + 1}
            total={rows.length}
            warning={
              data.warnings
                .filter(({ strategyId }) => strategyId === strategy.id)
                .map(({ kind, becauseOf }) => ({ kind, name: nameOf(becauseOf) }))[0]
            }
            {...(canReorder && rows.length > 1
              ? {
                  handle: handleOf(index),
                  onMove: (to: number) => reorder(rows, index, to),
                  onMoveTo: () => setMoving(strategy.id),
                }
              : {})}
            onDuplicate={canCreate ? () => setDuplicating(strategy.id) : undefined}
            offset={offsetOf(index)}
          />
        ))}
      </ol>
      <p className={classes.otherwise}>
        <span className={classes.otherwiseName}>{t('otherwise')}</span>
        {t('otherwiseText')}
      </p>
      {duplicated && (
        <Suspense fallback={null}>
          <DuplicateDialog place={place} strategy={duplicated} rows={rows} onClose={() => setDuplicating(null)} />
        </Suspense>
      )}
      <MoveDialog
        opened={moving !== null}
        name={nameOf(moving ?? '')}
        position={rows.findIndex(({ id }) => id === moving) + 1}
        total={rows.length}
        onClose={() => setMoving(null)}
        onMove={(to) => {
          reorder(
            rows,
            rows.findIndex(({ id }) => id === moving),
            to - 1,
          )
          setMoving(null)
        }}
      />
    </>
  )
}
