import type { DnssecFacts } from '@fairway/domain'
import type { DnssecRow, KeyRow } from './store.ts'
import { isDsOf } from './zone-keys.ts'

/** What the rows say, in the words of the domain. */
export function factsOf(
  row: DnssecRow,
  keys: readonly KeyRow[],
  zone: string,
  answered: boolean,
  now: Date,
): DnssecFacts {
  const ds = row.ds_absent_since === null ? row.parent_ds : []
  return {
    state: row.state,
    keys: keys.map(({ id, state, state_since, tag, public_key }) => ({
      id,
      state,
      since: state_since.getTime(),
      atParent: ds.some((one) => isDsOf(one, zone, { tag, publicKey: public_key })),
    })),
    parentHasDs: answered ? ds.length > 0 : null,
    wasSecured: row.parent_ds.length > 0,
    dsTtlSeconds: row.ds_ttl_seconds,
    absentSince: row.ds_absent_since?.getTime() ?? null,
    now: now.getTime(),
  }
}
