import type { DomainCdn } from '@fairway/contract'
import { conditionOf } from '@fairway/domain'
import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { cssProperties, seriesColor } from '../../ui/charts/series.ts'
import { Copy } from '../../ui/marks/copy.tsx'
import { ConditionPill } from '../../ui/marks/condition-pill.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './cdn-cells.module.css'

const IncrementDialog = onDemand(async () => (await import('./increment-dialog.tsx')).IncrementDialog)

/** Name, and the name that DNS answers with. */
export function CdnCell({ cdn: { name, series, cname } }: { cdn: DomainCdn }) {
  return (
    <span className={classes.cdn} data-copy-host>
      <CdnName name={name} series={series} strong />
      <span className={classes.cname}>
        <code title={cname}>{cname}</code>
        <Copy value={cname} quiet />
      </span>
    </span>
  )
}

export function StateCell({ cdn: { state, stateSince, detail, traffic } }: { cdn: DomainCdn }) {
  const { t } = useTranslation('cdn-management')
  const format = useFormat()
  const unread = traffic?.problem ? t('trafficFailing', { problem: traffic.problem }) : null
  return (
    <span className={classes.state}>
      <StatusPill state={state} since={Date.parse(stateSince)} />
      {detail !== null && (
        <span className={classes.detail} title={detail}>
          {detail}
        </span>
      )}
      {traffic && unread !== null && (
        <span
          className={classes.detail}
          title={`${unread} ${t('trafficUntil', { time: format.dateTime(Date.parse(traffic.readUntil)) })}`}
        >
          {unread}
        </span>
      )}
    </span>
  )
}

export function HealthCell({ cdn: { state, health } }: { cdn: Pick<DomainCdn, 'state' | 'health'> }) {
  const format = useFormat()
  return (
    <span className={classes.health}>
      <ConditionPill condition={conditionOf({ ...health, state })} />
      {health.availability !== null && <span className="num">{format.percent(health.availability)}</span>}
    </span>
  )
}

export function LatencyCell({ cdn: { health } }: { cdn: DomainCdn }) {
  const format = useFormat()
  return <span className="num">{health.latencyMs === null ? '—' : format.milliseconds(health.latencyMs)}</span>
}

/** Part of the domain's answers in the last minutes; null before it is known. */
export function ShareCell({ cdn, share }: { cdn: DomainCdn; share: number | null }) {
  const format = useFormat()
  if (share === null) return <span className={classes.quiet}>—</span>
  return (
    <span className={classes.share}>
      <span className={classes.track} aria-hidden="true">
        <span
          className={classes.part}
          style={cssProperties({ '--series': seriesColor(cdn.series), '--share': `${share}%` })}
        />
      </span>
      <span className="num">{format.percent(share)}</span>
    </span>
  )
}

/** `× 1.2 + 8 ms`, or a dash; opens the dialog that changes it. */
export function IncrementCell({ place, cdn, canEdit }: { place: Place; cdn: DomainCdn; canEdit: boolean }) {
  const { t } = useTranslation('cdn-management')
  const [opened, setOpened] = useState(false)
  const text = useIncrementText()(cdn)
  if (!canEdit) return <span className={classes.quiet}>{text ?? '—'}</span>
  return (
    <>
      <UnstyledButton
        className={classes.edit}
        data-empty={text === null || undefined}
        onClick={() => setOpened(true)}
        aria-label={t('increment.of', { name: cdn.name, value: text ?? t('increment.none') })}
      >
        {text ?? t('increment.none')}
      </UnstyledButton>
      <IncrementDialog opened={opened} onClose={() => setOpened(false)} place={place} cdn={cdn} />
    </>
  )
}

/** How a latency is changed for ranking, as a formula; null when it is not. */
export function useIncrementText() {
  const format = useFormat()
  return ({ latencyFactor, latencyAddMs }: Pick<DomainCdn, 'latencyFactor' | 'latencyAddMs'>): string | null => {
    const parts = [
      latencyFactor === 1 ? null : `× ${format.number(latencyFactor)}`,
      latencyAddMs === 0 ? null : `${latencyAddMs > 0 ? '+' : '−'} ${format.milliseconds(Math.abs(latencyAddMs))}`,
    ]
    const text = parts.filter((part) => part !== null).join(' ')
    return text === '' ? null : text
  }
}
