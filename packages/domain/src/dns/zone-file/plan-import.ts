import {
  LIMITS,
  type RecordInput,
  type ZoneFileCounts,
  type ZoneFileMode,
  type ZoneFileRow,
  type ZoneFileSkip,
} from '@fairway/contract'
import type { RecordNote } from './record-note.ts'
import { canHoldRecord } from '../../plans/can-use.ts'
import { toRdata, type WireRecord } from '../to-rrsets.ts'
import { zoneProblems } from '../validate-zone.ts'
import type { FileRecord } from './file-records.ts'
import { effectiveTtl, judgeRecord, type Judged } from './judge-record.ts'

export type CurrentRecord = WireRecord & { id: string } & Partial<RecordNote>

/** `Current` is a record as the caller keeps it; it comes back as it was given. */
export type ImportPlan<Current extends CurrentRecord = CurrentRecord> = {
  rows: ZoneFileRow[]
  counts: ZoneFileCounts
  added: RecordInput[]
  changed: { before: Current; record: RecordInput }[]
  removed: Current[]
  /** Records that the site has then. */
  after: number
  touchedShare: number
  needsForce: boolean
}

export type ImportInput<Current extends CurrentRecord> = {
  records: readonly FileRecord[]
  current: readonly Current[]
  siteName: string
  mode: ZoneFileMode
  minimumTtlSeconds: number
  /** What the plan is able to: records that it lacks an ability for are not added. */
  ability: readonly string[]
  /** Records of the site that are not among `current`, since nothing of the file can touch or contradict them. */
  elsewhere?: number
}

/**
 * What importing a file does to a site: a name and type of which the file has something that can be taken becomes what
 * the file says; the others stay, or go when the rest is replaced.
 * Names that multi-CDN steers are never touched. What would break the zone is left out with its reason, so that the
 * rest can be taken.
 */
export function planImport<Current extends CurrentRecord>({
  records,
  current,
  siteName,
  mode,
  minimumTtlSeconds,
  ability,
  elsewhere = 0,
}: ImportInput<Current>): ImportPlan<Current> {
  const steered = new Map(current.filter(({ multiCdn }) => multiCdn).map((record) => [record.name, record]))
  const judged = records.map((record) => judgeRecord(record, { siteName, minimumTtlSeconds, steered }))
  const sets = setsOf(judged)
  for (const own of sets.values()) {
    if (own.length < 2) continue
    refuseDoubles(own)
    oneTtlPerSet(own)
  }
  let steps = compare(judged, sets, current, mode)
  let isRefused = false
  for (const { judged: one } of steps.added) {
    const problem = one.input && canHoldRecord({ ability, minimumTtlSeconds }, one.input, null)
    if (!problem) continue
    refuse(one, `code:${problem}`)
    isRefused = true
  }
  if (isRefused) steps = compare(judged, sets, current, mode)
  for (let round = 0; refuseBroken(steps, siteName, round === MOST_ROUNDS); round++)
    steps = compare(judged, sets, current, mode)
  return summary(judged, steps, current.length + elsewhere)
}

/**
 * What is refused can make what stays collide with what is left; a file made for it would go on and on, and nothing of
 * it is taken then.
 */
const MOST_ROUNDS = 20

type Step<Current> = { judged: Judged; before: Current | null }
/** `spared` is kept only because multi-CDN steers it. */
type Steps<Current> = {
  kept: Current[]
  spared: Current[]
  same: Step<Current>[]
  changed: Step<Current>[]
  added: Step<Current>[]
  removed: Current[]
}

const setOf = ({ name, type }: { name: string; type: string }): string => `${name} ${type}`

const takenOf = (judged: readonly Judged[]): readonly Judged[] =>
  judged.every(({ input }) => input !== null) ? judged : judged.filter(({ input }) => input !== null)

