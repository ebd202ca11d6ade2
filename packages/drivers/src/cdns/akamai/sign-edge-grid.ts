import crypto from 'node:crypto'

/** `host` is the client's own, which the signature covers whatever name the call goes to. */
export type EdgeGridCall = {
  method: string
  host: string
  path: string
  body: string
  clientToken: string
  accessToken: string
  clientSecret: string
  now: Date
  nonce: string
}

/** The `Authorization` of a call to Akamai (EdgeGrid, EG1-HMAC-SHA256). The body counts for POST only. */
export function signEdgeGrid({
  method,
  host,
  path,
  body,
  clientToken,
  accessToken,
  clientSecret,
  now,
  nonce,
}: EdgeGridCall): string {
  const stamp = `${now.toISOString().replaceAll('-', '').slice(0, 17)}+0000`
  const unsigned = `EG1-HMAC-SHA256 client_token=${clientToken};access_token=${accessToken};timestamp=${stamp};nonce=${nonce};`
  const content = method === 'POST' && body ? crypto.createHash('sha256').update(body).digest('base64') : ''
  const key = hmac(clientSecret, stamp)
  return `${unsigned}signature=${hmac(key, [method, 'https', host, path, '', content, unsigned].join('\t'))}`
}

const hmac = (key: string, text: string): string => crypto.createHmac('sha256', key).update(text).digest('base64')
