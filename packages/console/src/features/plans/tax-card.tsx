import { plans } from '@fairway/contract'
import { COUNTRY_CODES } from '@fairway/domain'
import { Button, NumberInput, Select, Skeleton, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import classes from './plans.module.css'
import { usePlansChange } from './use-plans-change.ts'

const PPM_OF_PERCENT = 10_000

/** The tax of each country, added to invoices whose billing address is there. */
export function TaxCard() {
  const { t } = useTranslation('plans')
  const format = useFormat()
  const { data } = useRead(plans.routes.taxRates, {})
  const [country, setCountry] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [percent, setPercent] = useState<number | ''>('')
  const save = usePlansChange(plans.routes.setTaxRates, () => {
    setCountry(null)
    setName('')
    setPercent('')
  })
  const rates = data?.data ?? []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (country !== null && percent !== '')
      save.mutate({
        data: [
          ...rates.filter((one) => one.country !== country),
          { country, name: name.trim(), ratePpm: Math.round(percent * PPM_OF_PERCENT) },
        ],
      })
  }
  return (
    <Card title={t('taxes')}>
      <div className={classes.stack}>
        {!data && <Skeleton height={80} />}
        {save.error && <FailureNotice title={t('notSaved')} error={save.error} />}
        {rates.map((rate) => (
          <div key={rate.country} className={classes.row}>
            <div>
              <span className={classes.name}>{format.country(rate.country)}</span>
              <div className={classes.quiet}>
                {rate.name} · {format.percent(rate.ratePpm / PPM_OF_PERCENT)}
              </div>
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={`${t('remove')} ${format.country(rate.country)}`}
              onClick={() => save.mutate({ data: rates.filter((one) => one.country !== rate.country) })}
            >
              {t('remove')}
            </Button>
          </div>
        ))}
        {data && rates.length === 0 && <p className={classes.quiet}>{t('noTaxes')}</p>}
        <form className={classes.line} onSubmit={submit}>
          <Select
            className={classes.grow}
            label={t('country')}
            searchable
            data={COUNTRY_CODES.map((value) => ({ value, label: format.country(value) }))}
            value={country}
            onChange={setCountry}
          />
          <TextInput
            className={classes.grow}
            label={t('taxName')}
            value={name}
            maxLength={40}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NumberInput
            className={classes.short}
            label="%"
            min={0}
            max={100}
            decimalScale={4}
            value={percent}
            onChange={(value) => setPercent(typeof value === 'number' ? value : '')}
          />
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            disabled={country === null || name.trim() === '' || percent === ''}
          >
            {t('add')}
          </Button>
        </form>
      </div>
    </Card>
  )
}
