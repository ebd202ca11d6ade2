import type { Locale } from '@fairway/contract'

const TAGS: Record<Locale, string> = { en: 'en-US', zhHant: 'zh-Hant-TW', zhHans: 'zh-Hans-CN' }
const BYTES = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']

/** Counts with separators; bytes in steps of 1000, two decimals at most. */
export function formatUnits(value: number, unit: 'count' | 'bytes', locale: Locale): string {
  const number = new Intl.NumberFormat(TAGS[locale], { maximumFractionDigits: 2 })
  if (unit === 'count') return number.format(value)
  const step = value < 1 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log10(value) / 3))
  return `${number.format(value / 1000 ** step)}\u00a0${BYTES[step]}`
}
