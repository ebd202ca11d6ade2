import { accessControl } from '@fairway/contract'
import type { AccessList } from '@fairway/contract'
import { useRead } from '../../api/queries.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'

/** Entries of one list and kind, newest first. */
export function useEntries(place: Place, list: AccessList, kind: 'address' | 'place') {
  return useRead(accessControl.routes.list, { ...place, list, kind, page_size: -1, ordering: '-created_at' })
}
