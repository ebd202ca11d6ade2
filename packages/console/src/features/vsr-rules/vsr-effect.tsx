import { type MovedVisitors, type VsrInput, vsrRules } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowNarrowRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { EffectShares } from '../routing-strategies/editor/effect-shares.tsx'
import look from '../routing-strategies/editor/effect-panel.module.css'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './vsr-effect.module.css'

const SETTLE_MS = 350

const Asked = vsrRules.routes.effect.in.omit({ rule: true })

type VsrEffectProps = { place: Place; ruleId: string | null; draft: z.input<typeof VsrInput> }

/** Whom the draft would move, of those who asked for the domain in the last day: from which CDN to which. */
export function VsrEffect({ place, ruleId, draft }: VsrEffectProps) {
  const { t } = useTranslation(['vsr-rules', 'routing-strategies'])
  const [{ name: _, ...settled }] = useDebouncedValue(draft, SETTLE_MS)
  const isComplete = Asked.safeParse(settled).success
  const { data, error, refetch, isPlaceholderData } = useRead(
    vsrRules.routes.effect,
    { ...place, rule: ruleId, ...settled },
    { enabled: isComplete },
  )
  const effect = isComplete && !error ? data : undefined
  return (
    <Card
      title={t('routing-strategies:effect.title')}
      hint={t('routing-strategies:effect.hint')}
      end={effect && effect.samples > 0 && <Verdict effect={effect} />}
    >
      <div className={classes.body} data-stale={isPlaceholderData || undefined}>
        {isComplete && error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!isComplete && <p>{t('vsr-rules:effect.incomplete')}</p>}
        {isComplete && !error && !effect && <Skeleton height={200} radius="sm" />}
        {effect && effect.samples === 0 && <p>{t('vsr-rules:effect.noSamples')}</p>}
        {effect && effect.samples > 0 && effect.moved === 0 && <p>{t('vsr-rules:effect.none')}</p>}
        {effect && effect.groups.length > 0 && (
          <ul className={look.rows}>
            {effect.groups.map((group) => (
              <GroupRow
                key={JSON.stringify([group.country, group.network, group.before, group.after])}
                group={group}
                looked={effect.looked}
              />
            ))}
          </ul>
        )}
        <p className={look.note}>{t('vsr-rules:effect.note')}</p>
      </div>
    </Card>
  )
}

function Verdict({ effect: { moved, looked } }: { effect: MovedVisitors }) {
  const { t } = useTranslation('vsr-rules')
  const format = useFormat()
  return moved > 0 ? (
    <Pill tone="info">{t('effect.moves', { share: format.percent(shareOf(moved, looked)) })}</Pill>
  ) : (
    <Pill tone="neutral">{t('effect.movesNone')}</Pill>
  )
}

function GroupRow({ group, looked }: { group: MovedVisitors['groups'][number]; looked: number }) {
  const { t } = useTranslation('routing-strategies')
  const format = useFormat()
  const words = usePlaceWords()
  return (
    <li className={look.row}>
      <span className={look.country}>
        {group.country === null ? t('vsr-rules:effect.unknown') : format.country(group.country)}
        {group.network !== null && <span className={classes.network}>{words.network(group.network)}</span>}
      </span>
      <span className={`${classes.share} num`}>{format.percent(shareOf(group.samples, looked))}</span>
      <span className={look.before}>
        <EffectShares shares={group.before} />
      </span>
      <IconArrowNarrowRight className={look.arrow} size={18} stroke={1.6} aria-label={t('effect.becomes')} />
      <span className={look.after}>
        <EffectShares shares={group.after} />
      </span>
    </li>
  )
}

/** Percent with two decimals at most. */
const shareOf = (samples: number, looked: number): number =>
  looked === 0 ? 0 : Math.round((samples / looked) * 10_000) / 100
