export { startCollector } from './collector/start-collector.ts'
export { startStore } from './facade/start-store.ts'
export {
  type AnswerHistory,
  type MeasureHistory,
  type PathHistory,
  type RequestHistory,
  type HistoryRows,
  type TrafficHistory,
  writeHistory,
} from './history.ts'
export { type LogHistogram, binOf, histogramOf, quantileOf } from './log-histogram.ts'
export { type BeaconTrends, type BeaconTrendsInput, beaconTrends } from './questions/beacon-trends.ts'
export { type BillableUsage, loggedUsage, vendorUsage } from './questions/billable-usage.ts'
export { type DemDecisionsInput, demDecisions } from './questions/dem-decisions.ts'
export { type DemPerformanceInput, demPerformance } from './questions/dem-performance.ts'
export {
  type DnsRequestsInput,
  type DnsTailInput,
  type DnsTailRow,
  dnsRequests,
  dnsTail,
} from './questions/dns-requests.ts'
export { type OverviewMapInput, overviewMap } from './questions/overview-map.ts'
export { type ProbesNear, type ProbesNearInput, probesNear } from './questions/probes-near.ts'
export { type QpsTrendInput, qpsTrend } from './questions/qps-trend.ts'
export { trafficBreakdown } from './questions/traffic-breakdown.ts'
export { trafficPaths } from './questions/traffic-paths.ts'
export { trafficReport } from './questions/traffic-report.ts'
export { trafficRequests } from './questions/traffic-requests.ts'
export { type TrafficScope } from './questions/traffic-source.ts'
export { type ServedBucket, writeVendorTraffic } from './vendor-traffic.ts'
export { type EventStore, StoreAway, StoreRefused, openStore } from './store/store.ts'
