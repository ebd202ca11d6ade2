import { type Explanation, type RoutingStrategy, StrategyInput, routingStrategies } from '@fairway/contract'
import { Skeleton, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowNarrowRight } from '@tabler/icons-react'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../api/queries.ts'
import { useFormat } from '../../../i18n/format.ts'
import { Card } from '../../../ui/page/card.tsx'
import { ErrorState } from '../../../ui/page/error-state.tsx'
import { SideDrawer } from '../../../ui/layers/side-drawer.tsx'
import { Pill } from '../../../ui/marks/status-pill.tsx'
import { SAMPLE_VISITORS } from '../../why/sample-visitors.ts'
import { WhyReport } from '../../why/why-report.tsx'
import classes from './effect-panel.module.css'
import { EffectShares } from './effect-shares.tsx'
import { draftList, isMoved, sampleCountries } from './effect-rows.ts'
import type { Place } from '../strategies-read.ts'
import type { StrategyDraft } from './strategy-draft.ts'

const SETTLE_MS = 350

type EffectPanelProps = {
  place: Place
  strategyId: string | null
  draft: StrategyDraft
  strategies: readonly RoutingStrategy[]
  /** Where a new one would stand, from 0. */ position: number
}

/** What the draft would change, asked of the node that answers DNS, for a few visitors: now, and if it were saved. */
export function EffectPanel({ place, strategyId, draft, strategies, position }: EffectPanelProps) {
  const { t } = useTranslation('routing-strategies')
  const [settled] = useDebouncedValue(draft, SETTLE_MS)
  // A name is asked for on saving; the effect does not wait for it.
  const named = { ...settled, name: settled.name.trim() || t('newTitle') }
  const isComplete = StrategyInput.safeParse(named).success
  const countries = sampleCountries({ places: settled.filter?.places ?? [] })
  const ask = (country: string, withDraft: boolean) => ({
    ...read(routingStrategies.routes.simulate, {
      ...place,
      client: SAMPLE_VISITORS[country] ?? '',
      ...(withDraft ? { draft: draftList(strategies, strategyId, named, position) } : {}),
    }),
    placeholderData: keepPreviousData,
    enabled: withDraft ? isComplete : true,
    staleTime: 5000,
  })
  const now = useQueries({ queries: countries.map((country) => ask(country, false)) })
  const then = useQueries({ queries: countries.map((country) => ask(country, true)) })
  const [open, setOpen] = useState<number | null>(null)
  const error = then.find((query) => query.error)?.error ?? now.find((query) => query.error)?.error
  const movedCount = countries.filter(
    (_, index) =>
      now[index]?.data &&
      then[index]?.data &&
      isMoved(now[index].data.decision.shares, then[index].data.decision.shares),
  ).length
  const opened = open === null ? undefined : then[open]?.data

  return (
    <>
      <Card
        title={t('effect.title')}
        hint={t('effect.hint')}
        end={
          isComplete &&
          !error &&
          (movedCount > 0 ? (
            <Pill tone="info">{t('effect.moves', { count: movedCount })}</Pill>
          ) : (
            <Pill tone="neutral">{t('effect.movesNone')}</Pill>
          ))
        }
      >
        {error && (
          <ErrorState
            error={error}
            onRetry={() => {
              for (const query of [...now, ...then]) if (query.error) void query.refetch()
            }}
          />
        )}
        {!error && !isComplete && <p className={classes.incomplete}>{t('effect.incomplete')}</p>}
        {!error && isComplete && (
          <ul className={classes.rows}>
            {countries.map((country, index) => (
              <Row
                key={country}
                country={country}
                now={now[index]?.data}
                then={then[index]?.data}
                onOpen={() => setOpen(index)}
              />
            ))}
          </ul>
        )}
        <p className={classes.note}>{t('effect.note')}</p>
      </Card>
      <SideDrawer opened={opened !== undefined} onClose={() => setOpen(null)} title={t('effect.whyTitle')} size={720}>
        {opened && <WhyReport explanation={opened} draft />}
      </SideDrawer>
    </>
  )
}

function Row({
  country,
  now,
  then,
  onOpen,
}: {
  country: string
  now: Explanation | undefined
  then: Explanation | undefined
  onOpen: () => void
}) {
  const { t } = useTranslation('routing-strategies')
  const format = useFormat()
  if (!now || !then)
    return (
      <li>
        <Skeleton height={44} radius="sm" />
      </li>
    )
  const moves = isMoved(now.decision.shares, then.decision.shares)
  return (
    <li>
      <UnstyledButton
        className={classes.row}
        data-moves={moves || undefined}
        onClick={onOpen}
        title={t('effect.why', { country: format.country(country) })}
      >
        <span className={classes.country}>{format.country(country)}</span>
        {moves && (
          <>
            <span className={classes.before}>
              <EffectShares shares={now.decision.shares} />
            </span>
            <IconArrowNarrowRight className={classes.arrow} size={18} stroke={1.6} aria-label={t('effect.becomes')} />
          </>
        )}
        <span className={classes.after}>
          <EffectShares shares={then.decision.shares} />
        </span>
      </UnstyledButton>
    </li>
  )
}
