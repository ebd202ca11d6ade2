import { useSyncExternalStore } from 'react'
import { useFormat } from '../../i18n/format.ts'

const TICK_MS = 30_000

/** How long ago, kept true while it is shown; the exact time, with UTC, on hover. `at` is an ISO time; `inside` a sentence. */
export function Age({ at, inside = false }: { at: string; inside?: boolean }) {
  const format = useFormat()
  const now = useNow()
  const time = Date.parse(at)
  // Told when it is asked for: of a table's rows most never are, and it takes longer to say than all the rest.
  return (
    <time
      dateTime={at}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = format.exact(time)
      }}
    >
      {format.ago(time, Math.max(now, time), inside)}
    </time>
  )
}

/** The time in epoch ms, again every half a minute. */
export function useNow(everyMs = TICK_MS): number {
  const clock = clocks.get(everyMs) ?? makeClock(everyMs)
  clocks.set(everyMs, clock)
  return useSyncExternalStore(clock.follow, clock.now)
}

type Clock = { follow: (tick: () => void) => () => void; now: () => number }

// Whoever shows an age follows the same clock: a table has one in each row.
const clocks = new Map<number, Clock>()

function makeClock(everyMs: number): Clock {
  const followers = new Set<() => void>()
  let at = Date.now()
  let timer: ReturnType<typeof setInterval> | undefined
  const strike = () => {
    at = Date.now()
    for (const tick of followers) tick()
  }
  return {
    follow: (tick) => {
      if (followers.size === 0) timer = setInterval(strike, everyMs)
      followers.add(tick)
      return () => {
        followers.delete(tick)
        if (followers.size === 0) clearInterval(timer)
      }
    },
    now: () => {
      // It stood still while nobody followed.
      if (followers.size === 0 && Date.now() - at >= everyMs) at = Date.now()
      return at
    },
  }
}
