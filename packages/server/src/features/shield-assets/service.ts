import { shieldAssets, type ShieldInstanceState } from '@fairway/contract'
import { slice } from '../../http/register.ts'
import { instanceRows, type InstanceRow } from './store.ts'

export const shieldAssetsSlice = slice(shieldAssets, {
  async list({ tx }) {
    return {
      data: (await instanceRows(tx)).flatMap((row) => {
        const state = stateOf(row)
        if (state === null) return []
        const isRefused = state === 'install-failed' || state === 'delete-failed'
        return [
          {
            domainId: row.domain_id,
            domain: row.domain,
            siteName: row.site,
            node: row.node,
            provider: 'edge' as const,
            region: row.region,
            requests: row.own === null || row.others === null ? null : { own: row.own, others: row.others },
            state,
            reason: isRefused ? (row.reason ?? '') : '',
            away: row.away,
            startedAt: row.turned_at?.toISOString() ?? null,
          },
        ]
      }),
    }
  },
})

/** What the node's last word says; null where there is none any more. */
function stateOf({ origin_shield, turned, version, ok }: InstanceRow): ShieldInstanceState | null {
  const hasSpoken = version !== null && version >= (turned ?? 0)
  if (origin_shield === 'use') return !hasSpoken ? 'installing' : ok === true ? 'installed' : 'install-failed'
  // A domain that never had one has nothing to let go of.
  if (turned === null || (hasSpoken && ok === true)) return null
  return hasSpoken ? 'delete-failed' : 'deleting'
}
