import type { PurgeStatus } from '@fairway/contract'

/** What a purge is when its CDNs differ: the most pressing of theirs. Without any CDN it is completed. */
export function overallStatus(statuses: readonly PurgeStatus[]): PurgeStatus {
  return (
    (['failed', 'rate-limited', 'deploying', 'undone', 'unknown'] as const).find((status) =>
      statuses.includes(status),
    ) ?? 'completed'
  )
}
