import type { DnsRecord } from '@fairway/contract'
import { type RecordHint, recordHints } from '@fairway/domain'
import { createContext, useDeferredValue, useMemo } from 'react'

const NONE: ReadonlyMap<string, RecordHint> = new Map()

/** By record id: what is allowed and probably not meant. Beside the rows, so that a new hint draws its own row only. */
export const RecordHints = createContext(NONE)

/** Hints on all records of a site; they may come a moment after the table. */
export function useHints(records: readonly DnsRecord[] | undefined, siteName: string): ReadonlyMap<string, RecordHint> {
  const settled = useDeferredValue(records)
  return useMemo(() => {
    if (!settled) return NONE
    const byId = new Map<string, RecordHint>()
    for (const [index, hint] of recordHints(settled, siteName)) {
      const id = settled[index]?.id
      if (id !== undefined) byId.set(id, hint)
    }
    return byId
  }, [settled, siteName])
}
