import crypto from 'node:crypto'

export type Tc3Call = {
  host: string
  service: string
  body: string
  secretId: string
  secretKey: string
  seconds: number
}

/** The `Authorization` of a POST to Tencent Cloud (TC3-HMAC-SHA256) with JSON in UTF-8. */
export function signTc3({ host, service, body, secretId, secretKey, seconds }: Tc3Call): string {
  const day = new Date(seconds * 1000).toISOString().slice(0, 10)
  const scope = `${day}/${service}/tc3_request`
  const request = [
    'POST',
    '/',
    '',
    `content-type:application/json; charset=utf-8\nhost:${host}\n`,
    'content-type;host',
    sha256(body),
  ].join('\n')
  const key = ['tc3_request', service, day].reduceRight<Buffer>(
    (previous, part) => hmac(previous, part),
    Buffer.from(`TC3${secretKey}`),
  )
  const signature = hmac(key, ['TC3-HMAC-SHA256', seconds, scope, sha256(request)].join('\n')).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`
}

const hmac = (key: Buffer, text: string): Buffer => crypto.createHmac('sha256', key).update(text).digest()
const sha256 = (text: string): string => crypto.createHash('sha256').update(text).digest('hex')
