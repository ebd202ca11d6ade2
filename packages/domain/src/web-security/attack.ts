/** What web security stopped of a domain lately. */
export type Stopped = {
  /** In the last minute. */ lately: number
  /** In each of the last five minutes, the last one last. */ minutes: readonly number[]
  /** In whole hours of the last week; hours without any are left out. */ hours: readonly number[]
}

/** So many in a minute at least: fewer are what every website is sent all day. */
const LEAST = 200
const WEEK_HOURS = 168

/** What is usual for a domain, a minute: by the middle hour of the week, which one attack does not move. */
export function usualPerMinute(hours: readonly number[]): number {
  const all = [...Array.from({ length: Math.max(0, WEEK_HOURS - hours.length) }, () => 0), ...hours].sort(
    (a, b) => a - b,
  )
  return (all[Math.floor(all.length / 2)] ?? 0) / 60
}

/** Whether this is an attack and no ordinary noise. */
export function isAttack({ lately, hours }: Stopped): boolean {
  return lately >= LEAST && lately >= 5 * usualPerMinute(hours)
}

/** Whether an attack has ended: five minutes in a row with less than a quarter of what begins one. */
export function isAttackOver({ minutes, hours }: Stopped): boolean {
  const quiet = Math.max(LEAST / 4, 2 * usualPerMinute(hours))
  return minutes.every((stopped) => stopped < quiet)
}
