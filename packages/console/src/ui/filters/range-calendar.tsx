import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/zh-cn.js'
import 'dayjs/locale/zh-tw.js'
import { Button } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customRange } from './range-search.ts'
import classes from './range-calendar.module.css'

const DAYS_BACK = 31
const DAY_MS = 86_400_000
const DAYJS_LOCALE: Record<string, string> = { 'zh-Hant': 'zh-tw', 'zh-Hans': 'zh-cn' }

/** Two days, both included. A file of its own, so that pages without it do not carry the calendar. */
export function RangeCalendar({ onChoose }: { onChoose: (range: string) => void }) {
  const { t, i18n } = useTranslation('shell')
  const [days, setDays] = useState<[string | null, string | null]>([null, null])
  const [from, to] = days
  const [now] = useState(Date.now)
  return (
    <div className={classes.calendar}>
      <DatePicker
        type="range"
        value={days}
        onChange={setDays}
        allowSingleDateInRange
        locale={DAYJS_LOCALE[i18n.language] ?? 'en'}
        minDate={new Date(now - DAYS_BACK * DAY_MS)}
        maxDate={new Date(now)}
        ariaLabels={{ previousMonth: t('range.previousMonth'), nextMonth: t('range.nextMonth') }}
      />
      <Button
        fullWidth
        disabled={from === null || to === null}
        onClick={() => {
          if (from !== null && to !== null) onChoose(wholeDays(from, to, now))
        }}
      >
        {t('range.apply')}
      </Button>
    </div>
  )
}

/**
 * From the first day's midnight to the last day's end, or now when that is earlier. Days are `YYYY-MM-DD` in the
 * browser's zone.
 */
function wholeDays(from: string, to: string, now: number): string {
  const start = new Date(`${from}T00:00:00`).getTime()
  const end = Math.min(new Date(`${to}T00:00:00`).getTime() + DAY_MS, now)
  return customRange(start / 1000, end / 1000)
}
