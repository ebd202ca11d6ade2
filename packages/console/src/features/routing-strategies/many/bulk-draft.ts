import { type RouteInput, routingStrategies } from '@fairway/contract'
import type { Draft } from '../../bulk-configure/draft.ts'

type BulkInput = RouteInput<typeof routingStrategies.routes.bulkUpdate>
type BulkChange = Pick<BulkInput, 'strategy' | 'setting'>

/** What `onTheirs` fields are about: every strategy of a domain, or how the domain decides. */
type Field = { of: 'strategy' | 'setting'; key: string; kind: 'switch' | 'number' | 'choice'; mayBeNone?: true }

export const FIELDS = [
  { of: 'strategy', key: 'enabled', kind: 'switch' },
  { of: 'strategy', key: 'availabilityThreshold', kind: 'number', mayBeNone: true },
  { of: 'strategy', key: 'minimumMbps', kind: 'number', mayBeNone: true },
  { of: 'strategy', key: 'ttlSeconds', kind: 'number', mayBeNone: true },
  { of: 'strategy', key: 'whenNoData', kind: 'choice' },
  { of: 'strategy', key: 'whenBelow', kind: 'choice' },
  { of: 'strategy', key: 'omitRum', kind: 'switch' },
  { of: 'strategy', key: 'omitSum', kind: 'switch' },
  { of: 'setting', key: 'minimumSamples', kind: 'number' },
  { of: 'setting', key: 'marginPercent', kind: 'number' },
  { of: 'setting', key: 'maxAgeSeconds', kind: 'number', mayBeNone: true },
  { of: 'setting', key: 'ttlSeconds', kind: 'number', mayBeNone: true },
  { of: 'setting', key: 'fallbackTtlSeconds', kind: 'number', mayBeNone: true },
  { of: 'setting', key: 'significance', kind: 'switch' },
] as const satisfies readonly Field[]

/** What is written where a field is to be taken away. */
export const NONE = 'none'

/** Any id: the fields are read by the contract's own rules before domains are chosen. */
const SOME_DOMAIN = '00000000-0000-4000-8000-000000000000'

export const nameOf = ({ of, key }: Pick<Field, 'of' | 'key'>): string => `${of}.${key}`

/** The change that a draft means, null when it means none or is wrong; problems by field. */
export function readBulkDraft(draft: Draft): { change: BulkChange | null; problems: Record<string, string> } {
  const parts: Record<Field['of'], Record<string, unknown>> = { strategy: {}, setting: {} }
  for (const field of FIELDS) {
    const written = (draft[nameOf(field)] ?? '').trim()
    if (written !== '') parts[field.of][field.key] = valueOf(field, written)
  }
  const given = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0)
  if (given.length === 0) return { change: null, problems: {} }
  const read = routingStrategies.routes.bulkUpdate.in.safeParse({
    domainIds: [SOME_DOMAIN],
    ...Object.fromEntries(given),
  })
  if (!read.success)
    return {
      change: null,
      problems: Object.fromEntries(read.error.issues.map(({ path, message }) => [path.join('.'), message])),
    }
  const { domainIds: _, ...change } = read.data
  return { change, problems: {} }
}

function valueOf({ kind }: Field, written: string): unknown {
  if (kind === 'switch') return written === 'on'
  if (kind === 'choice') return written
  return written === NONE ? null : Number(written)
}
