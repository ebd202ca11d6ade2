/** Figures of a letter as people of a language write them. */
export const number = (language: string, value: number, digits = 0): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)

/** Never rounded up to whole: 99.996 % is not all. */
export function percent(language: string, value: number): string {
  const cut = value < 100 ? Math.floor(value * 100 + 1e-6) / 100 : 100
  return `${number(language, cut, 2)}%`
}

/** A day, `2026-03-02`. */
export const day = (language: string, date: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`))

/** How long something took, by its two largest parts. */
export function lasted(
  seconds: number,
  units: readonly [days: string, hours: string, minutes: string, seconds: string],
) {
  const parts = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60]
  const all = [...parts, Math.floor(seconds) % 60].map((value, index) => ({ value, unit: units[index] ?? '' }))
  const first = Math.max(
    0,
    all.findIndex(({ value }) => value > 0),
  )
  const told = all.slice(first, first + 2).filter(({ value }, index) => index === 0 || value > 0)
  return (first === 0 && all[0]?.value === 0 ? all.slice(-1) : told).map(({ value, unit }) => `${value}${unit}`)
}
