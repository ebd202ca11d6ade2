import type { MapCountry, MapRow } from './map-model.ts'

export type WorldMapProps = {
  /** What is mapped, for example "DNS answers by country". */
  name: string
  countries: readonly MapCountry[]
  /** CDNs of the legend, in series order. */
  legend: readonly { key: string; name: string; series: number }[]
  formatValue: (value: number) => string
  /** The page names the CDNs elsewhere already. */
  withoutLegend?: boolean
  /** `total` makes countries with more stronger; `none` paints all alike, for figures that are no amounts. */
  strengthBy?: 'total' | 'none'
  /** Words for a row of the tooltip and the table that are not simply its part and the value. */
  describe?: (country: string) => readonly MapRow[]
  selected?: string | undefined
  onSelect?: (country: string) => void
  /** Words of the buttons of the table, when they should say more than the country. */
  selectLabel?: (country: string) => string
}
