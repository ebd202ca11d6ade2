import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { CompareField } from './compare-field.tsx'
import classes from './source-and-country.module.css'

type Source = 'rum' | 'sum'
type Props = {
  withSource: boolean
  source: Source
  country: string | undefined
  onSource: (source: Source) => void
  onCountry: (country: undefined) => void
  compare: readonly string[]
  onCompare: (compare: string[] | undefined) => void
}

/** Whose measurements, the country that the page is narrowed to, and what is compared. */
export function SourceAndCountry({ withSource, source, country, onSource, onCountry, compare, onCompare }: Props) {
  const { t } = useTranslation('analytics-dem')
  const format = useFormat()
  return (
    <div className={classes.root}>
      {country !== undefined && (
        <FilterChip off={t('countryOff', { country: format.country(country) })} onOff={() => onCountry(undefined)}>
          {t('countryChip', { country: format.country(country) })}
        </FilterChip>
      )}
      <CompareField compare={compare} onCompare={onCompare} />
      {withSource && (
        <Segmented
          label={t('source.label')}
          value={source}
          onChange={onSource}
          options={[
            { value: 'rum', label: t('source.rum') },
            { value: 'sum', label: t('source.sum') },
          ]}
        />
      )}
    </div>
  )
}
