import { publishedRequests, RequestCheck } from './published.ts'
import { type Answered, startFakeVendor } from './fake-vendor.ts'
import type { VendorUnderTest } from './vendor-world.ts'

type Version = {
  number: number
  rules: { comments?: string } & Record<string, unknown>
  hostnames: Record<string, string>[]
  used: boolean
}
type Property = {
  id: string
  name: string
  versions: Version[]
  activations: { propertyVersion: number; activationType: string; order: number; wasActive: boolean }[]
}

export const AKAMAI_VALUES = {
  host: 'akab-abcdefghijklmnop-qrstuvwxyzabcdef.luna.akamaiapis.net',
  clientToken: 'akab-client-token-abcdefghij',
  accessToken: 'akab-access-token-klmnopqrst',
  clientSecret: 'c2VjcmV0LW9mLXRoZS1jbGllbnQtb2YtYWthbWFpPT0=',
}
const check = new RequestCheck(publishedRequests('akamai'))

/** Akamai's Property Manager, Fast Purge and Reporting with their memory. */
export async function startFakeAkamai(): Promise<VendorUnderTest> {
  const mood: VendorUnderTest['mood'] = { at: 'hesitate', why: '' }
  const properties = new Map<string, Property>()
  const [cpcodes, edgeHostnames, purges]: [Map<string, string>, Set<string>, string[]] = [new Map(), new Set(), []]
  let moments = 0
  const statusOf = (one: Property['activations'][number]) => {
    if (mood.at === 'comply') one.wasActive = true
    if (mood.at === 'refuse') return 'FAILED'
    return one.wasActive ? 'ACTIVE' : 'PENDING'
  }

  const vendor = await startFakeVendor(({ method, path, query, headers, text }, refused): Answered => {
    if (
      !headers.authorization?.startsWith(
        `EG1-HMAC-SHA256 client_token=${AKAMAI_VALUES.clientToken};access_token=${AKAMAI_VALUES.accessToken};`,
      )
    )
      return no(401, 'Not authorized', 'Invalid authorization')
    const operation = check.operationOf(method, path)
    const problem = operation ? check.problemOf(operation.name, query, text) : `there is no ${method} ${path}`
    if (!operation || problem) {
      refused.push(`${method} ${path}: ${problem} ${text.slice(0, 400)}`)
      return no(400, 'Bad Request', problem ?? '')
    }
    const body = (text ? JSON.parse(text) : {}) as Record<string, unknown>
    const [id = '', number = ''] = operation.params
    if (path.startsWith('/ccu/'))
      return (
        purges.push(`${path.split('/').slice(3, 5).join(' ')} ${(body['objects'] as string[]).join(' ')}`),
        {
          status: 201,
          body: {
            httpStatus: 201,
            purgeId: 'e535071c-26b2-11e7-94d7-276f2f54d938',
            estimatedSeconds: 5,
            detail: 'Request accepted',
          },
        }
      )
    if (path.startsWith('/reporting-api/'))
      return ok({
        data: [{ startdatetime: '2026-01-01T10:00:00Z', edgeHits: '100', edgeBytes: '5000', originHits: '20' }],
      })
    switch (operation.name.replace('/papi/v1', '')) {
      case 'GET /groups':
        return ok({ groups: { items: [{ groupId: 'grp_1', contractIds: ['ctr_1'] }] } })
      case 'GET /products':
        return ok({ products: { items: [{ productId: 'prd_Adaptive_Media_Delivery' }, { productId: 'prd_Fresca' }] } })
      case 'POST /search/find-by-value':
        return ok({
          versions: {
            items: [...properties.values()]
              .filter(({ name }) => name === body['propertyName'])
              .flatMap((one) =>
                one.versions.map((version) => ({
                  propertyId: one.id,
                  propertyVersion: version.number,
                  productionStatus: 'INACTIVE',
                })),
              ),
          },
        })
      case 'GET /cpcodes':
        return ok({ cpcodes: { items: [...cpcodes].map(([cpcodeName, cpcodeId]) => ({ cpcodeId, cpcodeName })) } })
      case 'POST /cpcodes':
        return (
          cpcodes.set(String(body['cpcodeName']), `cpc_${1000 + cpcodes.size}`),
          {
            status: 201,
            body: {
              cpcodeLink: `/papi/v1/cpcodes/${cpcodes.get(String(body['cpcodeName']))}?contractId=ctr_1&groupId=grp_1`,
            },
          }
        )
      case 'GET /edgehostnames':
        return ok({
          edgeHostnames: { items: [...edgeHostnames].map((edgeHostnameDomain) => ({ edgeHostnameDomain })) },
        })
      case 'POST /edgehostnames':
        return (
          edgeHostnames.add(`${String(body['domainPrefix'])}.${String(body['domainSuffix'])}`),
          { status: 201, body: { edgeHostnameLink: '/papi/v1/edgehostnames/ehn_1' } }
        )
      case 'POST /properties': {
        if ([...properties.values()].some(({ name }) => name === body['propertyName']))
          return no(400, 'Property name exists', 'There is a property of this name already.')
        const made: Property = {
          id: `prp_${100 + moments++}`,
          name: String(body['propertyName']),
          versions: [{ number: 1, rules: {}, hostnames: [], used: false }],
          activations: [],
        }
        properties.set(made.id, made)
        return { status: 201, body: { propertyLink: `/papi/v1/properties/${made.id}?contractId=ctr_1&groupId=grp_1` } }
      }
    }
    const found = properties.get(id)
    if (!found) return no(404, 'Not Found', 'The system was unable to locate the requested property.')
    const last = found.activations.at(-1)
    const version = found.versions.find((one) => String(one.number) === number)
    switch (operation.name.replace('/papi/v1/properties/{id}', '')) {
      case 'GET ':
        return ok({ properties: { items: [{ propertyId: id }] } })
      case 'DELETE ':
        return last && !(last.activationType === 'DEACTIVATE' && statusOf(last) === 'ACTIVE')
          ? no(400, 'Property is active', 'A property that is active cannot be deleted.')
          : (properties.delete(id), ok({ message: 'Deletion Successful.' }))
      case 'GET /activations':
        return ok({
          activations: {
            items: found.activations
              .map((one) => ({
                propertyVersion: one.propertyVersion,
                network: 'PRODUCTION',
                activationType: one.activationType,
                status: statusOf(one),
                submitDate: new Date(Date.UTC(2026, 0, 1) + one.order * 1000).toISOString(),
                ...(mood.at === 'refuse' ? { fatalError: mood.why } : {}),
              }))
              .toReversed(),
          },
        })
      case 'POST /activations': {
        if (last && statusOf(last) === 'PENDING')
          return no(422, 'Activation in progress', 'Another activation is pending.')
        const one = found.versions.find((each) => each.number === body['propertyVersion'])
        if (!one || one.hostnames.length === 0 || !one.rules.comments)
          return no(400, 'Validation', 'The version has no rules or no hostnames.')
        one.used = true
        found.activations.push({
          propertyVersion: one.number,
          activationType: String(body['activationType']),
          order: moments++,
          wasActive: mood.at === 'comply',
        })
        return { status: 201, body: { activationLink: `/papi/v1/properties/${id}/activations/atv_1` } }
      }
      case 'POST /versions': {
        const from = found.versions.find((one) => one.number === body['createFromVersion'])
        const made = {
          number: found.versions.length + 1,
          rules: structuredClone(from?.rules ?? {}),
          hostnames: structuredClone(from?.hostnames ?? []),
          used: false,
        }
        found.versions.push(made)
        return {
          status: 201,
          body: { versionLink: `/papi/v1/properties/${id}/versions/${made.number}?contractId=ctr_1` },
        }
      }
    }
    if (!version) return no(404, 'Not Found', 'The system was unable to locate the requested version.')
    if (method === 'PUT' && version.used)
      return no(400, 'Version is locked', 'The property version has been activated and cannot be modified.')
    if (operation.name.endsWith('/rules'))
      return method === 'GET'
        ? ok({ rules: version.rules })
        : ((version.rules = body['rules'] as Version['rules']), ok({ rules: version.rules }))
    if (method === 'PUT') version.hostnames = body as unknown as Record<string, string>[]
    return ok({
      hostnames: {
        items: version.hostnames.map((one) => ({
          ...one,
          certStatus: {
            validationCname: {
              hostname: `_acme-challenge.${one['cnameFrom']}`,
              target: `${one['cnameFrom']}.validate-akdv.net`,
            },
            production: [{ status: mood.at === 'comply' ? 'DEPLOYED' : 'PENDING' }],
          },
        })),
      },
    })
  })
  return {
    ...vendor,
    mood,
    things: () => [...properties.values()].map(({ name }) => `property ${name}`),
    settings: () =>
      [...properties.values()].map(({ versions, activations }) =>
        versions
          .filter((version) => version.number === activations.at(-1)?.propertyVersion)
          .map(({ rules, hostnames }) => ({ rules, hostnames })),
      ),
    certificates: () => [],
    purges: () => purges,
  }
}

const ok = (body: unknown): Answered => ({ status: 200, body })
const no = (status: number, title: string, detail: string): Answered => ({
  status,
  body: {
    type: `https://problems.luna.akamaiapis.net/papi/v0/${title.toLowerCase().replaceAll(' ', '_')}`,
    title,
    detail,
    status,
  },
})
