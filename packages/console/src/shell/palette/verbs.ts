import {
  addSite,
  apiKeys,
  cacheRules,
  cdnManagement,
  certificates,
  dnsRecords,
  domains,
  purges,
  routingStrategies,
  simulatedCdns,
  supportTickets,
  teammates,
  vsrRules,
  zoneFiles,
} from '@fairway/contract'
import {
  IconArrowsSplit2,
  IconBolt,
  IconCertificate,
  IconFileExport,
  IconFileImport,
  IconHelpCircle,
  IconHistory,
  IconKey,
  IconLifebuoy,
  IconMapPin,
  IconPlus,
  IconRefresh,
  IconStack2,
  IconTargetArrow,
  IconUserPlus,
} from '@tabler/icons-react'
import type { Guarded } from '../access/can-call.ts'

/** The site, and its domain, that a verb is about. */
export type VerbPlace = { site: string; domain: string | undefined }

type To = { to: string; params?: VerbPlace; search: Record<string, string | boolean> }

/** Something to do: text `shell:palette.verb.<key>`. `words` are English synonyms, found in every language. */
export type Verb = {
  key: string
  icon: typeof IconPlus
  /** Who may not call it does not see it. */
  route: Guarded
  words: string
  /** Undefined where it needs a site and there is none. */
  open: (place: VerbPlace | null) => To | undefined
}

const inSite =
  (to: string, search: To['search'] = {}) =>
  (place: VerbPlace | null): To | undefined =>
    place ? { to: `/$site/{-$domain}/${to}`, params: place, search } : undefined
const anywhere =
  (to: string, search: To['search'] = {}) =>
  (): To => ({ to, search })

export const VERBS: readonly Verb[] = [
  {
    key: 'addRecord',
    icon: IconPlus,
    route: dnsRecords.routes.create,
    words: 'add new create dns record a aaaa cname mx txt rrset',
    open: inSite('dns/dns-records', { record: 'new' }),
  },
  {
    key: 'purge',
    icon: IconRefresh,
    route: purges.routes.create,
    words: 'purge clear flush invalidate cache remove cached',
    open: inSite('multi-cdn/cache-control/purge/add'),
  },
  {
    key: 'why',
    icon: IconHelpCircle,
    route: routingStrategies.routes.why,
    words: 'why explain cdn for address visitor decision trace',
    open: inSite('home', { why: '' }),
  },
  {
    key: 'simulate',
    icon: IconTargetArrow,
    route: routingStrategies.routes.simulate,
    words: 'simulate try test routing what if visitor country',
    open: inSite('dem/routing-strategies'),
  },
  {
    key: 'addStrategy',
    icon: IconArrowsSplit2,
    route: routingStrategies.routes.create,
    words: 'add new create routing strategy steering rule policy weight',
    open: inSite('dem/routing-strategies/add'),
  },
  {
    key: 'addRegion',
    icon: IconMapPin,
    route: vsrRules.routes.create,
    words: 'add new create synthetic region vsr mimic',
    open: inSite('dem/routing-strategies/vsrRule/add'),
  },
  {
    key: 'installCdn',
    icon: IconStack2,
    route: cdnManagement.routes.install,
    words: 'install attach add cdn provider vendor',
    open: inSite('multi-cdn/cdn-management', { install: true }),
  },
  {
    key: 'breakCdn',
    icon: IconBolt,
    route: simulatedCdns.routes.set,
    words: 'break cdn game day chaos fault outage failover drill down slow errors',
    open: anywhere('/game-day'),
  },
  {
    key: 'certificate',
    icon: IconCertificate,
    route: certificates.routes.issue,
    words: 'set up order upload certificate tls ssl https acme lets encrypt',
    open: inSite('multi-cdn/ssl', { setup: true }),
  },
  {
    key: 'addCacheRule',
    icon: IconPlus,
    route: cacheRules.routes.create,
    words: 'add new create cache rule ttl bypass path',
    open: inSite('multi-cdn/cache-control', { add: true }),
  },
  {
    key: 'importZone',
    icon: IconFileImport,
    route: zoneFiles.routes.apply,
    words: 'import upload zone file bind csv migrate',
    open: inSite('dns/dns-records', { file: 'import' }),
  },
  {
    key: 'exportZone',
    icon: IconFileExport,
    route: zoneFiles.routes.export,
    words: 'export download zone file bind csv backup',
    open: inSite('dns/dns-records', { file: 'export' }),
  },
  {
    key: 'history',
    icon: IconHistory,
    route: dnsRecords.routes.list,
    words: 'history versions revert undo compare diff changes zone',
    open: inSite('dns/dns-records', { history: true }),
  },
  {
    key: 'addDomain',
    icon: IconPlus,
    route: domains.routes.list,
    words: 'add new create domain host name',
    open: inSite('add-domain'),
  },
  {
    key: 'addSite',
    icon: IconPlus,
    route: addSite.routes.create,
    words: 'add new create site zone',
    open: anywhere('/add-site'),
  },
  {
    key: 'invite',
    icon: IconUserPlus,
    route: teammates.routes.invite,
    words: 'invite add teammate user colleague member person role permission',
    open: anywhere('/account/teammate', { open: 'invite' }),
  },
  {
    key: 'apiKey',
    icon: IconKey,
    route: apiKeys.routes.create,
    words: 'api key token secret create',
    open: anywhere('/account/user-profile', { open: 'api-key' }),
  },
  {
    key: 'ticket',
    icon: IconLifebuoy,
    route: supportTickets.routes.create,
    words: 'support ticket help contact question report problem',
    open: anywhere('/support', { open: 'new' }),
  },
]
