import { COUNTRY_CODES } from '@fairway/domain'
import { Button, Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './compare-field.module.css'
import { MOST_COMPARED, writeItem } from './compare-model.ts'

/** No country code is empty. */
const ANYWHERE = ''

type CompareFormProps = { compare: readonly string[]; onCompare: (compare: string[]) => void }

/** Adds a line: a CDN, everywhere or in one country. Loaded when it is asked for. */
export function CompareForm({ compare, onCompare }: CompareFormProps) {
  const { t } = useTranslation('analytics-dem')
  const format = useFormat()
  const { all } = useCdnLooks()
  const [cdnId, setCdnId] = useState<string | null>(null)
  const [country, setCountry] = useState(ANYWHERE)
  const countries = useMemo(
    () =>
      COUNTRY_CODES.map((value) => ({ value, label: format.country(value) })).sort((a, b) =>
        a.label.localeCompare(b.label, format.language),
      ),
    [format],
  )
  const chosen = cdnId === null ? null : writeItem({ cdnId, country: country === ANYWHERE ? undefined : country })
  const isTwice = chosen !== null && compare.includes(chosen)
  const isFull = compare.length >= MOST_COMPARED
  const add = () => {
    if (chosen !== null && !isTwice && !isFull) onCompare([...compare, chosen])
  }
  return (
    <div className={classes.fields}>
      <p className={classes.about}>{t('compare.about', { most: MOST_COMPARED })}</p>
      <Select
        label={t('compare.cdn')}
        data={all.map(({ id, name }) => ({ value: id, label: name }))}
        value={cdnId}
        onChange={setCdnId}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
      />
      <Select
        label={t('country')}
        data={[{ value: ANYWHERE, label: t('compare.anywhere') }, ...countries]}
        value={country}
        onChange={(next) => setCountry(next ?? ANYWHERE)}
        searchable
        limit={50}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
      />
      {isTwice && <p className={classes.about}>{t('compare.twice')}</p>}
      {isFull && <p className={classes.about}>{t('compare.full', { most: MOST_COMPARED })}</p>}
      <Button disabled={chosen === null || isTwice || isFull} onClick={add}>
        {t('compare.add')}
      </Button>
    </div>
  )
}
