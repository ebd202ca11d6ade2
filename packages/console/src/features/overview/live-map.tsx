import type { Overview } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { ShareBar } from '../../ui/charts/share-bar.tsx'
import { WorldMap } from '../../ui/charts/world-map.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { mapCountries } from './live-model.ts'
import classes from './overview.module.css'

type LiveMapProps = {
  data: Overview
  /** Asks why visitors of a country go where they go; absent when nothing is steered. */
  onCountry?: ((country: string) => void) | undefined
}

/** The world by the CDN that answers it, and each CDN's part of all answers. */
export function LiveMap({ data, onCountry }: LiveMapProps) {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const countries = useMemo(() => mapCountries(data), [data])
  const legend = data.cdns.map(({ cdnId, name, series }) => ({ key: cdnId, name, series }))
  return (
    <Card title={t('map')} hint={t('window', { length: format.seconds(data.windowSeconds) })}>
      <div className={classes.shares}>
        <ShareBar
          size="large"
          label={t('shares')}
          shares={data.cdns.map(({ cdnId, name, series, share }) => ({
            key: cdnId,
            name,
            series,
            percent: share ?? 0,
          }))}
        />
        <ul className={classes.shareList}>
          {data.cdns.map(({ cdnId, name, series, share }) => (
            <li key={cdnId}>
              <CdnName name={name} series={series} />
              <span className={`${classes.sharePart} num`}>
                {data.analyticsAvailable && share !== null ? format.percent(Math.round(share * 10) / 10) : '—'}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <div className={classes.mapBox}>
        <WorldMap
          name={t('mapName')}
          countries={countries}
          legend={legend}
          withoutLegend
          formatValue={(value) => t('answersCount', { count: value, number: format.number(value) })}
          {...(onCountry
            ? {
                onSelect: onCountry,
                selectLabel: (country: string) => t('askWhy', { country: format.country(country) }),
              }
            : {})}
        />
      </div>
    </Card>
  )
}
