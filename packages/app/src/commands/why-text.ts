import type {
  CandidateTrace,
  Counterfactual,
  Explanation,
  Location,
  StrategyTrace,
  UsedMeasure,
} from '@fairway/contract'
import { CANDIDATE_REASONS, METHODS, STEP_REASONS } from './why-words.ts'

/** An explanation as a page of plain text. */
export function explanationText(explanation: Explanation): string {
  const { name, visitor, decision, node, by, decidedAt, version, outages, otherwise } = explanation
  const { trace } = decision
  const shares = decision.shares
    .map(({ cdnId, percent }) => (decision.shares.length > 1 ? `${cdnId} ${percent} %` : cdnId))
    .join(', ')
  const lines = [
    `${name} for ${visitor.address}/${visitor.prefixLength} (${placeOf(visitor.location)})`,
    `  goes to ${shares || 'no CDN: none is enabled'}, for ${decision.ttlSeconds} s`,
    `  said by ${by === 'dns-node' ? `the name server ${node}` : 'the API, because no name server could be asked'} at ${new Date(decidedAt).toISOString()}`,
    `  with measurements ${trace.scoresSerial}${trace.scoresStale ? ', which are TOO OLD' : ''}, policy ${trace.policyId || '-'}${version === null ? '' : ` of version ${version}`}`,
    by === 'api'
      ? '  the choice before is not known to the API: the margin had no say'
      : `  before: ${trace.previous ?? 'nothing'}`,
    ...outages.map(({ cdnId, since, seen }) => `  ${cdnId} is DOWN since ${since}, seen by ${seen || 'probes'}`),
    '',
    ...trace.steps.flatMap((step, at) => stepLines(step, at + 1, explanation)),
    ...(otherwise.length > 0
      ? ['', 'What would change it:', ...otherwise.map((one) => `  ${otherwiseText(one)}`)]
      : []),
  ]
  return `${lines.join('\n')}\n`
}

function stepLines(step: StrategyTrace, number: number, { thresholds }: Explanation): string[] {
  const threshold = step.strategyId === null ? null : (thresholds[step.strategyId] ?? null)
  const method = step.method ? ` (${METHODS[step.method]})` : ''
  const head = `${number}. ${step.strategyId === null ? 'Last resort' : step.name}${method}: ${STEP_REASONS[step.reason]}${step.mixedLevels ? '; compared by data of different levels' : ''}${threshold === null || step.method === 'always-use' ? '' : `; available from ${threshold} % on`}`
  return step.candidates.length ? [head, ...table(step.candidates), ''] : [head]
}

function otherwiseText(one: Counterfactual): string {
  switch (one.kind) {
    case 'faster':
      return `${one.cdnId} wins below ${ms(one.belowMs)}; it is at ${ms(one.nowMs)}`
    case 'faster-by-margin':
      return `${one.cdnId} takes over below ${ms(one.belowMs)}, by the margin; it is at ${ms(one.nowMs)}`
    case 'more-available':
      return `${one.cdnId} wins above ${one.above.toFixed(1)} %; it is at ${one.now.toFixed(1)} %`
    case 'reaches-threshold':
      return `${one.cdnId} is considered from ${one.from} % on; it is at ${one.now.toFixed(1)} %`
    case 'alive':
      return `${one.cdnId} is considered as soon as probes reach it`
    case 'measured':
      return `${one.cdnId} is compared once it has ${one.minimumSamples} samples at some level`
    case 'serves':
      return `${one.cdnId} is considered when it is on and installed`
    case 'next-in-order':
      return `${one.cdnId} answers when ${one.beforeCdnId} does not`
    case 'standby':
      return `${one.cdnId} answers when no CDN with a weight is left`
  }
}

const HEAD = ['', 'CDN', 'share', 'latency', 'ranked', 'available', 'samples', 'age', 'by data of', 'because']

function table(candidates: readonly CandidateTrace[]): string[] {
  const rows = [HEAD, ...candidates.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map(
    (row) =>
      `   ${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}`,
  )
}

function cells(candidate: CandidateTrace): string[] {
  const measure = candidate.latency ?? candidate.availability
  const skipped = measure?.skipped.length
    ? `; finer levels left out: ${measure.skipped.map((skip) => `${skip.level} ${skip.source} ${skip.reason}`).join(', ')}`
    : ''
  return [
    candidate.chosen ? '>' : '',
    candidate.cdnId,
    candidate.chosen ? `${candidate.percent} %` : '-',
    ms(candidate.latency?.value ?? null),
    ms(candidate.rankedLatencyMs),
    candidate.availability ? `${candidate.availability.value.toFixed(1)} %` : '-',
    measure ? String(measure.samples) : '-',
    measure ? `${(measure.ageMs / 1000).toFixed(1)} s` : '-',
    measure ? levelOf(measure) : '-',
    `${CANDIDATE_REASONS[candidate.reason]}${candidate.vsrRuleId ? ' (as if elsewhere, by a VSR rule)' : ''}${returningOf(candidate)}${throughputOf(candidate)}${weightsOf(candidate)}${skipped}`,
  ]
}

function returningOf({ returning }: CandidateTrace): string {
  return returning
    ? `; back for ${returning.percent} % of the visitors since ${new Date(returning.since).toISOString()}`
    : ''
}

function throughputOf({ throughputMbps, throughputFrom }: CandidateTrace): string {
  if (throughputMbps === undefined) return ''
  const from = throughputFrom
    ? ` by ${throughputFrom.samples} samples of ${throughputFrom.level} ${SOURCES[throughputFrom.source]}`
    : ''
  return `; ${throughputMbps.toFixed(1)} Mbit/s${from}`
}

/** Which networks weigh most in the figure that was compared, and how much was heard of them. */
function weightsOf({ availability }: CandidateTrace): string {
  if (!availability) return ''
  const { networks, heard, samples, fellFast, feed } = availability
  const outside = feed ? `; outside feeds ${feed.names.join(', ')}: ${feed.value.toFixed(1)} %` : ''
  const fell = `${outside}${fellFast ? '; by the last seconds alone, it has fallen fast' : ''}`
  if (!networks?.length) return fell
  const shares = networks.map(
    (one) =>
      `${one.network || 'unknown network'} ${((one.samples * 100) / Math.max(1, samples)).toFixed(0)} %${one.heard > one.samples ? ` (${one.samples} of ${one.heard})` : ''}`,
  )
  return `${fell}; weighs most: ${shares.join(', ')}${heard === undefined ? '' : `; ${samples} of ${heard} samples count`}`
}

const SOURCES: Record<UsedMeasure['source'], string> = {
  rum: 'visitors',
  sum: 'probes',
  nel: 'reports of browsers',
  edge: 'connections of the edge',
  feed: 'outside feeds',
}

function levelOf(measure: UsedMeasure): string {
  return `${measure.level} ${SOURCES[measure.source]}`
}

function ms(value: number | null): string {
  return value === null ? '-' : `${value.toFixed(1)} ms`
}

function placeOf(location: Location): string {
  const place = [location.city, location.region, location.country].filter((part) => part !== null).join(', ')
  return `${place || 'place unknown'}${location.network ? `, network ${location.network}` : ''}`
}
