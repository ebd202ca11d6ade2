import { z } from 'zod'
import { AddressAndPort } from './formats/host-port.ts'
import { del, feature, get, post } from './route.ts'

export const DnsSecondaryInput = z.object({
  name: z.string().trim().min(1, 'validation.required').max(60),
  /** Where notices of changes go, `address:port`; null when the secondary looks by itself. */
  notify: AddressAndPort.nullable().default(null),
})
export type DnsSecondaryInput = z.infer<typeof DnsSecondaryInput>

export const DnsSecondary = z.object({
  id: z.string(),
  name: z.string(),
  notify: z.string().nullable(),
  /** Name of its TSIG key, which is HMAC-SHA256. */
  keyName: z.string(),
  createdAt: z.iso.datetime(),
})
export type DnsSecondary = z.infer<typeof DnsSecondary>

/** Name servers of the organisation's own, or of another provider, that take all its zones by transfer. */
export const dnsSecondaries = feature('dns-secondaries', {
  list: get('/mdns/v2/secondaries/', {
    out: z.object({
      data: z.array(DnsSecondary),
      /** Name of the zone that lists all zones (RFC 9432), and where to ask for them. */
      catalog: z.string(),
      primary: z.object({ host: z.string(), port: z.int() }),
      /** Sites that are not given for now, and the names whose addresses are not known. */
      withheld: z.array(z.object({ site: z.string(), domainName: z.string(), names: z.array(z.string()) })),
    }),
    permission: 'ViewSite',
    errors: [],
  }),
  create: post('/mdns/v2/secondaries/', {
    in: DnsSecondaryInput,
    out: z.object({ data: DnsSecondary, secret: z.string() }),
    permission: 'EditSite',
    errors: [7491, 900117],
    lasting: true,
    audit: 'dnsSecondary.create',
    changes: [],
    summary: 'The secret of its key is in this answer only.',
  }),
  remove: del('/mdns/v2/secondaries/{id}/', {
    out: z.object({}),
    permission: 'EditSite',
    errors: [],
    audit: 'dnsSecondary.remove',
    changes: [],
  }),
})
