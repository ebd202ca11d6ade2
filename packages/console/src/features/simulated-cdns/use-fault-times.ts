import { SimulatedFault, auditLog } from '@fairway/contract'
import { useMemo } from 'react'
import { useRead } from '../../api/queries.ts'
import { useCanCall } from '../../shell/access/session.ts'

const REFRESH_MS = 1000
const ACTION = 'simulatedCdn.set'

export type FaultSet = { at: number; mode: SimulatedFault['mode'] }

/** When each simulated CDN was last set, by the audit log: whoever did it, from here or from a terminal. */
export function useFaultTimes(): Readonly<Record<string, FaultSet | undefined>> {
  const canSee = useCanCall(auditLog.routes.list)
  const { data } = useRead(
    auditLog.routes.list,
    { page_size: 20, search: ACTION },
    { enabled: canSee, everyMs: REFRESH_MS },
  )
  return useMemo(() => {
    const newest: Record<string, FaultSet | undefined> = {}
    for (const { action, at, changes } of data?.data ?? []) {
      const [change] = changes
      const fault = SimulatedFault.safeParse(change?.after?.['fault'])
      if (action === ACTION && change && fault.success)
        newest[change.id] ??= { at: Date.parse(at), mode: fault.data.mode }
    }
    return newest
  }, [data])
}
