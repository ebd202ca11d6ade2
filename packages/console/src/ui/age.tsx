import { useEffect, useState } from 'react'
import { useFormat } from '../i18n/format.ts'

const TICK_MS = 30_000

/** How long ago, kept true while it is shown; the exact time, with UTC, on hover. `at` is an ISO time. */
export function Age({ at }: { at: string }) {
  const format = useFormat()
  const now = useNow()
  const time = Date.parse(at)
  return <time dateTime={at} title={format.exact(time)}>{format.ago(time, Math.max(now, time))}</time>
}

/** The time in epoch ms, again every half a minute. */
export function useNow(everyMs = TICK_MS): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
