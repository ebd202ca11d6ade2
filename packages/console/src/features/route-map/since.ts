/** How many hours back the map is compared with. */
export const SINCE_HOURS = ['1', '6', '24', '168', '720'] as const
export type SinceHours = (typeof SINCE_HOURS)[number]

const MINUTE_SECONDS = 60

/** Epoch seconds so many hours ago, by whole minutes: the same question for a while. */
export const secondsSince = (hours: SinceHours, now: number): number =>
  Math.floor(now / 1000 / MINUTE_SECONDS) * MINUTE_SECONDS - Number(hours) * 3600