/** What of a file can be taken, by sets. */
const setsOf = (judged: readonly Judged[]): Map<string, Judged[]> =>
  Map.groupBy(
    judged.filter(({ input }) => input !== null),
    ({ input, file }) => setOf(input ?? file),
  )

/** @param own those of one set */
function refuseDoubles(own: readonly Judged[]): void {
  const seen = new Set<string>()
  for (const one of own) {
    if (one.input === null) continue
    const rdata = toRdata(one.input)
    if (seen.has(rdata)) refuse(one, 'code:900101')
    seen.add(rdata)
  }
}

/** The first record of a set says the TTL of all (RFC 2181 5.2), as in BIND. */
function oneTtlPerSet(own: readonly Judged[]): void {
  let first: RecordInput | null = null
  for (const one of own) {
    if (one.input === null) continue
    first ??= one.input
    if (effectiveTtl(first) !== effectiveTtl(one.input))
      one.notes = [...one.notes.filter((note) => note !== 'ttlRaised' && note !== 'ttlLowered'), 'ttlOfSet']
    if (first.ttlSeconds !== one.input.ttlSeconds) one.input = { ...one.input, ttlSeconds: first.ttlSeconds }
  }
}

function refuse(judged: Judged, reason: string): void {
  judged.input = null
  judged.reason = reason
  judged.notes = []
}

/** Set by set: equal records stay, the others are paired in their order, what is left over comes or goes. */
function compare<Current extends CurrentRecord>(
  judged: readonly Judged[],
  sets: ReadonlyMap<string, readonly Judged[]>,
  current: readonly Current[],
  mode: ZoneFileMode,
): Steps<Current> {
  const steps: Steps<Current> = { kept: [], spared: [], same: [], changed: [], added: [], removed: [] }
  const named = mode === 'merge' ? null : new Set(judged.map(({ file }) => setOf(file)))
  const existing = Map.groupBy(current, setOf)
  for (const [set, own] of existing) {
    const wanted = takenOf(sets.get(set) ?? [])
    const stays = named === null || named.has(set)
    if (wanted.length > 0) compareSet(wanted, own, steps)
    else for (const record of own) (stays ? steps.kept : record.multiCdn ? steps.spared : steps.removed).push(record)
  }
  for (const [set, wanted] of sets) if (!existing.has(set)) compareSet(takenOf(wanted), [], steps)
  return steps
}

function compareSet<Current extends CurrentRecord>(
  wanted: readonly Judged[],
  own: readonly Current[],
  steps: Steps<Current>,
): void {
  // Nothing to compare with, as for all of a new zone.
  if (own.length === 0) {
    for (const judged of wanted) steps.added.push({ judged, before: null })
    return
  }
  const left = new Map(own.map((record) => [toRdata(record), record]))
  const news: Judged[] = []
  for (const judged of wanted) {
    const rdata = judged.input === null ? '' : toRdata(judged.input)
    const before = left.get(rdata)
    if (before === undefined || judged.input === null) news.push(judged)
    else
      (effectiveTtl(before) === effectiveTtl(judged.input) &&
      !hasOtherWeight(before, judged) &&
      !hasOtherNote(before, judged)
        ? steps.same
        : steps.changed
      ).push({ judged, before })
    left.delete(rdata)
  }
  const gone = [...left.values()]
  for (const judged of news) {
    const before = gone.shift() ?? null
    ;(before === null ? steps.added : steps.changed).push({ judged, before })
  }
  for (const record of gone) steps.removed.push(record)
}

/** A file that says nothing beside a record leaves what is noted there. */
const hasOtherNote = ({ comment = '', tags = [] }: CurrentRecord, { input }: Judged): boolean =>
  (input?.comment !== undefined && input.comment !== comment) ||
  (input?.tags !== undefined && input.tags.join() !== tags.join())

/** Only a table has weights; a file without them leaves them as they are. */
const hasOtherWeight = (before: CurrentRecord, { file, input }: Judged): boolean =>
  file.weight !== undefined && (before.weight ?? null) !== (input?.weight ?? null)

