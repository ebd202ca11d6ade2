import { Button, Popover } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import classes from './date-range.module.css'
import { RANGES, isPreset } from './range-search.ts'
import { Segmented } from '../forms/segmented.tsx'

const Calendar = lazy(() => import('./range-calendar.tsx').then(({ RangeCalendar }) => ({ default: RangeCalendar })))

type DateRangeProps = { value: string; onChange: (range: string) => void }

/** The window of a page of charts: presets, or any days of the last month. */
export function DateRange({ value, onChange }: DateRangeProps) {
  const { t } = useTranslation('shell')
  const format = useFormat()
  const [opened, setOpened] = useState(false)
  const custom = isPreset(value) ? null : value.split('-').map((seconds) => Number(seconds) * 1000)
  const text = custom ? custom.map((at) => `${format.date(at)} ${format.time(at)}`).join(' – ') : t('range.custom')
  const choose = (range: string) => {
    setOpened(false)
    onChange(range)
  }
  return (
    <div className={classes.range}>
      <Segmented
        label={t('range.label')}
        value={isPreset(value) ? value : 'custom'}
        onChange={onChange}
        options={RANGES.map((preset): { value: string; label: string } => ({
          value: preset,
          label: t(`range.${preset}`),
        }))}
      />
      <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus>
        <Popover.Target>
          <Button
            variant={custom ? 'light' : 'default'}
            leftSection={<IconCalendar size={15} stroke={1.65} />}
            onClick={() => setOpened(!opened)}
          >
            {text}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('range.custom')}>
          <Suspense fallback={<div className={classes.waiting} />}>
            <Calendar onChoose={choose} />
          </Suspense>
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}
