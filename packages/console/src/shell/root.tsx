import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { LIMITS } from '@fairway/contract'
import { configRead } from './config.ts'
import { wantReports } from './errors/report-error.ts'
import { useHashScroll } from './layouts/use-hash-scroll.ts'

/** Below everything, in every layout: what runs on every page. */
export function Root(): ReactNode {
  useMaintenanceWatch()
  useHashScroll()
  useSettledMark()
  return <Outlet />
}

/** Says on the document which page is complete, for whoever drives the console from outside. */
function useSettledMark(): void {
  const router = useRouter()
  useEffect(() => {
    const mark = () => {
      if (router.state.status === 'idle') document.documentElement.dataset['page'] = router.state.location.href
    }
    mark()
    return router.subscribe('onResolved', mark)
  }, [router])
}

/** Asks every 30 s whether everything has been closed or opened again, and lets the guards decide anew when it has. */
function useMaintenanceWatch(): void {
  const router = useRouter()
  const { data } = useQuery({ ...configRead, refetchInterval: LIMITS.configPollMs, retry: false })
  const isClosed = data?.maintenanceMode ?? false
  useEffect(() => wantReports(data?.errorReports ?? false), [data?.errorReports])
  const before = useRef(isClosed)
  useEffect(() => {
    if (before.current === isClosed) return
    before.current = isClosed
    void router.invalidate()
  }, [isClosed, router])
}