/**
 * Leaves out what breaks the zone; false when nothing does. What the site has already is right, so the blame is on the
 * file.
 */
function refuseBroken(
  { kept, spared, same, changed, added }: Steps<CurrentRecord>,
  siteName: string,
  refuseAll: boolean,
): boolean {
  const fromFile = [...same, ...changed, ...added].map(({ judged }) => judged).sort((a, b) => a.file.line - b.file.line)
  const staying = [...kept, ...spared]
  const zone = [...staying, ...fromFile.flatMap(({ input }) => (input === null ? [] : [input]))]
  const blamed = new Map<Judged, string>()
  for (const { problem, index, others } of zoneProblems(zone, siteName)) {
    const found = [index, ...others].map((at) => fromFile[at - staying.length]).find((judged) => judged !== undefined)
    if (found !== undefined && !blamed.has(found)) blamed.set(found, `code:${problem}`)
  }
  const [reason] = blamed.values()
  if (refuseAll && reason !== undefined) for (const judged of fromFile) blamed.set(judged, reason)
  for (const [judged, why] of blamed) refuse(judged, why)
  return blamed.size > 0
}

function summary<Current extends CurrentRecord>(
  judged: readonly Judged[],
  { spared, same, changed, added, removed }: Steps<Current>,
  existing: number,
): ImportPlan<Current> {
  const actions = new Map<Judged, Pick<ZoneFileRow, 'action' | 'before' | 'reason'>>()
  for (const step of same)
    actions.set(step.judged, { action: 'skipped', before: null, reason: 'same' satisfies ZoneFileSkip })
  for (const { judged: one } of added) actions.set(one, { action: 'added', before: null, reason: null })
  for (const { judged: one, before } of changed)
    actions.set(one, {
      action: 'changed',
      before: before && { value: before.value, preference: before.preference, ttlSeconds: before.ttlSeconds },
      reason: null,
    })
  const rows = judged.map((one): ZoneFileRow =>
    rowOf(one, actions.get(one) ?? { action: 'skipped', before: null, reason: one.reason }),
  )
  const absent = (record: CurrentRecord, action: ZoneFileRow['action'], reason: ZoneFileSkip | null) =>
    void rows.push({ ...fieldsOf(record), line: null, action, before: null, reason, notes: [] })
  for (const record of removed) absent(record, 'removed', null)
  for (const record of spared) absent(record, 'skipped', 'steered')
  const touched = changed.length + removed.length
  const { share, fromRecords } = LIMITS.zoneChangeGuard
  return {
    rows,
    counts: {
      added: added.length,
      changed: changed.length,
      removed: removed.length,
      skipped: rows.length - added.length - touched,
    },
    added: added.flatMap(({ judged: { input } }) => (input === null ? [] : [input])),
    changed: changed.flatMap(({ judged, judged: { input }, before }) =>
      input === null || before === null
        ? []
        : [
            {
              before,
              record: { ...input, weight: judged.file.weight === undefined ? (before.weight ?? null) : input.weight },
            },
          ],
    ),
    removed,
    after: existing - removed.length + added.length,
    touchedShare: existing === 0 ? 0 : touched / existing,
    needsForce: existing >= fromRecords && touched > existing * share,
  }
}

function rowOf({ file, input, notes }: Judged, what: Pick<ZoneFileRow, 'action' | 'before' | 'reason'>): ZoneFileRow {
  return { ...fieldsOf(input ?? file), line: file.line, ...what, notes: what.action === 'skipped' ? [] : notes }
}

function fieldsOf({
  type,
  name,
  value,
  preference,
  ttlSeconds,
}: Omit<WireRecord, 'type'> & { type: string }): Pick<
  ZoneFileRow,
  'type' | 'name' | 'value' | 'preference' | 'ttlSeconds'
> {
  return { type, name, value, preference, ttlSeconds }
}
