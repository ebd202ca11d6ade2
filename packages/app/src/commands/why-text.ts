import type { CandidateTrace, Explanation, Location, StrategyTrace, UsedMeasure } from '@fairway/contract'
import { CANDIDATE_REASONS, METHODS, STEP_REASONS } from './why-words.ts'

/** An explanation as a page of plain text. */
export function explanationText({ name, visitor, decision, node, by, decidedAt }: Explanation): string {
  const { trace } = decision
  const shares = decision.shares
    .map(({ cdnId, percent }) => (decision.shares.length > 1 ? `${cdnId} ${percent} %` : cdnId))
    .join(', ')
  const lines = [
    `${name} for ${visitor.address}/${visitor.prefixLength} (${placeOf(visitor.location)})`,
    `  goes to ${shares || 'no CDN: none is enabled'}, for ${decision.ttlSeconds} s`,
    `  said by ${by === 'dns-node' ? `the name server ${node}` : 'the API, because no name server could be asked'} at ${new Date(decidedAt).toISOString()}`,
    `  with measurements ${trace.scoresSerial}${trace.scoresStale ? ', which are TOO OLD' : ''}`,
    '',
    ...trace.steps.flatMap((step, at) => stepLines(step, at + 1)),
  ]
  return `${lines.join('\n')}\n`
}

function stepLines(step: StrategyTrace, number: number): string[] {
  const method = step.method ? ` (${METHODS[step.method]})` : ''
  const head = `${number}. ${step.strategyId === null ? 'Last resort' : step.name}${method}: ${STEP_REASONS[step.reason]}${step.mixedLevels ? '; compared by data of different levels' : ''}`
  return step.candidates.length ? [head, ...table(step.candidates), ''] : [head]
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
    `${CANDIDATE_REASONS[candidate.reason]}${candidate.vsrRuleId ? ' (as if elsewhere, by a VSR rule)' : ''}${skipped}`,
  ]
}

function levelOf(measure: UsedMeasure): string {
  return `${measure.level} ${measure.source === 'rum' ? 'visitors' : 'probes'}`
}

function ms(value: number | null): string {
  return value === null ? '-' : `${value.toFixed(1)} ms`
}

function placeOf(location: Location): string {
  const place = [location.city, location.region, location.country].filter((part) => part !== null).join(', ')
  return `${place || 'place unknown'}${location.network ? `, network ${location.network}` : ''}`
}
