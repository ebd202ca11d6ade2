import { publishedRequests, RequestCheck } from './published.ts'
import { type Answered, newId, startFakeVendor } from './fake-vendor.ts'
import { type Served, servedBy, servedOnce } from './served.ts'
import type { VendorUnderTest } from './vendor-world.ts'

type Thing = Record<string, unknown> & { id: string }
type Rule = Thing & { ref?: string }

export const CLOUDFLARE_VALUES = {
  zoneId: '023e105f4ecef8ad9ca31a8372d0c353',
  token: 'cloudflare-token-value-0123456789-abcdefgh',
}
const ZONE = 'cdn.example.net'
const check = new RequestCheck(publishedRequests('cloudflare'))

/** Cloudflare's zone API with its memory: DNS records, custom host names and rulesets of one zone. */
export async function startFakeCloudflare(): Promise<VendorUnderTest & { served: Served[] }> {
  const mood: VendorUnderTest['mood'] = { at: 'hesitate', why: '' }
  const records = new Map<string, Thing>()
  const hostnames = new Map<string, Thing>()
  const rulesets = new Map<string, { id: string; rules: Rule[] }>()
  const certificates: string[] = []
  const purges: string[] = []
  const served = servedOnce()

  const vendor = await startFakeVendor(({ method, path, query, headers, text }, refused): Answered => {
    if (headers.authorization !== `Bearer ${CLOUDFLARE_VALUES.token}`) return no(403, 10000, 'Authentication error')
    const operation = check.operationOf(method, path)
    const problem = operation ? check.problemOf(operation.name, query, text) : `there is no ${method} ${path}`
    if (!operation || problem) {
      refused.push(`${method} ${path}: ${problem} ${text.slice(0, 500)}`)
      return no(400, 10001, problem ?? '')
    }
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {}
    const [zone, id = '', rule = ''] = operation.params
    if (zone !== undefined && zone !== CLOUDFLARE_VALUES.zoneId) return no(404, 7003, 'no such zone')
    switch (operation.name.replace('/client/v4/zones/{zone}', '')) {
      case 'GET ':
        return ok({ id: zone, name: ZONE })
      case 'GET /dns_records':
        return ok([...records.values()].filter(({ name }) => name === query.get('name.exact')))
      case 'POST /dns_records': {
        if ([...records.values()].some(({ name }) => name === body['name']))
          return no(400, 81058, 'An identical record already exists.')
        return ok(put(records, { id: newId(), ...body }))
      }
      case 'PUT /dns_records/{id}':
        return records.has(id) ? ok(put(records, { ...body, id })) : no(404, 81044, 'Record does not exist.')
      case 'DELETE /dns_records/{id}':
        return records.delete(id) ? ok({ id }) : no(404, 81044, 'Record does not exist.')
      case 'GET /custom_hostnames':
        return ok([...hostnames.values()].filter((one) => one['hostname'] === query.get('hostname.exact')).map(shown))
      case 'POST /custom_hostnames': {
        if ([...hostnames.values()].some((one) => one['hostname'] === body['hostname']))
          return no(409, 1406, 'Duplicate custom hostname found.')
        noteCertificate(body)
        return ok(shown(put(hostnames, { id: newId(), ...body })), 201)
      }
      case 'GET /custom_hostnames/{id}':
        return gone(id) ? no(404, 1436, 'The custom hostname was not found.') : ok(shown(hostnames.get(id) as Thing))
      case 'PATCH /custom_hostnames/{id}': {
        if (gone(id)) return no(404, 1436, 'The custom hostname was not found.')
        noteCertificate(body)
        return ok(shown(put(hostnames, { ...(hostnames.get(id) as Thing), ...body, id })))
      }
      case 'DELETE /custom_hostnames/{id}': {
        if (gone(id)) return no(404, 1436, 'The custom hostname was not found.')
        put(hostnames, { ...(hostnames.get(id) as Thing), leaving: true })
        gone(id)
        return ok({ id })
      }
      case 'GET /rulesets/phases/{phase}/entrypoint':
        return rulesets.has(id) ? ok(rulesets.get(id)) : no(404, 10003, 'could not find entrypoint ruleset')
      case 'PUT /rulesets/phases/{phase}/entrypoint': {
        const ruleset = { id: newId(), rules: (body['rules'] as Rule[]).map((one) => ({ ...one, id: newId() })) }
        rulesets.set(id, ruleset)
        return ok(ruleset)
      }
      case 'POST /rulesets/{ruleset}/rules': {
        const ruleset = [...rulesets.values()].find((one) => one.id === id)
        ruleset?.rules.push({ ...body, id: newId() })
        return ruleset ? ok(ruleset) : no(404, 10003, 'could not find ruleset')
      }
      case 'PATCH /rulesets/{ruleset}/rules/{rule}':
      case 'DELETE /rulesets/{ruleset}/rules/{rule}': {
        const ruleset = [...rulesets.values()].find((one) => one.id === id)
        const index = ruleset?.rules.findIndex((one) => one.id === rule) ?? -1
        if (!ruleset || index < 0) return no(404, 10002, 'could not find rule')
        if (method === 'DELETE') ruleset.rules.splice(index, 1)
        else ruleset.rules[index] = { ...ruleset.rules[index], ...body, id: rule }
        return ok(ruleset)
      }
      case 'POST /purge_cache':
        return (purges.push(text), ok({ id: zone }))
      case 'POST /client/v4/graphql':
        return mood.at === 'refuse'
          ? { status: 200, body: { data: null, errors: [{ message: mood.why }] } }
          : {
              status: 200,
              body: {
                data: { viewer: { zones: [trafficOf(served, body['variables'] as { from: string; until: string })] } },
                errors: null,
              },
            }
      default:
        return ok(null)
    }
  })

  const put = (map: Map<string, Thing>, thing: Thing): Thing => (map.set(thing.id, thing), thing)
  const gone = (id: string): boolean => {
    if (hostnames.get(id)?.['leaving'] === true && mood.at === 'comply') hostnames.delete(id)
    return !hostnames.has(id)
  }
  function noteCertificate({ ssl }: Record<string, unknown>): void {
    const pem = (ssl as { custom_certificate?: string } | undefined)?.custom_certificate
    if (pem && pem !== certificates.at(-1)) certificates.push(pem)
  }
  function shown(thing: Thing): object {
    if (thing['leaving'] === true) return { ...thing, ssl: undefined, status: 'pending_deletion' }
    const status = { comply: 'active', refuse: 'blocked', hesitate: 'pending' }[mood.at]
    return {
      id: thing.id,
      hostname: thing['hostname'],
      custom_origin_server: thing['custom_origin_server'],
      status,
      ...(mood.at === 'refuse' ? { verification_errors: [mood.why] } : {}),
      ownership_verification: {
        type: 'txt',
        name: `_cf-custom-hostname.${String(thing['hostname'])}`,
        value: '0e2d5a7f',
      },
      ssl: {
        status: mood.at === 'comply' ? 'active' : 'pending_validation',
        type: 'dv',
        method: 'txt',
        validation_records:
          mood.at === 'comply'
            ? []
            : [{ txt_name: `_acme-challenge.${String(thing['hostname'])}`, txt_value: 'dcv-810b7d5f' }],
      },
    }
  }
  const ours = () =>
    [...rulesets].flatMap(([phase, { rules }]) => rules.map((rule) => ({ ...rule, id: undefined, phase })))
  return {
    ...vendor,
    mood,
    served,
    things: () => [
      ...[...records.values()].map(({ name }) => `record ${String(name)}`),
      ...[...hostnames.keys()]
        .filter((id) => !gone(id))
        .map((id) => `hostname ${String(hostnames.get(id)?.['hostname'])}`),
      ...ours().map(({ phase, ref }) => `rule ${phase} ${ref}`),
    ],
    settings: () => ({ records: [...records.values()].map((record) => ({ ...record, id: undefined })), rules: ours() }),
    certificates: () => certificates,
    purges: () => purges,
  }
}

function trafficOf(served: Served[], { from, until }: { from: string; until: string }) {
  const list = (dimension: string, valueOf: (one: Served) => string | number) =>
    servedBy(served, Date.parse(from), Date.parse(until), (one) => `${one.at} ${valueOf(one)}`).map(
      ({ of, requests, bytes }) => ({
        count: requests,
        sum: { edgeResponseBytes: bytes },
        dimensions: { datetimeFiveMinutes: new Date(of.at).toISOString(), [dimension]: valueOf(of) },
      }),
    )
  return {
    status: list('edgeResponseStatus', ({ status }) => status),
    cache: list('cacheStatus', ({ cache }) => (cache === 'pass' ? 'dynamic' : cache)),
    country: list('clientCountryName', ({ country }) => country),
  }
}

const ok = (result: unknown, status = 200): Answered => ({
  status,
  body: { success: true, errors: [], messages: [], result },
})
const no = (status: number, code: number, message: string): Answered => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
})
