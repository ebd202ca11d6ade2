import type { TrafficFilter } from '@fairway/contract'

export type TrafficScope = {
  organizationId: string
  siteId?: string | undefined
  domainId?: string | undefined
} & Pick<TrafficFilter, 'cdn' | 'status' | 'cache' | 'country'>

export type TrafficInput = TrafficScope & {
  seconds: number
  /** Epoch seconds; default is now. */ until?: number | undefined
  /** Epoch ms. */ now: number
}
