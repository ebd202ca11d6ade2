import crypto from 'node:crypto'

export type SignedCall = {
  method: string
  url: URL
  body: string
  /** `x-amz-…` in lower case; they are signed as well. */ headers?: Record<string, string>
  region: string
  service: string
  accessKeyId: string
  secret: string
  now: Date
}

/** Headers that authorise a call to AWS (Signature Version 4), those given among them. */
export function signV4({
  method,
  url,
  body,
  headers = {},
  region,
  service,
  accessKeyId,
  secret,
  now,
}: SignedCall): Record<string, string> {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = stamp.slice(0, 8)
  const scope = `${day}/${region}/${service}/aws4_request`
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const given = Object.entries({ host: url.host, 'x-amz-date': stamp, ...headers }).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = given.map(([name]) => name).join(';')
  const request = [
    method,
    url.pathname,
    query,
    ...given.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(body),
  ].join('\n')
  const key = ['aws4_request', service, region, day].reduceRight<Buffer>(
    (previous, part) => hmac(previous, part),
    Buffer.from(`AWS4${secret}`),
  )
  const signature = hmac(key, ['AWS4-HMAC-SHA256', stamp, scope, sha256(request)].join('\n')).toString('hex')
  return {
    ...headers,
    'x-amz-date': stamp,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

const hmac = (key: Buffer, text: string): Buffer => crypto.createHmac('sha256', key).update(text).digest()
const sha256 = (text: string): string => crypto.createHash('sha256').update(text).digest('hex')
/** RFC 3986, which leaves less as it is than `encodeURIComponent`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
