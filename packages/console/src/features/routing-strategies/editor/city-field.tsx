import { Button, Select, TextInput } from '@mantine/core'
import { COUNTRY_CODES, formatPlace, parsePlace } from '@fairway/domain'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../i18n/format.ts'
import { usePlaceName } from '../../../ui/geo/place-name.ts'
import { REGIONS } from '../../../ui/geo/place-tree.ts'
import classes from './filter-fields.module.css'

type CityFieldProps = { chosen: readonly string[]; onAdd: (key: string) => void }

/**
 * Cities are too many for a tree: a country, its region where there is a list of them, and the name as the location
 * data writes it.
 */
export function CityField({ chosen, onAdd }: CityFieldProps) {
  const { t } = useTranslation('routing-strategies')
  const format = useFormat()
  const placeName = usePlaceName()
  const [country, setCountry] = useState<string | null>(null)
  const [region, setRegion] = useState<string | null>(null)
  const [city, setCity] = useState('')
  const [asked, setAsked] = useState(false)
  const countries = useMemo(
    () =>
      COUNTRY_CODES.map((code) => ({ value: code, label: format.country(code) })).sort((a, b) =>
        a.label.localeCompare(b.label, format.language),
      ),
    [format],
  )
  const regions = country === null ? undefined : REGIONS[country]
  const key =
    country !== null && city.trim() !== '' && (regions === undefined || region !== null)
      ? formatPlace({ kind: 'city', country, region, city: city.trim() })
      : null
  const add = () => {
    setAsked(true)
    if (key === null || parsePlace(key) === null || chosen.includes(key)) return
    onAdd(key)
    setCity('')
    setAsked(false)
  }
  return (
    <details className={classes.more}>
      <summary>{t('filter.city')}</summary>
      <div className={classes.city}>
        <p className={classes.cityHelp}>{t('filter.cityHelp')}</p>
        <Select
          label={t('filter.cityCountry')}
          data={countries}
          value={country}
          searchable
          onChange={(value) => {
            setCountry(value)
            setRegion(null)
          }}
        />
        {country !== null && regions && (
          <Select
            label={t('filter.cityRegion')}
            data={regions.map((code) => ({ value: code, label: placeName(`region:${country}-${code}`) }))}
            value={region}
            searchable
            onChange={setRegion}
          />
        )}
        <TextInput
          label={t('filter.cityName')}
          value={city}
          onChange={(event) => setCity(event.currentTarget.value)}
          error={asked && key === null ? t('filter.cityWrong') : null}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.ctrlKey) {
              event.preventDefault()
              add()
            }
          }}
        />
        <Button variant="default" onClick={add}>
          {t('filter.addCity')}
        </Button>
      </div>
    </details>
  )
}
