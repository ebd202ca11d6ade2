import { RecordInput, type FoundDomain, type FoundRecord } from '@fairway/contract'
import {
  canHoldRecord,
  chosenRecords,
  domainCandidates,
  isProxied,
  type RecordPlan,
  reviewProblem,
  validateZone,
} from '@fairway/domain'
import type { FoundRow } from './found-store.ts'

export type Review = { data: FoundRecord[]; problem: string | null }

/**
 * Every record with what is wrong with it: by itself, on this plan, or with the other chosen ones. `problem` is the
 * zone's as a whole.
 */
export function presentReview(rows: readonly FoundRow[], siteName: string, plan: RecordPlan): Review {
  const data = rows.map((row): FoundRecord => ({
    ...row,
    problem: reviewProblem(row, siteName) ?? lacks(plan, row, null) ?? (isProxied(row) ? 'proxied' : null),
  }))
  const chosen = data.filter((record) => record.chosen && (record.problem === null || record.problem === 'proxied'))
  const found = validateZone(chosenRecords(chosen), siteName)
  const wrong = found && chosen[found.index]
  if (found && wrong) wrong.problem = `code:${found.problem}`
  return { data, problem: found ? `code:${found.problem}` : null }
}

/** Names that visitors open, for the choice of those that multi-CDN serves. */
export function presentDomains(rows: readonly FoundRow[], siteName: string, plan: RecordPlan): FoundDomain[] {
  const usable = rows.filter((row) => row.chosen && RecordInput.safeParse(row).success)
  return domainCandidates(usable, siteName).map(({ name, record, only, problem }) => ({
    recordId: only ? record.id : null,
    name,
    type: record.type,
    origin: record.value,
    multiCdn: record.multiCdn,
    problem:
      problem === null
        ? lacks(plan, { ...record, multiCdn: true }, { ...record, multiCdn: false })
        : problem === 900018 && !only
          ? 'severalAddresses'
          : `code:${problem}`,
  }))
}

function lacks(plan: RecordPlan, row: FoundRow, before: FoundRow | null): string | null {
  const missing = canHoldRecord(plan, row, before)
  return missing && `code:${missing}`
}
