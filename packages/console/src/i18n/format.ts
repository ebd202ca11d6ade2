import { useSyncExternalStore } from 'react'
import { i18n } from './i18n.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** Each of the browser's formats takes milliseconds to make, and a page needs few of them. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Numbers, times and places in one language. Everything that a person reads goes through here. */
export type Format = ReturnType<typeof makeFormat>

/** `language` is a BCP-47 tag. Times are shown in the zone of the browser. */
export function makeFormat(language: string) {
  const number = once(() => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }))
  const compact = once(() => new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }))
  const percent = once(() => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }))
  const relative = once(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }))
  const day = once(() => new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }))
  const dayOfYear = once(() => new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', day: 'numeric' }))
  const time = once(() => new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }))
  const timeOfDay = once(
    () =>
      new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
  )
  const dateTime = once(
    () =>
      new Intl.DateTimeFormat(language, {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        hourCycle: 'h23',
        timeZoneName: 'short',
      }),
  )
  const dateTimeUtc = once(
    () =>
      new Intl.DateTimeFormat(language, {
        dateStyle: 'medium',
        timeStyle: 'medium',
        timeZone: 'UTC',
        hourCycle: 'h23',
      }),
  )
  const regions = once(() => new Intl.DisplayNames(language, { type: 'region' }))
  const units = new Map<string, Intl.NumberFormat>()
  const unit = (name: string, value: number) => {
    const known =
      units.get(name) ??
      new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: 1 })
    units.set(name, known)
    return known.format(value)
  }

  return {
    language,
    number: (value: number) => number().format(value),
    /** 252.8M */
    compact: (value: number) => compact().format(value),
    /** `percent` counts from 0 to 100. */
    percent: (value: number) => percent().format(value / 100),
    /** Base 1000: 41.2 TB. */
    bytes: (value: number) => {
      if (value < 1000) return `${number().format(value)} B`
      const step = value > 0 ? Math.min(5, Math.floor(Math.log10(value) / 3)) : 0
      return unit(
        ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'][step] ?? 'byte',
        value / 1000 ** step,
      )
    },
    milliseconds: (value: number) => unit('millisecond', value >= 10 ? Math.round(value) : value),
    /** 90 → 1.5 min, 86400 → 24 hr: the largest unit that is whole, up to hours. */
    seconds: (value: number) => {
      if (value >= HOUR && value % HOUR === 0) return unit('hour', value / HOUR)
      if (value >= MINUTE && value % MINUTE === 0) return unit('minute', value / MINUTE)
      return unit('second', value)
    },
    /** Both in epoch ms. Within two weeks relative, then the date. `inside` a sentence nothing begins with a capital. */
    ago: (at: number, now: number, inside = false) => {
      const seconds = (at - now) / 1000
      const size = Math.abs(seconds)
      const shown = (value: number, of: Intl.RelativeTimeFormatUnit) =>
        (inside ? asItIs : sentenceCase)(relative().format(Math.round(value), of).replace('.', ''))
      if (size < MINUTE) return shown(seconds, 'second')
      if (size < HOUR) return shown(seconds / MINUTE, 'minute')
      if (size < DAY) return shown(seconds / HOUR, 'hour')
      if (size < 7 * DAY) return shown(seconds / DAY, 'day')
      return size < 300 * DAY ? day().format(at) : dayOfYear().format(at)
    },
    time: (at: number) => time().format(at),
    timeOfDay: (at: number) => timeOfDay().format(at),
    date: (at: number) => dayOfYear().format(at),
    dateTime: (at: number) => dateTime().format(at),
    /** For the tooltip of every shown time: local, then UTC. */
    exact: (at: number) => `${dateTime().format(at)}\n${dateTimeUtc().format(at)} UTC`,
    /** Words one after another: with commas, or with those of the language (、). */
    list: (words: readonly string[]) => words.join(language.startsWith('zh') ? '、' : ', '),
    /** ISO 3166-1 alpha-2; an unknown code is answered as it is. */
    country: (code: string) => {
      try {
        return regions().of(code) ?? code
      } catch {
        return code
      }
    },
  }
}

const asItIs = (text: string): string => text

/** Stands alone in a cell: *Yesterday*. Scripts without case stay as they are. */
function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

// The browser takes longer to make formats than a table takes to draw a row: one set for each language.
const made = new Map<string, Format>()

const followLanguage = (changed: () => void): (() => void) => {
  i18n.on('languageChanged', changed)
  return () => i18n.off('languageChanged', changed)
}
const language = (): string => i18n.language

export function useFormat(): Format {
  const tag = useSyncExternalStore(followLanguage, language)
  const known = made.get(tag) ?? makeFormat(tag)
  made.set(tag, known)
  return known
}
