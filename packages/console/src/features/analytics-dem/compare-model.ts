import { LIMITS } from '@fairway/contract'
import type { ChartLine, ChartPoint } from '../../ui/charts/time-series-model.ts'
import type { CdnFigure } from './report-model.ts'

export const MOST_COMPARED = LIMITS.demViews.compared

/** One line of a comparison: a CDN, in one country or wherever the page is narrowed to. */
export type ComparedItem = { cdnId: string; country: string | undefined }

/** In the address: `swiftlane`, or `swiftlane@JP`. */
export function readItem(text: string): ComparedItem {
  const [cdnId = '', country] = text.split('@')
  return { cdnId, country }
}

export const writeItem = ({ cdnId, country }: ComparedItem): string =>
  country === undefined ? cdnId : `${cdnId}@${country}`

/** What one report says of a CDN: its figures, and its points over time. */
export type Said = {
  figures: readonly CdnFigure[]
  series: readonly { cdnId: string; points: readonly ChartPoint[] }[]
}

export type Comparison = { figures: CdnFigure[]; lines: ChartLine[] }

/**
 * The items as figures and lines of their own, each in a colour of its own. One of which a report says nothing has no
 * figure and no points; one whose report is not there yet neither.
 */
export function comparisonOf(
  items: readonly ComparedItem[],
  said: readonly (Said | undefined)[],
  nameOf: (item: ComparedItem) => string,
  totalOf: (value: number) => string,
): Comparison {
  const rows = items.map((item, index) => {
    const report = said[index]
    const figure = report?.figures.find(({ cdnId }) => cdnId === item.cdnId)
    const look = { name: nameOf(item), series: index + 1 }
    const points = report?.series.find(({ cdnId }) => cdnId === item.cdnId)?.points ?? []
    return { key: writeItem(item), look, figure, points }
  })
  return {
    figures: rows.map(({ key, look, figure, points }) => ({
      cdnId: key,
      value: figure?.value ?? null,
      before: null,
      samples: figure?.samples ?? 0,
      small: figure?.small ?? null,
      trend: points.map(({ value }) => value),
      look,
    })),
    lines: rows.map(({ key, look, figure, points }) => ({
      key,
      ...look,
      points,
      total: figure === undefined || figure.value === null ? '—' : totalOf(figure.value),
    })),
  }
}
