import type { RouteInput, RouteOutput } from '@fairway/contract'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CallableRoute } from '../../api/client.ts'
import { read } from '../../api/queries.ts'
import { type Comparison, type Said, comparisonOf, readItem } from './compare-model.ts'
import { LIVE_MS } from './tab-props.ts'
import { useItemName } from './use-item-name.ts'

type Compared<R extends CallableRoute> = {
  route: R
  /** What the page asks; a country of an item stands in the place of the page's. */
  input: RouteInput<R>
  compare: readonly string[]
  isLive: boolean
  said: (report: RouteOutput<R>) => Said
  totalOf: (value: number) => string
}

/** The items side by side, each asked for where it is about; undefined when nothing is compared. */
export function useCompared<R extends CallableRoute>({
  route,
  input,
  compare,
  isLive,
  said,
  totalOf,
}: Compared<R>): Comparison | undefined {
  const nameOf = useItemName()
  const items = useMemo(() => compare.map(readItem), [compare])
  const reports = useQueries({
    queries: items.map(({ country }) => ({
      ...read(route, country === undefined ? input : { ...input, country }),
      placeholderData: keepPreviousData,
      refetchInterval: isLive ? LIVE_MS : (false as const),
    })),
    combine: (results) => results.map(({ data }) => data),
  })
  return useMemo(
    () =>
      items.length === 0
        ? undefined
        : comparisonOf(
            items,
            reports.map((report) => report && said(report)),
            nameOf,
            totalOf,
          ),
    [items, reports, said, nameOf, totalOf],
  )
}
