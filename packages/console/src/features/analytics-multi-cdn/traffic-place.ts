import type { analyticsMultiCdn, RouteInput } from '@fairway/contract'

/** What the page is about: window, site, domain, and what it is narrowed to. */
export type TrafficPlace = Omit<RouteInput<typeof analyticsMultiCdn.routes.report>, 'seconds'> & { seconds: number }
