import { type DnsRecord, type ErrorCode, RecordInput, type RecordType } from '@fairway/contract'
import {
  STEERED_TTL_SECONDS,
  AUTO_TTL_SECONDS,
  absoluteName,
  canHaveWeight,
  isBogon,
  relativeName,
  toRdata,
  validateRecord,
  validateZone,
} from '@fairway/domain'
import { isSteerable } from '../filter-records.ts'

/** A record while it is being written: fields may be empty. */
export type RecordDraft = {
  type: RecordType
  name: string
  value: string
  preference: number | ''
  /** Null is Auto. */
  ttlSeconds: number | '' | null
  multiCdn: boolean
  /** Empty without weighted round robin. */
  weight: number | ''
  comment: string
  tags: string[]
}

export type DraftProblems = Partial<Record<keyof RecordDraft, string>>

const FIRST_PREFERENCE = 10

export function draftOf(record: DnsRecord | null, type: RecordType = 'A'): RecordDraft {
  if (record === null)
    return {
      type,
      name: '',
      value: '',
      preference: FIRST_PREFERENCE,
      ttlSeconds: null,
      multiCdn: false,
      weight: '',
      comment: '',
      tags: [],
    }
  const { name, value, preference, ttlSeconds, multiCdn, weight, comment, tags } = record
  return {
    type: record.type,
    name,
    value,
    preference: preference ?? FIRST_PREFERENCE,
    ttlSeconds,
    multiCdn,
    weight: weight ?? '',
    comment,
    tags,
  }
}

/** What would be sent: only MX has a preference, and multi-CDN keeps the TTL. Still to be parsed. */
export function inputOf(draft: RecordDraft, siteName: string): unknown {
  const name = relativeName(draft.name, siteName)
  const multiCdn = draft.multiCdn && isSteerable({ type: draft.type, name })
  const weight = canHaveWeight(draft.type) && !multiCdn && draft.weight !== '' ? draft.weight : null
  return {
    ...draft,
    name,
    multiCdn,
    weight,
    preference: draft.type === 'MX' && draft.preference !== '' ? draft.preference : null,
    ttlSeconds: multiCdn ? null : draft.ttlSeconds,
  }
}

/**
 * What is wrong with a draft, by field: first the contract's form, then the type's own rules, then the rules across the
 * site's other records.
 * `others` are the records beside it, without the one that is edited. The same functions answer on the server.
 */
export function problemsOf(
  draft: RecordDraft,
  siteName: string,
  others: readonly DnsRecord[],
): { problems: DraftProblems; input: RecordInput | null } {
  const parsed = RecordInput.safeParse(inputOf(draft, siteName))
  const problems: DraftProblems = {}
  if (draft.name.trim() === '') add(problems, 'name', 'validation.required')
  if (draft.multiCdn && isPrivateAddress(draft)) add(problems, 'value', 'validation.bogon')
  if (!parsed.success) for (const { path, message } of parsed.error.issues) add(problems, String(path[0]), message)
  if (draft.type === 'MX' && draft.preference === '') add(problems, 'preference', 'validation.required')
  if (draft.value.trim() !== '')
    for (const { path, message } of validateRecord(
      {
        ...draft,
        name: relativeName(draft.name, siteName),
        preference: draft.preference === '' ? null : draft.preference,
      },
      siteName,
    ))
      add(problems, path, message)
  if (!parsed.success || Object.keys(problems).length > 0) return { problems, input: null }
  const problem = zoneProblem(parsed.data, siteName, others)
  if (problem !== null) return { problems: { [fieldOfCode(problem)]: `code:${problem}` }, input: null }
  return { problems, input: parsed.data }
}

/** Only what this record breaks: a zone that is broken already is not its fault. */
function zoneProblem(input: RecordInput, siteName: string, others: readonly DnsRecord[]): ErrorCode | null {
  if (validateZone(others, siteName) !== null) return null
  return validateZone([...others, input], siteName)?.problem ?? null
}

function add(problems: DraftProblems, path: string, message: string): void {
  if (isField(path)) problems[path] ??= message
}

const FIELDS = ['type', 'name', 'value', 'preference', 'ttlSeconds', 'multiCdn', 'weight', 'comment', 'tags'] as const
const isField = (path: string): path is keyof RecordDraft => FIELDS.some((field) => field === path)

const FIELD_OF_CODE: Partial<Record<number, keyof RecordDraft>> = {
  900101: 'value',
  900106: 'value',
  900023: 'value',
  900108: 'ttlSeconds',
  810005: 'ttlSeconds',
}

/** Where a code's sentence stands in the form; the name is what most of them are about. */
export function fieldOfCode(code: number): keyof RecordDraft {
  return FIELD_OF_CODE[code] ?? 'name'
}

/** An address that works inside a network only: allowed, and worth a word. */
export function isPrivateAddress({ type, value }: RecordDraft): boolean {
  return (type === 'A' || type === 'AAAA') && isBogon(value.trim())
}

/** The line of a zone file that the draft makes, in its parts; what is missing yet is an ellipsis. */
export function zoneLine(
  draft: Omit<RecordDraft, 'weight' | 'comment' | 'tags'>,
  siteName: string,
): { owner: string; ttlSeconds: number; type: string; rdata: string } {
  const { type, value } = draft
  const preference = draft.preference === '' ? null : draft.preference
  const name = relativeName(draft.name, siteName)
  const isValid =
    value.trim() !== '' &&
    validateRecord({ type, name: '@', value, preference }, siteName).every(({ path }) => path !== 'value')
  const steered = draft.multiCdn && isSteerable({ type, name })
  return {
    owner: `${absoluteName(name === '' ? '@' : name, siteName)}.`,
    ttlSeconds: steered ? STEERED_TTL_SECONDS : draft.ttlSeconds || AUTO_TTL_SECONDS,
    type,
    rdata: isValid ? toRdata({ type, value, preference }) : value.trim() || '…',
  }
}
