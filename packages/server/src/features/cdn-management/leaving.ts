import type { Context } from '../../http/context.ts'
import { recorded } from '../versions/recorded-row.ts'
import { attachedRows, markLeaving } from './store.ts'

/**
 * Takes CDNs off a domain: all, or the one row. DNS leaves them out from this version on; the reconciler removes them
 * when resolvers have forgotten them.
 */
export async function beginLeaving(
  { tx, site, change }: Pick<Context, 'tx' | 'site' | 'change'>,
  domainId: string,
  rowId: string | null = null,
): Promise<void> {
  const rows = await attachedRows(tx, site.id, domainId, rowId)
  if (!rows.length) return
  for (const { id, label, row } of rows)
    change.record({ entity: 'domain-cdn', id, label, before: recorded(row), after: null })
  await markLeaving(
    tx,
    rows.map((row) => row.id),
    await change.version(),
  )
}
