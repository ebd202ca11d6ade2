import type { RouteRow } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import type { MapCountry } from '../../ui/charts/map-model.ts'
import { WorldMap } from '../../ui/charts/world-map.tsx'
import { Card } from '../../ui/page/card.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'

const COUNTRY = /^country:([A-Z]{2})$/

/** Every country in the colour of the CDN that it is sent to; with `changed` only those that moved. */
export function RouteWorld({ rows, changed }: { rows: readonly RouteRow[]; changed: boolean }) {
  const { t } = useTranslation('route-map')
  const format = useFormat()
  const { lookOf, all } = useCdnLooks()
  const countries = useMemo(
    () =>
      rows.flatMap(({ place, shares }): MapCountry[] => {
        const country = COUNTRY.exec(place)?.[1]
        return country === undefined
          ? []
          : [
              {
                country,
                shares: shares.map(({ cdnId, percent }) => ({ key: cdnId, ...lookOf(cdnId), value: percent })),
              },
            ]
      }),
    [rows, lookOf],
  )
  const used = new Set(countries.flatMap(({ shares }) => shares.map(({ key }) => key)))
  return (
    <Card title={t('map.title')} hint={t(changed ? 'map.changed' : 'map.hint')}>
      <WorldMap
        name={t('map.title')}
        countries={countries}
        legend={all.filter(({ id }) => used.has(id)).map(({ id, name, series }) => ({ key: id, name, series }))}
        formatValue={(value) => format.percent(value)}
        strengthBy="none"
      />
    </Card>
  )
}
