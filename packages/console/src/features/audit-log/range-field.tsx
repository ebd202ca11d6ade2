import { Button, Popover, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { AUDIT_RANGES, daysOf } from './range.ts'
import classes from './range-field.module.css'

type RangeFieldProps = { value: string; onChange: (range: string) => void }

/** How far back: presets, everything, or two days. */
export function RangeField({ value, onChange }: RangeFieldProps) {
  const { t } = useTranslation('audit-log')
  const format = useFormat()
  const [opened, setOpened] = useState(false)
  const days = daysOf(value)
  const text = days
    ? `${format.date(Date.parse(`${days.from}T00:00:00`))} – ${format.date(Date.parse(`${days.to}T00:00:00`))}`
    : t('range.custom')
  return (
    <div className={classes.range}>
      <Segmented<string>
        label={t('range.label')}
        value={days ? 'custom' : value}
        onChange={onChange}
        options={AUDIT_RANGES.map((preset) => ({ value: preset, label: t(`range.${preset}`) }))}
      />
      <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus>
        <Popover.Target>
          <Button
            variant={days ? 'light' : 'default'}
            leftSection={<IconCalendar size={15} stroke={1.65} />}
            onClick={() => setOpened(!opened)}
          >
            {text}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('range.custom')}>
          <Days
            days={days}
            onChoose={(range) => {
              setOpened(false)
              onChange(range)
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

function Days({ days, onChoose }: { days: { from: string; to: string } | null; onChoose: (range: string) => void }) {
  const { t } = useTranslation(['audit-log', 'validation'])
  const [from, setFrom] = useState(days?.from ?? '')
  const [to, setTo] = useState(days?.to ?? '')
  const [asked, setAsked] = useState(false)
  const isBackwards = from !== '' && to !== '' && to < from
  const missing = (day: string) => (asked && day === '' ? t('validation:required') : null)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (from !== '' && to !== '' && !isBackwards) onChoose(`${from}_${to}`)
  }
  return (
    <form className={classes.days} noValidate onSubmit={apply}>
      <TextInput
        type="date"
        label={t('range.from')}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        error={missing(from)}
        data-autofocus
      />
      <TextInput
        type="date"
        label={t('range.to')}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        error={isBackwards ? t('range.order') : missing(to)}
      />
      <Button type="submit">{t('range.apply')}</Button>
    </form>
  )
}
