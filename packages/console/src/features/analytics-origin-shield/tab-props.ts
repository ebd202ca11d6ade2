import type { analyticsOriginShield, RouteInput, ShieldDimension } from '@fairway/contract'
import type { TimeSpan } from '../../ui/charts/time-series-model.ts'
import type { ShieldSearch } from './search.ts'

export type ShieldFilter = Pick<
  RouteInput<typeof analyticsOriginShield.routes.report>,
  'action' | 'rule' | 'country'
> & {
  part?: ShieldSearch['part']
}

/** What every tab is given: window and place, what the page is narrowed to, and how it is changed. */
export type TabProps = {
  place: { site: string; domain?: string; seconds: number; until?: number }
  filter: ShieldFilter
  isLive: boolean
  /** Of files, without ending. */ fileName: string
  by: ShieldDimension | undefined
  onBy: (by: ShieldDimension | undefined) => void
  onNarrow: (filter: ShieldFilter) => void
  onZoom: (span: TimeSpan) => void
}
