import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { DataQuality } from '../../ui/marks/data-quality.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import type { CountryRow } from './report-model.ts'
import classes from './country-table.module.css'

const FIRST_ROWS = 12
/** More CDNs than this do not fit beside each other; the best ones are shown. */
const COLUMNS = 4

type CountryTableProps = {
  name: string
  rows: readonly CountryRow[]
  formatValue: (value: number) => string
  country: string | undefined
  onCountry: (country: string) => void
  countsAreAnswers: boolean
}

/** Countries with most data first, each CDN's figure, the best in bold; a click narrows the page. */
export function CountryTable({ name, rows, formatValue, country, onCountry, countsAreAnswers }: CountryTableProps) {
  const { t } = useTranslation('analytics-dem')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  const [all, setAll] = useState(false)
  const cdns = [...new Set(rows.flatMap((row) => row.cdns.map(({ cdnId }) => cdnId)))]
    .map(lookOf)
    .sort((a, b) => a.series - b.series)
    .slice(0, COLUMNS)
  const shown = all ? rows : rows.slice(0, FIRST_ROWS)
  return (
    <Card
      title={name}
      end={
        rows.length > FIRST_ROWS && (
          <UnstyledButton className={classes.all} onClick={() => setAll(!all)}>
            {all ? t('fewer') : t('all', { count: rows.length })}
          </UnstyledButton>
        )
      }
      flush
    >
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('country')}</th>
              {cdns.map(({ id, name: cdn, series }) => (
                <th key={id} scope="col" data-number>
                  <CdnName name={cdn} series={series} />
                </th>
              ))}
              <th scope="col" data-number>
                {t(countsAreAnswers ? 'total' : 'data')}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.country} data-selected={row.country === country || undefined}>
                <th scope="row">
                  <UnstyledButton
                    className={classes.country}
                    aria-pressed={row.country === country}
                    onClick={() => onCountry(row.country)}
                  >
                    <code>{row.country}</code>
                    {format.country(row.country)}
                  </UnstyledButton>
                </th>
                {cdns.map(({ id }) => {
                  const cell = row.cdns.find(({ cdnId }) => cdnId === id)
                  return (
                    <td key={id} className="num" data-number data-best={row.best === id || undefined}>
                      {cell ? formatValue(cell.value) : '—'}
                    </td>
                  )
                })}
                <td data-number>
                  {countsAreAnswers ? (
                    <span className="num">{format.compact(row.samples)}</span>
                  ) : (
                    <DataQuality samples={row.samples} brief />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
