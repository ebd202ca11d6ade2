export { type BeaconFacts, type ViewScriptFacts, loadBeaconScript } from './collector/beacon-script.ts'
export { followPulse } from './collector/follow-pulse.ts'
export { PulseWatch } from './collector/pulse-watch.ts'
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
export { FEED_KEYS } from './outside-feeds/outside-feeds.ts'
export { runStep } from './rollups/steps.ts'
export { buildSnapshot } from './scores/build-snapshot.ts'
export { Health } from './scores/health.ts'
export { type MeasuredRow, MeasurementWindow } from './scores/measurement-window.ts'
export { answersAround } from './questions/answers-around.ts'
export { type CdnPeriod, cdnPeriod } from './questions/cdn-period.ts'
export { type BeaconTrends, type BeaconTrendsInput, beaconTrends } from './questions/beacon-trends.ts'
export { type BillableUsage, answeredUsage, loggedUsage, vendorUsage, viewedUsage } from './questions/billable-usage.ts'
export { type ClientsOfDomainInput, clientsOfDomain } from './questions/clients-of-domain.ts'
export { type FeedFigures, feedFigures } from './questions/feed-figures.ts'
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
export { pulseFigures } from './questions/pulse-figures.ts'
export { type QpsTrendInput, qpsTrend } from './questions/qps-trend.ts'
export { type SampledClients, type SampledClientsInput, sampledClients } from './questions/sampled-clients.ts'
export { domainsWithShapes, requestShapes, type SampledShape } from './questions/request-shapes.ts'
export { recordedRequests } from './questions/recorded-requests.ts'
export { type AttackFacts, attackFacts, stoppedHours, stoppedLately } from './questions/shield-attacks.ts'
export { type ChallengeOutcome, challengeOutcomes, knownThatGaveUp } from './questions/shield-friction.ts'
export { shieldCrawlers } from './questions/shield-crawlers.ts'
export { type LoginsOfRule, shieldLogins } from './questions/shield-logins.ts'
export { shieldBreakdown, shieldReport } from './questions/shield-report.ts'
export type { ShieldScope } from './questions/shield-source.ts'
export { ruleHits, type ThreatRow, threatOf, threats, uninspected, visitorDeeds } from './questions/shield-threats.ts'
export { streamAudience, streamConcurrent } from './questions/stream-audience.ts'
export { type PeerTotals, sourcesWithPeers, streamPeerBytes, streamPeerTotals } from './questions/stream-peers.ts'
export { streamPerformance } from './questions/stream-performance.ts'
export { streamView, streamViews } from './questions/stream-views.ts'
export { trafficBreakdown } from './questions/traffic-breakdown.ts'
export { trafficPaths } from './questions/traffic-paths.ts'
export { trafficReport } from './questions/traffic-report.ts'
export { trafficRequests } from './questions/traffic-requests.ts'
export type { TrafficScope } from './questions/traffic-input.ts'
export { type ServedBucket, writeVendorTraffic } from './vendor-traffic.ts'
export { inspectServers } from './store/inspect.ts'
export { StoreAway, StoreRefused, codeOf } from './store/store-error.ts'
export { type EventStore, type QueryBound, openStore } from './store/store.ts'
export { emptyEventTables, eventRows, eventTables, orderedRows } from './store/whole-tables.ts'
export type { TableName } from './store/tables.ts'
