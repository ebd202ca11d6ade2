import { type ReactNode, useDeferredValue } from 'react'

/**
 * Drawn in short pieces of work, between which the browser paints and heeds the user. Nothing stands here before the
 * whole does.
 */
export function InPieces({ children }: { children: ReactNode }): ReactNode {
  return useDeferredValue(true, false) ? children : null
}
