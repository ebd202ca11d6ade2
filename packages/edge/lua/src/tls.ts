import * as ssl from 'ngx.ssl'
import { count } from './answer.ts'
import { beginRequest, certificateFor } from './held.ts'

type Parsed = { stamp: string; chain: ssl.ParsedChain; key: ssl.ParsedKey }

// Parsed certificates of this worker, about 16 KB each.
let parsed: Record<string, Parsed | undefined> = {}
let parsedCount = 0
const PARSED_MAX = 2_000

/** Certificate phase of a handshake: the certificate of the name that the client asks for. Without a name, or for one that has none, the edge's own stays. */
export function present(): void {
  beginRequest()
  const [name] = ssl.server_name()
  const found = name === undefined ? undefined : certificateFor(name.toLowerCase())
  if (found === undefined) return
  const { certificateId, chainPem, keyPem } = found.document
  let ready = parsed[certificateId]
  if (ready === undefined || ready.stamp !== found.stamp) {
    const [chain] = ssl.parse_pem_cert(chainPem)
    const [key] = ssl.parse_pem_priv_key(keyPem)
    if (chain === undefined || key === undefined) return count('certificates_unreadable')
    if (parsedCount >= PARSED_MAX) {
      parsed = {}
      parsedCount = 0
    }
    if (ready === undefined) parsedCount += 1
    ready = { stamp: found.stamp, chain, key }
    parsed[certificateId] = ready
  }
  ssl.clear_certs()
  const [hasChain] = ssl.set_cert(ready.chain)
  const [hasKey] = ssl.set_priv_key(ready.key)
  if (hasChain !== true || hasKey !== true) count('certificates_unreadable')
}
