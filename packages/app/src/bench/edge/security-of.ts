import type { Publication, SecurityPolicy } from '@fairway/contract'
import { BOT_DEFAULTS, CRS_DEFAULTS, NO_SCHEMA } from '@fairway/domain'
import { HOSTS } from './proxy-under-test.ts'

/** Web security of the first site's first domain as a domain begins, but for what is said. */
export const securityOf = (policy: Partial<SecurityPolicy>): Publication => ({
  revision: 200_000_000,
  kind: 'edge-security',
  key: 'site-0',
  version: 1,
  body: {
    siteId: 'site-0',
    organizationId: '00000000-0000-4000-8000-000000000001',
    version: 1,
    domains: [
      {
        domainId: 'domain-0',
        host: HOSTS[0] ?? '',
        policy: {
          access: [],
          bots: BOT_DEFAULTS,
          firewall: [],
          crs: { ...CRS_DEFAULTS, rules: [], exclusions: [] },
          api: [],
          schema: NO_SCHEMA,
          failedLogins: [],
          credentialStuffing: [],
          headers: [],
          origins: [],
          ...policy,
        },
      },
    ],
  },
})
