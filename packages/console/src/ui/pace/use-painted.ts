import { useEffect, useState } from 'react'

/** Whether the browser has painted a page with this in it: what would hold that up begins then. Never of null. */
export function usePainted(what: number | true | null): boolean {
  const [painted, setPainted] = useState<typeof what>(null)
  useEffect(() => {
    if (what === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    // A frame's callbacks run before it is painted, the next task after.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(what))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [what])
  return what !== null && painted === what
}
