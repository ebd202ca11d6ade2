import type { CompiledCdn } from '@fairway/contract'
import { compileFor, type DeliveryIntent } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { abilitiesOf } from './delivery.ts'
import { attachedDrivers } from './store.ts'

/** What each CDN of a domain makes of what its owner wants. */
export async function compiled(tx: Tx, domainId: string, intent: DeliveryIntent): Promise<CompiledCdn[]> {
  return (await attachedDrivers(tx, domainId)).map((cdn) => {
    const { problem, against, settings } = compileFor(abilitiesOf(cdn), intent)
    return { cdnId: cdn.id, name: cdn.name, series: cdn.series, enabled: cdn.enabled, problem, against, settings }
  })
}
