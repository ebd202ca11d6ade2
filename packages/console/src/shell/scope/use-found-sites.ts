import { type Site, sites } from '@fairway/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { useRead } from '../../api/queries.ts'
import { FIRST_SET_UP, FIRST_SITES } from './scope.ts'

/** The server is asked once the typing rests. */
const REST_MS = 200
/** As the contract takes it. */
const LONGEST = 200

export type FoundSites = {
  rows: readonly Site[]
  /** So many match beyond `rows`; they are found by more of their names. */
  more: number
  /** The account has more sites than are known here without a search. */
  isPart: boolean
  /** An answer to what is typed is on its way. */
  isBusy: boolean
}

type Settings = { enabled?: boolean; onlySetUp?: boolean }

/**
 * Sites to choose among: the first by name, narrowed by what is typed. Where these are not all the server searches, and
 * what it found before stays until it answers.
 */
export function useFoundSites(text: string, { enabled = true, onlySetUp = false }: Settings = {}): FoundSites {
  const input = onlySetUp ? FIRST_SET_UP : FIRST_SITES
  const first = useRead(sites.routes.list, input, { enabled }).data
  const isPart = first !== undefined && first.meta.total > first.data.length
  const typed = text.trim().toLowerCase().slice(0, LONGEST)
  const [rested] = useDebouncedValue(typed, REST_MS)
  const isAsking = isPart && typed !== ''
  const search = useRead(
    sites.routes.list,
    { ...input, search: rested },
    { enabled: enabled && isAsking && rested !== '' },
  )
  const found = (isAsking ? search.data : undefined) ?? first
  const rows = (found?.data ?? []).filter(({ domainName }) => domainName.includes(typed))
  const isBusy = enabled && (isAsking ? typed !== rested || search.isFetching : first === undefined)
  const more = found === undefined || isBusy ? 0 : Math.max(0, found.meta.total - found.data.length)
  return { rows, more: isPart ? more : 0, isPart, isBusy }
}
