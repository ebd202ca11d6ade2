import type { Playback, StreamDimension } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'

/** Figures of stream analytics in words; what is not known is a dash. */
export function useStreamTexts() {
  const { t } = useTranslation('stream-analytics')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  const or = (value: number | null, text: (known: number) => string) => (value === null ? '—' : text(value))
  /** Time watched: seconds, minutes or hours, with one decimal. */
  const duration = (ms: number) => {
    if (ms < 60_000) return format.seconds(Math.round(ms / 1000))
    if (ms < 3_600_000) return t('minutes', { value: format.number(Math.round(ms / 6_000) / 10) })
    return t('hours', { value: format.number(Math.round(ms / 360_000) / 10) })
  }
  const wait = (ms: number) =>
    ms < 1_000
      ? format.milliseconds(Math.round(ms))
      : t('secondsLong', { value: format.number(Math.round(ms / 100) / 10) })
  const rate = (kbps: number) =>
    kbps < 1_000
      ? t('kbps', { value: format.number(Math.round(kbps)) })
      : t('mbps', { value: format.number(Math.round(kbps / 100) / 10) })
  const percent = (value: number) => format.percent(Math.round(value * 100) / 100)
  return {
    duration,
    wait,
    rate,
    percent,
    startup: (value: number | null) => or(value, wait),
    bitrate: (value: number | null) => or(value, rate),
    share: (value: number | null) => or(value, percent),
    score: (value: Playback['score']) => or(value, (known) => format.number(Math.round(known))),
    cdnName: (id: string) => (id === '' ? t('noCdn') : lookOf(id).name),
    valueName(by: StreamDimension, value: string, name: string | null) {
      if (by === 'cdn') return value === '' ? t('noCdn') : lookOf(value).name
      if (by === 'source') return name ?? t('removedSource')
      if (value === '') return t('untold')
      if (by === 'country') return format.country(value)
      return by === 'device' ? t(`device.${value}`, { defaultValue: value }) : value
    },
  }
}
