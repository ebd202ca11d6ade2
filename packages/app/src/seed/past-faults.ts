import type { PastFault } from './history.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** What went wrong in the two weeks before `now`. */
export function pastFaults(now: number): PastFault[] {
  const fault = (cdnId: string, kind: PastFault['kind'], hoursAgo: number, minutes: number): PastFault => ({
    cdnId,
    kind,
    from: now - hoursAgo * HOUR_MS,
    to: now - hoursAgo * HOUR_MS + minutes * MINUTE_MS,
  })
  return [
    fault('tidewater', 'down', 291, 38),
    fault('swiftlane', 'slow', 226, 95),
    fault('polaris', 'down', 149, 22),
    fault('swiftlane', 'down', 71, 54),
    fault('tidewater', 'slow', 44, 70),
    fault('polaris', 'down', 27.5, 31),
    fault('swiftlane', 'down', 4.2, 17),
  ]
}
