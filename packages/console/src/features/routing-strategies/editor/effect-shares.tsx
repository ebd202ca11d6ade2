import type { Share } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../i18n/format.ts'
import { CdnName } from '../../../ui/marks/cdn-name.tsx'
import { useCdnLooks } from '../../cdn-management/cdn-names.ts'
import classes from './effect-panel.module.css'

/** The CDNs that visitors are sent to, with their parts where there are several. */
export function EffectShares({ shares }: { shares: readonly Share[] }) {
  const { t } = useTranslation('routing-strategies')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  if (shares.length === 0) return <span>{t('effect.noAnswer')}</span>
  return shares.map(({ cdnId, percent }) => {
    const { name, series } = lookOf(cdnId)
    return (
      <span key={cdnId} className={classes.share}>
        <CdnName name={name} series={series} />
        {shares.length > 1 && <span className="num">{format.percent(Math.round(percent))}</span>}
      </span>
    )
  })
}
