import { publishedRequests, RequestCheck } from './published.ts'
import { type Answered, newId, startFakeVendor } from './fake-vendor.ts'
import { type Served, servedBy, servedOnce } from './served.ts'
import type { VendorUnderTest } from './vendor-world.ts'

type Fields = Record<string, string>
type Version = { number: number; comment: string; wanted: boolean; locked: boolean; parts: Record<string, Fields[]> }
type Service = { id: string; name: string; versions: Version[]; leaving: boolean }
type Resource = {
  id: string
  type: string
  attributes: Fields
  relationships: Record<string, { data: { type: string; id: string } }>
}

export const FASTLY_VALUES = { token: 'fastly-token-value-0123456789-abcdef' }
const check = new RequestCheck(publishedRequests('fastly'))

/** Fastly's API with its memory: services with their versions, keys, certificates and their activations. */
export async function startFakeFastly(): Promise<VendorUnderTest & { served: Served[] }> {
  const mood: VendorUnderTest['mood'] = { at: 'hesitate', why: '' }
  const services = new Map<string, Service>()
  const tls: Record<string, Map<string, Resource>> = {
    private_keys: new Map(),
    certificates: new Map(),
    activations: new Map(),
  }
  const certificates: string[] = []
  const purges: string[] = []
  const served = servedOnce()
  const inForce = (version: Version, { versions }: Service): boolean =>
    mood.at === 'comply' && version.wanted && !versions.some((other) => other.wanted && other.number > version.number)
  const shown = (service: Service) =>
    service.versions.map((version) => ({
      number: version.number,
      comment: version.comment,
      locked: version.locked,
      active: inForce(version, service),
      service_id: service.id,
    }))

  const vendor = await startFakeVendor(({ method, path, query, headers, text }, refused): Answered => {
    if (headers['fastly-key'] !== FASTLY_VALUES.token) return no(401, 'Provided credentials are missing or invalid')
    const operation = check.operationOf(method, path)
    const problem = operation ? check.problemOf(operation.name, query, text) : `there is no ${method} ${path}`
    if (!operation || problem) {
      refused.push(`${method} ${path}: ${problem} ${text.slice(0, 300)}`)
      return no(400, 'Bad request', problem ?? '')
    }
    const [id = '', second = ''] = operation.params
    for (const service of services.values()) if (service.leaving && mood.at === 'comply') services.delete(service.id)
    if (path.startsWith('/tls/')) return answerTls(method, path.split('/')[2] ?? '', id, query, text)
    if (operation.name === 'POST /purge/{cached_url}')
      return (purges.push(`${headers['fastly-soft-purge'] ? 'soft ' : ''}${id}`), ok({ status: 'ok', id: newId(10) }))
    const form = Object.fromEntries(new URLSearchParams(text))
    if (operation.name === 'GET /service/search') {
      const found = [...services.values()].find(({ name }) => name === query.get('name'))
      return found ? ok({ id: found.id, name: found.name }) : no(404, 'Record not found')
    }
    if (operation.name === 'POST /service') {
      if ([...services.values()].some(({ name }) => name === form['name'])) return no(409, 'Name already taken')
      const service = { id: newId(22), name: form['name'] ?? '', versions: [emptyVersion(1)], leaving: false }
      services.set(service.id, service)
      return ok({ id: service.id, name: service.name })
    }
    const service = services.get(id)
    if (!service) return no(404, 'Record not found', 'Cannot load service')
    if (mood.at === 'refuse') return no(400, 'Bad request', mood.why)
    if (path.startsWith('/stats/'))
      return ok({ data: statsOf(served, Number(query.get('from')) * 1000, Number(query.get('to')) * 1000) })
    return answerService(
      service,
      operation.name.replace(/^(\w+) \/service\/\{service_id\}/, '$1 '),
      second,
      form,
      headers['fastly-soft-purge'] !== undefined,
    )
  })

  function answerService(service: Service, what: string, second: string, form: Fields, soft: boolean): Answered {
    const version = service.versions.find(({ number }) => String(number) === second)
    const [verb, , , part = ''] = what.split(/[ /]+/)
    if (what === 'GET /details') return ok({ id: service.id, name: service.name, versions: shown(service) })
    if (what === 'DELETE ')
      return service.versions.some((one) => inForce(one, service))
        ? no(400, 'Bad request', 'Cannot delete service with an active version')
        : ((service.leaving = true), mood.at === 'comply' && services.delete(service.id), ok({ status: 'ok' }))
    if (what === 'POST /purge_all') return (purges.push('all'), ok({ status: 'ok' }))
    if (what === 'POST /purge/{surrogate_key}')
      return (purges.push(`${soft ? 'soft ' : ''}key ${second}`), ok({ status: 'ok' }))
    if (what === 'GET /version') return ok(shown(service))
    if (what === 'POST /version') {
      const made = emptyVersion(service.versions.length + 1)
      service.versions.push(made)
      return ok(shown(service).at(-1))
    }
    if (!version) return no(404, 'Record not found')
    if (what.endsWith('/deactivate')) return ((version.wanted = false), ok({ number: version.number }))
    if (what.endsWith('/activate')) {
      if (!version.parts['domain']?.length || !version.parts['backend']?.length)
        return no(400, 'Bad request', 'Version has no associated domains or backends')
      for (const one of service.versions) one.wanted = one === version
      version.locked = true
      return ok({ number: version.number })
    }
    if (what === 'PUT /version/{version_id}')
      return version.locked && form['comment'] === undefined
        ? no(422, 'Version is locked')
        : ((version.comment = form['comment'] ?? ''), ok({ number: version.number, comment: version.comment }))
    const list = (version.parts[part] ??= [])
    if (verb === 'GET') return ok(list)
    if (version.locked) return no(422, 'Version is locked')
    if (list.some(({ name }) => name === form['name']))
      return no(409, 'Conflict', `Duplicate ${part}: '${form['name']}'`)
    if (
      part === 'domain' &&
      [...services.values()].some(
        (other) =>
          other !== service &&
          other.versions.some((one) => one.wanted && one.parts['domain']?.some(({ name }) => name === form['name'])),
      )
    )
      return no(400, 'Bad request', 'Domain is already taken by another customer')
    list.push(form)
    return ok(form)
  }

  function answerTls(method: string, kind: string, id: string, query: URLSearchParams, text: string): Answered {
    if (kind === 'configurations')
      return ok({
        data: [
          {
            id: 'conf1',
            type: 'tls_configuration',
            attributes: { name: 'Default' },
            relationships: {
              dns_records: {
                data: [
                  { type: 'dns_record', id: '151.101.2.133' },
                  { type: 'dns_record', id: 'j.sni.global.fastly.net' },
                ],
              },
            },
          },
        ],
        included: [
          { id: '151.101.2.133', type: 'dns_record', attributes: { record_type: 'A' } },
          { id: 'j.sni.global.fastly.net', type: 'dns_record', attributes: { record_type: 'CNAME' } },
        ],
      })
    const map = tls[kind] ?? new Map<string, Resource>()
    if (method === 'GET')
      return ok({
        data: [...map.values()]
          .filter(
            ({ relationships }) =>
              !query.has('filter[tls_domain.id]') ||
              relationships['tls_domain']?.data.id === query.get('filter[tls_domain.id]'),
          )
          .map((one) => ({ ...one, attributes: { name: one.attributes['name'] } })),
      })
    if (method === 'DELETE') {
      if (!map.has(id)) return no(404, 'Record not found')
      if (
        kind === 'certificates' &&
        [...(tls['activations']?.values() ?? [])].some(
          ({ relationships }) => relationships['tls_certificate']?.data.id === id,
        )
      )
        return no(409, 'Conflict', 'the certificate is in use')
      map.delete(id)
      return { status: 204 }
    }
    const { data } = JSON.parse(text) as { data: Resource }
    const made: Resource = {
      id: method === 'PATCH' ? id : newId(22),
      type: data.type,
      attributes: data.attributes ?? {},
      relationships: { ...map.get(id)?.relationships, ...data.relationships },
    }
    if (
      kind === 'private_keys' &&
      [...map.values()].some(({ attributes }) => attributes['key'] === made.attributes['key'])
    )
      return no(409, 'Conflict', 'the key exists already')
    if (kind === 'certificates' && (tls['private_keys']?.size ?? 0) === 0)
      return no(400, 'Bad request', 'there is no private key for the certificate')
    if (kind === 'certificates') certificates.push(made.attributes['cert_blob'] ?? '')
    map.set(made.id, made)
    return ok({ data: { ...made, attributes: { name: made.attributes['name'] } } }, method === 'PATCH' ? 200 : 201)
  }

  return {
    ...vendor,
    mood,
    served,
    things: () => [
      ...[...services.values()].map(({ name }) => `service ${name}`),
      ...Object.entries(tls).flatMap(([kind, map]) => [...map.keys()].map(() => kind)),
    ],
    settings: () =>
      [...services.values()].map((service) =>
        service.versions.filter((version) => version.wanted).map(({ parts, comment }) => ({ comment, parts })),
      ),
    certificates: () => certificates,
    purges: () => purges,
  }
}

const emptyVersion = (number: number): Version => ({ number, comment: '', wanted: false, locked: false, parts: {} })
function statsOf(served: Served[], from: number, until: number) {
  return servedBy(served, from, until, ({ at }) => String(at)).map(({ of: { at }, requests, bytes }) => {
    const count = (fits: (one: Served) => boolean) =>
      served.filter((one) => one.at === at && fits(one)).reduce((sum, one) => sum + one.requests, 0)
    const [hits = 0, miss = 0, pass = 0] = ['hit', 'miss', 'pass'].map((cache) => count((one) => one.cache === cache))
    const classes = Object.fromEntries(
      [2, 3, 4, 5].map((status) => [`status_${status}xx`, count((one) => Math.floor(one.status / 100) === status)]),
    )
    return { start_time: at / 1000, requests, bandwidth: bytes, hits, miss, pass, ...classes }
  })
}

const ok = (body: unknown, status = 200): Answered => ({ status, body })
const no = (status: number, msg: string, detail = ''): Answered => ({ status, body: { msg, detail } })
