import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import type { MapCountry, MapRow } from '../../ui/charts/map-model.ts'
import { WorldMap } from '../../ui/charts/world-map.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import type { CountryRow } from './report-model.ts'

type CountryMapProps = {
  name: string
  rows: readonly CountryRow[]
  formatValue: (value: number) => string
  country: string | undefined
  onCountry: (country: string) => void
  /** Figures are amounts: they divide a country and make it stronger. */ weighted: boolean
}

/** Each country in the colour of its best CDN; a click narrows the page to it. */
export function CountryMap({ name, rows, formatValue, country, onCountry, weighted }: CountryMapProps) {
  const { t } = useTranslation(['analytics-dem', 'charts'])
  const format = useFormat()
  const { lookOf, all } = useCdnLooks()
  const countries = useMemo(
    () =>
      rows.map((row): MapCountry => ({
        country: row.country,
        shares: (weighted ? row.cdns : row.cdns.slice(0, 1)).map(({ cdnId, value }) => ({
          key: cdnId,
          ...lookOf(cdnId),
          value: weighted ? value : 1,
        })),
      })),
    [rows, weighted, lookOf],
  )
  const describe = (code: string): MapRow[] =>
    (rows.find((row) => row.country === code)?.cdns ?? []).map(({ cdnId, value, samples }) => ({
      key: cdnId,
      ...lookOf(cdnId),
      text: `${formatValue(value)} · ${t('charts:samples', { count: samples, number: format.compact(samples) })}`,
    }))
  const legend = all
    .filter(({ id }) => rows.some(({ cdns }) => cdns.some(({ cdnId }) => cdnId === id)))
    .map(({ id, name: cdn, series }) => ({ key: id, name: cdn, series }))
  return (
    <Card title={name} hint={t('mapHint')}>
      <WorldMap
        name={name}
        countries={countries}
        legend={legend}
        formatValue={formatValue}
        strengthBy={weighted ? 'total' : 'none'}
        {...(weighted ? {} : { describe })}
        selected={country}
        onSelect={onCountry}
      />
    </Card>
  )
}
