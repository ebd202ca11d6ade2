import type { Config } from '@fairway/platform'

/** How the tables lie: on one server or a cluster, for how long, and where rows go that are old. */
export type StoreLayout = {
  /** The cluster, or null for one server, as the embedded engine is. */
  cluster: string | null
  /** Policy of the server's own where it is null. */
  storagePolicy: string | null
  cold: { afterDays: number; volume: string } | null
  /** Days that rows are kept; null is for ever. */
  days: { raw: number; minute: number; hour: number; day: number | null; threats: number; recordedRequests: number }
}

export function storeLayout(config: Config): StoreLayout {
  const isOutside = config.clickhouseUrl !== ''
  return {
    cluster: (isOutside && config.clickhouseCluster) || null,
    storagePolicy: (isOutside && config.clickhouseStoragePolicy) || null,
    cold:
      isOutside && config.clickhouseColdDays > 0
        ? { afterDays: config.clickhouseColdDays, volume: config.clickhouseColdVolume }
        : null,
    days: {
      raw: config.eventDays,
      minute: config.minuteRollupDays,
      hour: config.hourRollupDays,
      day: config.dayRollupDays || null,
      threats: config.threatDays,
      recordedRequests: Math.max(config.recordedRequestDays, 1),
    },
  }
}
