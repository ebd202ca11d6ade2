import { publishedRequests, RequestCheck } from './published.ts'
import { type Answered, newId, startFakeVendor } from './fake-vendor.ts'
import type { VendorUnderTest } from './vendor-world.ts'

type Config = Record<string, unknown> & { Domain: string; status: 'processing' | 'online' | 'closing' | 'offline' }

export const TENCENT_VALUES = {
  secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3gnPhESA',
  secretKey: 'Gu5t9xGARNpq86cd98joQYCN3Cozk1qA',
}
const check = new RequestCheck(publishedRequests('tencent'))

export type FakeTencent = VendorUnderTest & {
  /** Whether it wants to see a record before it takes a domain, and whether it has. */ proof: {
    wanted: boolean
    seen: boolean
  }
}

/** Tencent Cloud's CDN API with its memory: domains that are switched on and off in their time. */
export async function startFakeTencent(): Promise<FakeTencent> {
  const mood: VendorUnderTest['mood'] = { at: 'hesitate', why: '' }
  const proof = { wanted: false, seen: false }
  const domains = new Map<string, Config>()
  const [certificates, purges]: [string[], string[]] = [[], []]

  const vendor = await startFakeVendor(({ method, path, headers, query, text }, refused): Answered => {
    if (!headers.authorization?.startsWith(`TC3-HMAC-SHA256 Credential=${TENCENT_VALUES.secretId}/`))
      return no('AuthFailure.SecretIdNotFound', 'The SecretId is not found.')
    const action = String(headers['x-tc-action'])
    const problem =
      method !== 'POST' || path !== '/' || headers['x-tc-version'] !== '2018-06-06'
        ? 'not a call of this API'
        : check.problemOf(action, query, text)
    if (problem) {
      refused.push(`${action}: ${problem} ${text.slice(0, 400)}`)
      return no('InvalidParameter', problem)
    }
    for (const one of domains.values())
      if (mood.at === 'comply')
        one.status = one.status === 'closing' ? 'offline' : one.status === 'processing' ? 'online' : one.status
    const body = JSON.parse(text) as Record<string, unknown>
    const host = String(body['Domain'])
    const found = domains.get(host)
    const pem = (body['Https'] as { CertInfo?: { Certificate?: string } } | undefined)?.CertInfo?.Certificate
    switch (action) {
      case 'DescribeDomainsConfig': {
        const wanted = (body['Filters'] as { Value: string[] }[])[0]?.Value[0] ?? ''
        const one = domains.get(wanted)
        if (one && mood.at === 'refuse') return no('FailedOperation.CdnConfigError', mood.why)
        return ok({
          Domains: one
            ? [
                {
                  ...one,
                  status: undefined,
                  Status: one.status,
                  Cname: `${wanted}.cdn.dnsv1.com`,
                  Https: { Switch: 'on', SslStatus: 'deployed' },
                },
              ]
            : [],
          TotalNumber: one ? 1 : 0,
        })
      }
      case 'AddCdnDomain':
        if (proof.wanted && !proof.seen)
          return no('UnauthorizedOperation.CdnDomainRecordNotVerified', 'The domain name resolution is not verified.')
        if (found) return no('ResourceInUse.CdnHostExists', 'The domain name is already connected.')
        if (pem) certificates.push(pem)
        domains.set(host, { ...body, Domain: host, status: mood.at === 'comply' ? 'online' : 'processing' })
        return ok({})
      case 'CreateVerifyRecord':
        return ok({ SubDomain: '_cdnauth', Record: '202601011200abcdef', RecordType: 'TXT' })
      case 'VerifyDomainRecord':
        return ok({ Result: proof.seen })
      case 'PurgeUrlsCache':
        return (purges.push(...(body['Urls'] as string[])), ok({ TaskId: newId(16) }))
      case 'PurgePathCache':
        return (purges.push(...(body['Paths'] as string[])), ok({ TaskId: newId(16) }))
      case 'DescribePurgeTasks':
        return ok({ PurgeLogs: [{ Status: mood.at === 'comply' ? 'done' : 'process' }], TotalCount: 1 })
      case 'DescribeCdnData': {
        const value = { request: 100, flux: 5_000, hitRequest: 80, '4xx': 5, '5xx': 2 }[String(body['Metric'])]
        return ok({
          Interval: '5min',
          Data: [
            {
              Resource: 'x',
              CdnData: [{ Metric: body['Metric'], DetailData: [{ Time: '2026-01-01 10:00:00', Value: value }] }],
            },
          ],
        })
      }
    }
    if (!found) return no('ResourceNotFound.CdnHostNotExists', 'The domain name does not exist.')
    if (action === 'UpdateDomainConfig') {
      if (pem) certificates.push(pem)
      Object.assign(found, body, { status: mood.at === 'comply' ? 'online' : 'processing' })
    } else if (action === 'StopCdnDomain') found.status = 'closing'
    else if (found.status !== 'offline')
      return no('ResourceUnavailable.CdnHostIsNotOffline', 'The domain name is not offline.')
    else domains.delete(host)
    return ok({})
  })
  return {
    ...vendor,
    mood,
    proof,
    things: () => [...domains.keys()].map((host) => `domain ${host}`),
    settings: () => [...domains.values()].map((domain) => ({ ...domain, Https: null })),
    certificates: () => certificates,
    purges: () => purges,
  }
}

const ok = (response: object): Answered => ({ status: 200, body: { Response: { ...response, RequestId: newId(20) } } })
const no = (Code: string, Message: string): Answered => ({
  status: 200,
  body: { Response: { Error: { Code, Message }, RequestId: newId(20) } },
})
