import { z } from 'zod'
import { Claim } from './claims.ts'
import { HostName } from './formats/fqdn.ts'
import { ListQuery, changed, del, feature, get, page, post } from './route.ts'

export const Site = z.object({
  id: z.string(),
  domainName: z.string(),
  /** 0 is a draft. */
  zoneStatus: z.int(),
  dnsState: z.enum(['draft', 'pending', 'verified']),
  /** The organisation's pair for this name, drawn by lot; a delegation to it proves the name. */
  nameservers: z.object({ global: z.array(z.string()), china: z.array(z.string()) }),
  claim: Claim,
  domainCount: z.int(),
  recordCount: z.int(),
  /** Newest version, and whether all serving nodes have it. */
  version: z.int(),
  deployState: z.enum(['deploying', 'live', 'failed']),
  createdAt: z.iso.datetime(),
})
export type Site = z.infer<typeof Site>

/** True claims a name that another organisation has proven: it is served when the claim is proven anew. */
export const Contest = z.boolean().default(false)

export const sites = feature('sites', {
  list: get('/web/v2/sites/', {
    fromReplica: true,
    in: ListQuery.extend({
      /** Only the site of exactly this domain name, or of this id. */
      name: z.string().max(253).optional(),
      draft: z.enum(['true', 'false']).optional(),
    }),
    out: page(Site),
    // The console asks everybody: who may not see sites, as those who only pay, is shown none.
    permission: 'signed-in',
    errors: [],
    summary: 'The sites of the organisation; none for who may not see sites.',
  }),
  get: get('/web/v2/sites/{site}/', { out: Site, permission: 'ViewSite', errors: [] }),
  create: post('/web/v2/sites/', {
    spends: true,
    in: z.object({ domainName: HostName, contest: Contest }),
    out: changed(Site),
    permission: 'AddSite',
    errors: [2020, 2021, 900012, 900027, 900103],
    audit: 'site.create',
    changes: ['dns-zone'],
    summary:
      'Adds a site. A name that another organisation has proven is refused by 900103; with `contest` it is claimed, and served when proven anew.',
  }),
  remove: del('/web/v2/sites/{site}/', {
    in: z.object({ confirmName: z.string() }),
    out: changed(z.object({ id: z.string() })),
    permission: 'RemoveSite',
    errors: [],
    audit: 'site.remove',
    changes: [
      'dns-zone',
      'edge-certificates',
      'edge-challenges',
      'edge-pages',
      'edge-security',
      'edge-site',
      'probe-targets',
    ],
  }),
})
