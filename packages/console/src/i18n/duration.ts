import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Writes a length of time in at most two units: `4 min 12 sec`, `2 days 3 hr`. Takes seconds. */
export function makeDuration(language: string): (seconds: number) => string {
  const part = (unit: string, value: number) =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: unit === 'second' ? 1 : 0,
    }).format(value)
  return (seconds) => {
    if (seconds < 10) return part('second', Math.round(seconds * 10) / 10)
    let left = Math.round(seconds)
    const parts: string[] = []
    for (const [unit, size] of STEPS) {
      const count = Math.floor(left / size)
      if (count === 0) {
        // Only neighbours are named together: "1 day 5 sec" says nothing.
        if (parts.length > 0) break
        continue
      }
      parts.push(part(unit, count))
      left -= count * size
      if (parts.length === 2) break
    }
    return parts.join(' ')
  }
}

export function useDuration(): (seconds: number) => string {
  const { i18n } = useTranslation()
  return useMemo(() => makeDuration(i18n.language), [i18n.language])
}
