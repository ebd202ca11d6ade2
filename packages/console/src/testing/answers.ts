import {
  account,
  cdnManagement,
  dnsPrimary,
  dnsRecords,
  domains,
  notifications,
  overview,
  sites,
  versions,
} from '@fairway/contract'
import type { AccountInfo, DnsRecord, RouteOutput } from '@fairway/contract'
import { vi } from 'vitest'

const AT = '2026-11-21T10:00:00Z'
const NAMESERVERS = { global: ['ns1.fairway.test', 'ns2.fairway.test'], china: [] }

export function recordOf(change: Partial<DnsRecord> & Pick<DnsRecord, 'id'>): DnsRecord {
  return {
    type: 'A',
    name: 'www',
    value: '198.41.0.4',
    preference: null,
    ttlSeconds: null,
    multiCdn: false,
    weight: null,
    comment: '',
    tags: [],
    domainId: null,
    cdnIds: [],
    createdAt: AT,
    modifiedAt: AT,
    ...change,
  }
}

export function accountOf(change: Partial<AccountInfo> = {}): AccountInfo {
  return {
    customerId: 'u1',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    organizationId: 'o1',
    organizationName: 'Example',
    organizationMasterApp: 'web',
    organizationState: 'active',
    organizationVersion: 1,
    hubspotContactId: null,
    partnerAcronym: 'p',
    identityCode: 'owner',
    isOperator: false,
    administersPartner: false,
    hideFeature: [],
    sandboxMode: false,
    hasEmailVerified: true,
    hasMfaEnabled: false,
    countryCode: null,
    timezoneCode: null,
    phoneCode: null,
    phoneNumber: null,
    passwordMtime: Date.parse(AT),
    menuOrder: 'default',
    organizationCode: '',
    organizationStatus: 'active',
    organizationIndustry: 'Retail',
    organizationJobTitle: 'Engineer',
    organizationAwsCustomerId: null,
    planChosen: true,
    closing: null,
    siteCount: 1,
    impostor: null,
    permissions: ['ViewSite', 'EditSite', 'ViewPerformancePolicy'],
    plan: { id: 'p', name: 'Business', ability: ['multiCdn.enable'] },
    gameDay: false,
    helpDesk: null,
    locale: 'en',
    ...change,
  }
}

const page = <Row>(data: Row[]) => ({ data, meta: { total: data.length, page: 1, pageSize: -1 } })
const site: RouteOutput<typeof sites.routes.get> = {
  id: 's1',
  domainName: 'example.com',
  zoneStatus: 1,
  dnsState: 'verified',
  nameservers: NAMESERVERS,
  claim: { state: 'proven', since: AT, by: 'delegation' },
  domainCount: 0,
  recordCount: 1,
  version: 3,
  deployState: 'live',
  createdAt: AT,
}
const version: RouteOutput<typeof versions.routes.get> = {
  number: 3,
  title: 'Add A www',
  author: 'Ada',
  source: 'console',
  createdAt: AT,
  changes: [],
  changeCount: 0,
  state: 'live',
  nodes: [{ nodeId: 'n1', name: 'dns-1', role: 'dns', state: 'live', version: 3, reason: null, confirmedAt: AT }],
}
const overviewNow: RouteOutput<typeof overview.routes.get> = {
  at: 0,
  windowSeconds: 60,
  countries: [],
  cdns: [],
  queriesPerSecond: 0,
  queriesTrend: [],
  beaconsPerMinute: 0,
  nodes: [],
  events: [],
  analyticsAvailable: true,
}

export type Call = { method: string; path: string; body: unknown }
type Answer = { status?: number; body: unknown }
type Answers = Record<string, (call: Call, query: URLSearchParams) => Answer | unknown>

/**
 * Answers of an API with one site, by `METHOD path`; what a test does not give is the ordinary answer. Records every
 * change.
 */
export function stubApi(answers: Answers, user = accountOf()): Call[] {
  const changes: Call[] = []
  const ordinary: Answers = {
    [`GET ${account.routes.info.path}`]: () => user,
    [`GET ${account.routes.config.path}`]: () => ({ version: '1', maintenanceMode: false }),
    [`GET ${account.routes.settings.path}`]: () => ({ showTutorial: false }),
    [`GET ${notifications.routes.unreadCount.path}`]: () => ({ unreadCount: 0 }),
    [`GET ${sites.routes.list.path}`]: () => page([site]),
    [`GET ${domains.routes.list.path.replace('{site}', 's1')}`]: () => page([]),
    [`GET ${dnsRecords.routes.zone.path.replace('{site}', 's1')}`]: () => ({
      siteId: 's1',
      fetched: false,
      origin: 'example.com',
      nameservers: NAMESERVERS,
      soa: {
        mname: 'ns1.fairway.test',
        rname: 'hostmaster.fairway.test',
        serial: 3,
        refresh: 7200,
        retry: 3600,
        expire: 1_209_600,
        minimum: 300,
      },
      recordQuota: { used: 1, total: 50 },
    }),
    [`GET ${dnsPrimary.routes.get.path.replace('{site}', 's1')}`]: () => ({ data: null }),
    [`GET ${versions.routes.get.path.replace('{site}', 's1').replace('{number}', '3')}`]: () => version,
    [`GET ${overview.routes.get.path.replace('{site}', 's1')}`]: () => overviewNow,
    [`GET ${cdnManagement.routes.platforms.path}`]: () => page([]),
  }
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close() {}
    },
  )
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const call: Call = {
      method: init.method ?? 'GET',
      path: url.split('?')[0] ?? url,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
    }
    if (call.method !== 'GET') changes.push(call)
    const answer = await { ...ordinary, ...answers }[`${call.method} ${call.path}`]?.(
      call,
      new URLSearchParams(url.split('?')[1]),
    )
    if (answer === undefined) return json(404, { meta: { code: 404, message: 'not-found', requestId: 'req-404' } })
    return isAnswer(answer) ? json(answer.status ?? 200, answer.body) : json(200, answer)
  })
  return changes
}

/** An error envelope. */
export function refusal(status: number, code: number): Answer {
  return { status, body: { meta: { code, message: 'refused', requestId: 'req-1' } } }
}

function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && 'body' in answer
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}
