export type MapShare = { key: string; name: string; series: number; value: number }

/** Figures of one country, best first; `value` decides who wins and how much the country weighs. */
export type MapCountry = { country: string; shares: readonly MapShare[] }

/** How a country is painted: in the colour of its winner, striped with the second when that has a real part of it. */
export type MapPaint = {
  winner: MapShare
  second: MapShare | null
  shares: readonly MapShare[]
  strength: number
  total: number
}

/** One line about a CDN in a country: `text` is what is said of it. */
export type MapRow = { key: string; name: string; series: number; text: string }

/** From this part on a second CDN shows as stripes. */
const STRIPES_FROM = 0.2
const WEAKEST = 42
const STRONGEST = 92
/** Between them: few, so that a country is not painted again for every answer more. */
const STEP = 10

/**
 * Paint by country. Strength, in percent, grows with the logarithm of the total, so that the largest country does not
 * leave the others pale.
 */
export function paintCountries(
  countries: readonly MapCountry[],
  strengthBy: 'total' | 'none' = 'total',
): Map<string, MapPaint> {
  const totals = countries.map(({ shares }) => shares.reduce((sum, { value }) => sum + value, 0))
  const logs = totals.filter((total) => total > 0).map((total) => Math.log1p(total))
  const low = Math.min(...logs)
  const span = Math.max(...logs) - low
  const paints = new Map<string, MapPaint>()
  for (const [index, { country, shares }] of countries.entries()) {
    const total = totals[index] ?? 0
    const sorted = shares.filter(({ value }) => value > 0).sort((a, b) => b.value - a.value)
    const [winner, second] = sorted
    if (!winner || total <= 0) continue
    const weight = strengthBy === 'none' || span === 0 ? 1 : (Math.log1p(total) - low) / span
    const striped = second && second.value / total >= STRIPES_FROM ? second : null
    paints.set(country, {
      winner,
      second: striped,
      shares: sorted,
      strength: WEAKEST + STEP * Math.round((weight * (STRONGEST - WEAKEST)) / STEP),
      total,
    })
  }
  return paints
}

/**
 * Countries whose winner is another one than before, with the new winner's series. A country that was not painted
 * before has not changed.
 */
export function changedWinners(
  before: ReadonlyMap<string, MapPaint>,
  after: ReadonlyMap<string, MapPaint>,
): { country: string; series: number }[] {
  return [...after].flatMap(([country, { winner }]) => {
    const old = before.get(country)
    return old && old.winner.key !== winner.key ? [{ country, series: winner.series }] : []
  })
}
