import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whether a scrolling box has more below its edge, so that a fade can say it; within two pixels it has not. */
export function useMoreBelow<Box extends HTMLElement>(): { ref: RefObject<Box | null>; hasMore: boolean } {
  const ref = useRef<Box>(null)
  const [hasMore, setHasMore] = useState(false)
  useEffect(() => {
    const box = ref.current
    if (!box) return
    const look = () => setHasMore(box.scrollHeight - box.scrollTop - box.clientHeight > 2)
    const observer = new ResizeObserver(look)
    observer.observe(box)
    for (const child of box.children) observer.observe(child)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [])
  return { ref, hasMore }
}
