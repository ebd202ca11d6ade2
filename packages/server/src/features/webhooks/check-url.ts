import { isBogon } from '@fairway/domain'
import { OutgoingRefusal, targetOf, type OutgoingGate } from '@fairway/platform'
import { withoutConnection } from '../../http/call-transaction.ts'
import { Failure } from '../../http/failure.ts'

const PATIENCE_MS = 3_000

/**
 * Refuses what would never be called: addresses that nobody may be led to, and plain HTTP to any but those that the
 * operator lists. A name that has no address yet is fine. @throws Failure 400
 */
export async function checkUrl(gate: OutgoingGate, organizationId: string, text: string): Promise<void> {
  const url = new URL(text)
  const patience = new Promise<string[]>((resolve) => setTimeout(resolve, PATIENCE_MS, []).unref())
  const { host, port } = targetOf(url)
  const looking = () => Promise.race([gate.addresses({ organizationId, purpose: 'webhook' }, host, port), patience])
  const found = await withoutConnection(looking).catch((error: unknown) => {
    if (error instanceof OutgoingRefusal && error.reason === 'private-address')
      throw new Failure(400, { fields: [{ path: 'url', message: 'validation.bogon' }] })
    return []
  })
  if (url.protocol !== 'https:' && !(found.length > 0 && found.every(isBogon)))
    throw new Failure(400, { fields: [{ path: 'url', message: 'validation.https' }] })
}
