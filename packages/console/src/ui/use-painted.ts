import { useEffect, useState } from 'react'

/** True from when the browser has painted what `isThere` announced: what would hold that up begins then. */
export function usePainted(isThere: boolean): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    if (!isThere) return
    let timer: ReturnType<typeof setTimeout> | undefined
    // A frame's callbacks run before it is painted, the next task after.
    const frame = requestAnimationFrame(() => { timer = setTimeout(() => setPainted(true)) })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isThere])
  return isPainted
}
