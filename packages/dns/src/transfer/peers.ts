import type { DnsTransfers } from '@fairway/contract'
import type { TsigKey } from '@fairway/platform'
import type { OpenKey } from '../dnssec/zone-signer.ts'

/** A secondary: the key that it signs with, whose zones it may take, and where it hears of changes. */
export type Peer = TsigKey & { organizationId: string; notify: string | null }

/** What secrets of transfers are sealed for. */
export const TRANSFER_KEYS = 'transfer-keys'

/** Who may take the zones of an organisation; null is nobody. @throws Error when a secret cannot be opened here */
export function peersIn(organizationId: string, transfers: DnsTransfers | null, openKey: OpenKey): Peer[] {
  return (transfers?.peers ?? []).map(({ keyName, sealedSecret, notify }) => ({
    name: keyName,
    notify,
    organizationId,
    secret: Buffer.from(openKey(sealedSecret), 'base64'),
  }))
}
