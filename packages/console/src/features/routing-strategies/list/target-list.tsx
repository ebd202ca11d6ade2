import type { SteeringMethod, StrategyRule } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../i18n/format.ts'
import { CdnName } from '../../../ui/marks/cdn-name.tsx'
import { weightShares } from '../rule-sentence.ts'
import { useTargetLook } from '../target-look.ts'
import classes from './strategy-list.module.css'

type TargetListProps = { method: SteeringMethod; targets: StrategyRule['targets'] }

/** The CDNs of a strategy in their colours: in order where order counts, with shares where those do. */
export function TargetList({ method, targets }: TargetListProps) {
  const { t } = useTranslation('routing-strategies')
  const format = useFormat()
  const lookOf = useTargetLook()
  const ordered = method === 'always-use' || method === 'static-route'
  return (
    <ul className={classes.targets} data-ordered={ordered || undefined}>
      {weightShares(targets).map(({ cdnId, share }) => {
        const { name, series } = lookOf(cdnId)
        return (
          <li key={cdnId}>
            <CdnName name={name} series={series} />
            {method === 'weighted-distribution' && (
              <span className={`${classes.share} num`}>{share === null ? t('standby') : format.percent(share)}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
