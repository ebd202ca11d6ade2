import type { CompiledCdn } from '@fairway/contract'
import { compileFor, type DeliveryIntent } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { abilitiesOf } from './delivery.ts'
import { attachedDrivers, offersHttp3 } from './store.ts'

/** What each CDN of a domain makes of what its owner wants. */
export async function compiled(tx: Tx, domainId: string, intent: DeliveryIntent): Promise<CompiledCdn[]> {
  const http3 = await offersHttp3(tx)
  return (await attachedDrivers(tx, domainId)).map((cdn) => {
    const abilities = abilitiesOf(cdn)
    const { problem, against, settings } = compileFor(
      // What the edge can do in general, these nodes may lack.
      http3
        ? abilities
        : { ...abilities, capabilities: { ...abilities.capabilities, http3: false, earlyHints: false } },
      intent,
    )
    return { cdnId: cdn.id, name: cdn.name, series: cdn.series, enabled: cdn.enabled, problem, against, settings }
  })
}
