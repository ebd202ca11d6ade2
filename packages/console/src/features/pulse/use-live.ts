import { type PulseSeen, pulse } from '@fairway/contract'
import { useEffect, useState } from 'react'
import { followShared } from '../../api/shared-stream.ts'
import { useAccount } from '../../shell/access/session.ts'

/** What the collector sees of the organisation's beacons, as it happens; null until it has said something. */
export function useLive(): PulseSeen | null {
  const { organizationId } = useAccount()
  const [seen, setSeen] = useState<PulseSeen | null>(null)
  useEffect(
    () =>
      followShared(pulse.routes.live.path, organizationId, (data) => {
        const told = pulse.routes.live.out.safeParse(JSON.parse(data))
        if (told.success) setSeen(told.data)
      }),
    [organizationId],
  )
  return seen
}
