import { z } from 'zod'
import { Cname, HostName } from './formats/fqdn.ts'
import { IpAddress } from './formats/cidr.ts'
import { del, feature, get, ListQuery, page, post, put } from './route.ts'

const Instant = z.iso.datetime()

/** `cdn`: a CDN in front of the object; `origin`: the object straight from its origin, to compare with. */
export const MonitoringType = z.enum(['cdn', 'origin'])
/** `steer`: decisions about the installed CDN count it; `compare`: it is only shown. */
export const MonitoringTrack = z.enum(['steer', 'compare'])
/**
 * `deploying`: not yet seen right. `aside`: the object has turned bad and nothing is measured by it. `failed`: it was
 * not seen right within ten minutes.
 */
export const MonitoringState = z.enum(['deploying', 'operational', 'aside', 'failed'])
export type MonitoringState = z.infer<typeof MonitoringState>

export const OBJECT_CHECKS = ['reachable', 'status', 'size', 'cors', 'timing', 'cache', 'tls'] as const
/** One thing a browser needs of a test object. `advice` is no fault; `unknown` could not be looked at. */
export const ObjectFinding = z.object({
  check: z.enum(OBJECT_CHECKS),
  state: z.enum(['good', 'fault', 'advice', 'unknown']),
  /** What was seen, as it was; empty when nothing was. */
  seen: z.string().max(300),
})
export type ObjectFinding = z.infer<typeof ObjectFinding>

const host = z
  .string()
  .trim()
  .toLowerCase()
  .max(259)
  .refine((text) => {
    const match = /^(.+?)(?::(\d{1,5}))?$/.exec(text)
    const isHost = HostName.safeParse(match?.[1] ?? '').success || IpAddress.safeParse(match?.[1] ?? '').success
    return isHost && (match?.[2] === undefined || (Number(match[2]) > 0 && Number(match[2]) < 65_536))
  }, 'validation.fqdn')
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null)

export const MonitoringInput = z
  .object({
    name: z.string().trim().min(1).max(80),
    type: MonitoringType.default('cdn'),
    provider: z.string().trim().max(80).default(''),
    track: MonitoringTrack.default('compare'),
    /** The installed CDN that it is measured for. */
    cdnId: orNull(z.string().max(64)),
    /** Where the CDN fetches the object from. */
    originAddress: orNull(host),
    /** The name that the CDN gave. */
    cname: orNull(Cname),
    /** What browsers ask: a host, with a port where it is not the usual one. */
    hostname: host,
    path: z
      .string()
      .trim()
      .max(500)
      .regex(/^\/[\w\-./~%!$&'()*+,;=:@?]*$/, 'validation.uriPath'),
    secure: z.boolean().default(true),
    referenceUrl: orNull(z.url({ protocol: /^https?$/ }).max(500)),
  })
  .refine(({ track, cdnId }) => track === 'compare' || cdnId !== null, {
    path: ['cdnId'],
    message: 'validation.required',
  })
export type MonitoringInput = z.infer<typeof MonitoringInput>

const fields = MonitoringInput.shape
export const MonitoringCdn = z.object({
  id: z.string(),
  name: fields.name,
  type: MonitoringType,
  provider: z.string(),
  track: MonitoringTrack,
  cdnId: z.string().nullable(),
  cdnName: z.string().nullable(),
  originAddress: z.string().nullable(),
  cname: z.string().nullable(),
  hostname: z.string(),
  path: z.string(),
  secure: z.boolean(),
  referenceUrl: z.string().nullable(),
  state: MonitoringState,
  stateSince: Instant,
  findings: z.array(ObjectFinding),
  checkedAt: Instant.nullable(),
  createdAt: Instant,
})
export type MonitoringCdn = z.infer<typeof MonitoringCdn>

/** The object that our edge serves under any host, for a CDN that has none to fetch. */
export const HouseObject = z.object({ origin: z.string(), path: z.string(), bytes: z.int() })

const READ = { permission: 'ViewPerformancePolicy', partnerFeature: 'pulse' } as const
const WRITE = { permission: 'EditPerformancePolicy', partnerFeature: 'pulse', changes: [] } as const

/** Private data: the monitoring CDNs that an organisation measures by test objects of its own. */
export const privateData = feature('private-data', {
  list: get('/measure/v2/assets/', {
    fromReplica: true,
    in: ListQuery,
    out: page(MonitoringCdn).extend({ houseObject: HouseObject, limit: z.int() }),
    ...READ,
    errors: [],
  }),
  get: get('/measure/v2/assets/{id}/', { out: MonitoringCdn, ...READ, errors: [] }),
  create: post('/measure/v2/assets/', {
    in: MonitoringInput,
    out: MonitoringCdn,
    ...WRITE,
    errors: [27034, 27045],
    audit: 'private-data.create',
    summary: 'Adds a monitoring CDN; it is measured once its test object has been seen right.',
  }),
  update: put('/measure/v2/assets/{id}/', {
    in: MonitoringInput,
    out: MonitoringCdn,
    ...WRITE,
    errors: [27034, 810010],
    audit: 'private-data.update',
  }),
  remove: del('/measure/v2/assets/{id}/', {
    out: z.object({ id: z.string() }),
    ...WRITE,
    errors: [],
    audit: 'private-data.remove',
  }),
  look: post('/measure/v2/assets/look/', {
    in: z.object({ hostname: fields.hostname, path: fields.path, secure: fields.secure }),
    out: z.object({ findings: z.array(ObjectFinding) }),
    ...WRITE,
    errors: [],
    audit: null,
    summary: 'Looks at a test object as a browser would; nothing is saved.',
  }),
})
