import { type SimulatedCdn, type SimulatedFault, simulatedCdns } from '@fairway/contract'
import { IconArrowUp, IconBolt, IconClockPause, IconMask, IconPlugX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { seriesStyle } from '../../ui/charts/series.ts'
import { Pill, StatusPill } from '../../ui/marks/status-pill.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './fault-card.module.css'
import { FaultAmount } from './fault-amount.tsx'
import { FaultRace } from './fault-race.tsx'
import type { Observation } from './stopwatch.ts'
import type { FaultSet } from './use-fault-times.ts'

type Mode = SimulatedFault['mode']
const ICONS: Record<Mode, typeof IconBolt> = {
  up: IconArrowUp,
  down: IconPlugX,
  slow: IconClockPause,
  errors: IconBolt,
  lie: IconMask,
}
const MODES = ['up', 'down', 'slow', 'errors', 'lie'] as const satisfies readonly Mode[]
/** What a click on Slow or Errors begins with. */
const FIRST: Record<Mode, SimulatedFault> = {
  up: { mode: 'up' },
  down: { mode: 'down' },
  slow: { mode: 'slow', addMs: 300 },
  errors: { mode: 'errors', percent: 30 },
  lie: { mode: 'lie' },
}

type FaultCardProps = {
  cdn: SimulatedCdn
  canSet: boolean
  changed: FaultSet | null
  observations: readonly Observation[]
  place: Place | null
}

/** One simulated CDN: its switches, large, and the stopwatch of its last change. */
export function FaultCard({ cdn, canSet, changed, observations, place }: FaultCardProps) {
  const { t } = useTranslation('simulated-cdns')
  const set = useChange(simulatedCdns.routes.set)
  const { cdnId, name, series, fault, live, address } = cdn
  const shown = set.isPending ? set.variables.fault : fault
  const apply = (next: SimulatedFault) => set.mutate({ cdn: cdnId, fault: next })
  return (
    <article className={classes.card} data-mode={shown.mode} style={seriesStyle(series)}>
      <div className={classes.head}>
        <h2 className={classes.name}>
          <CdnName name={name} series={series} strong />
        </h2>
        <code className={classes.address}>{address}</code>
        {live && !set.isPending ? (
          <StatusPill state={shown.mode} />
        ) : (
          <Pill tone="info" busy>
            {t('settingUp')}
          </Pill>
        )}
      </div>
      <div className={classes.modes} role="radiogroup" aria-label={t('faultOf', { name })}>
        {MODES.map((mode) => {
          const Icon = ICONS[mode]
          return (
            <label
              key={mode}
              className={classes.mode}
              data-mode={mode}
              data-on={shown.mode === mode || undefined}
              data-off={!canSet || undefined}
            >
              <input
                type="radio"
                className="sr-only"
                name={`fault-${cdnId}`}
                value={mode}
                checked={shown.mode === mode}
                disabled={!canSet}
                onChange={() => apply(FIRST[mode])}
              />
              <Icon size={22} stroke={1.6} aria-hidden />
              {t(`mode.${mode}`)}
            </label>
          )
        })}
      </div>
      <FaultAmount key={shown.mode} fault={shown} canSet={canSet} name={name} onApply={apply} />
      <FaultRace cdnId={cdnId} changed={changed} observations={observations} place={place} />
    </article>
  )
}
