import * as ocsp from 'ngx.ocsp'
import * as ssl from 'ngx.ssl'
import * as hello from 'ngx.ssl.clienthello'
import { hideHttp2 } from './hide-http2.ts'
import { count } from './answer/answer.ts'
import { beginRequest, beginVisit, certificateFor, policyFor } from './policy/held.ts'

type Parsed = { stamp: string; chain: ssl.ParsedChain; key: ssl.ParsedKey; staple: string | undefined }

// Parsed certificates of this worker, about 16 KB each.
let parsed: Record<string, Parsed | undefined> = {}
let parsedCount = 0
const PARSED_MAX = 2_000

/**
 * First phase of a handshake: a name whose owner does not want HTTP/2 is not asked for it. nginx 1.22 chooses by
 * listener, so the offer is taken out of what the client has said.
 */
export function greet(): void {
  beginVisit()
  const [name] = hello.get_client_hello_server_name()
  const policy = name === undefined ? undefined : policyFor(name.toLowerCase(), '')
  if (policy !== undefined && !policy.http2) hideHttp2()
}

/**
 * Certificate phase of a handshake: the certificate of the name that the client asks for. Without a name, or for one
 * that has none, the edge's own stays.
 */
export function present(): void {
  beginRequest()
  const [name] = ssl.server_name()
  const host = name === undefined ? '' : name.toLowerCase()
  const found = host === '' ? undefined : certificateFor(host)
  if (found === undefined) return
  const { certificateId, chainPem, keyPem, staple, stapleUntil } = found.document
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
    ready = { stamp: found.stamp, chain, key, staple: staple === '' ? undefined : ngx.decode_base64(staple) }
    parsed[certificateId] = ready
  }
  ssl.clear_certs()
  const [hasChain] = ssl.set_cert(ready.chain)
  const [hasKey] = ssl.set_priv_key(ready.key)
  if (hasChain !== true || hasKey !== true) count('certificates_unreadable')
  if (ready.staple === undefined || ngx.time() >= stapleUntil) return
  const policy = policyFor(host, '')
  // A visitor that has not asked for it gets none, which is no fault.
  if (policy !== undefined && policy.ocspStapling) ocsp.set_ocsp_status_resp(ready.staple)
}
