import type { AccountInfo, PartnerFeature, PlanFeature } from '@fairway/contract'
import {
  IconActivityHeartbeat,
  IconArrowsSplit2,
  IconBuildingStore,
  IconChartAreaLine,
  IconChartBar,
  IconHome2,
  IconMovie,
  IconServerCog,
  IconShield,
  IconSignature,
  IconStack2,
  IconTargetArrow,
  IconBroadcast,
  IconUsersGroup,
  IconWorld,
  IconWorldWww,
} from '@tabler/icons-react'
import { ENTERPRISE } from '../guards/guards.ts'

type Icon = typeof IconHome2

/** A screen that the navigation, the palette and the `g` keys lead to. */
export type NavEntry = {
  /** Text: `shell:nav.<key>`. */
  key: string
  /** Full path of the route; null while this installation has no such product, whose welcome page tells of it. */
  to: string | null
  /** `category/child[/grandchild]` of the welcome page to those who cannot use it. */
  welcome?: string
  /** Ability that the plan must have. */
  needs?: PlanFeature
  partnerFeature?: PartnerFeature
  /** Second key after `g`. */
  goKey?: string
  shownTo?: (user: AccountInfo) => boolean
  /** Current on this very page only: others begin with its path. */
  exact?: true
}

/** A line of the left navigation: a screen, or a heading with screens below it. */
export type NavItem =
  | { key: string; icon: Icon; entry: NavEntry; children?: never }
  | { key: string; icon: Icon; entry?: never; children: readonly NavEntry[] }

export type NavSection = { key: 'stream' | 'web' | 'operator'; items: readonly NavItem[] }

const site = (path: string) => `/$site/{-$domain}/${path}`

/** A page of Origin Shield. */
const shield = (key: string, path: string): NavEntry => ({
  key,
  to: site(`origin-shield/${path}`),
  needs: 'waf.enable',
  welcome: 'origin-shield/protection',
})

const WEB: NavSection = {
  key: 'web',
  items: [
    { key: 'home', icon: IconHome2, entry: { key: 'home', to: site('home'), goKey: 'h' } },
    {
      key: 'domains',
      icon: IconWorldWww,
      entry: { key: 'domains', to: '/domains', shownTo: ({ organizationCode }) => organizationCode === ENTERPRISE },
    },
    {
      key: 'analytics',
      icon: IconChartBar,
      children: [
        { key: 'performance', to: site('analytics/dem'), goKey: 'a' },
        {
          key: 'traffic',
          to: site('analytics/multi-cdn'),
          needs: 'multiCdn.enable',
          welcome: 'multi-cdn/cdn-management',
          goKey: 't',
        },
        { key: 'dnsRequests', to: site('dns/dns-request'), goKey: 'q' },
        {
          key: 'shieldAnalytics',
          to: site('analytics/origin-shield'),
          needs: 'waf.enable',
          welcome: 'origin-shield/protection',
        },
      ],
    },
    {
      key: 'dns',
      icon: IconWorld,
      children: [
        { key: 'records', to: site('dns/dns-records'), goKey: 'd' },
        { key: 'dnsSettings', to: site('dns/settings') },
      ],
    },
    {
      key: 'dem',
      icon: IconActivityHeartbeat,
      children: [
        { key: 'strategies', to: site('dem/routing-strategies'), goKey: 's' },
        { key: 'routeMap', to: site('dem/route-map') },
        { key: 'dataFeeds', to: site('dem/data-feeds') },
        { key: 'pulse', to: site('dem/pulse'), goKey: 'p', partnerFeature: 'pulse' },
        { key: 'privateData', to: '/dem/private-data', partnerFeature: 'pulse' },
      ],
    },
    {
      key: 'multiCdn',
      icon: IconArrowsSplit2,
      children: [
        {
          key: 'cdnManagement',
          to: site('multi-cdn/cdn-management'),
          needs: 'multiCdn.enable',
          welcome: 'multi-cdn/cdn-management',
          goKey: 'm',
        },
        {
          key: 'cacheControl',
          to: site('multi-cdn/cache-control'),
          needs: 'multiCdn.enable',
          welcome: 'multi-cdn/cdn-management',
        },
        { key: 'certificates', to: site('multi-cdn/ssl') },
        { key: 'customPages', to: site('multi-cdn/custom-page') },
        { key: 'generalSettings', to: site('general-settings') },
      ],
    },
    {
      key: 'originShield',
      icon: IconShield,
      // In the order in which a request meets them; a screen that is not built is left out.
      children: [
        shield('accessControl', 'access-control'),
        shield('botManagement', 'bot-management'),
        shield('firewallRules', 'firewall-rules'),
        shield('apiProtection', 'api-protection'),
        shield('accountTakeover', 'account-takeover-prevention'),
        shield('crsRules', 'crs-rules'),
        shield('headerRewrite', 'http-header-rewrite'),
        shield('originRules', 'origin-rules'),
        shield('attackTrial', 'attack-trial'),
        shield('shieldRegion', 'region'),
        {
          key: 'shieldAssets',
          to: '/origin-shield/assets',
          needs: 'waf.enable',
          welcome: 'origin-shield/assets',
          shownTo: ({ plan, organizationAwsCustomerId }) =>
            plan.ability.includes('waf.enable') && organizationAwsCustomerId !== null,
        },
      ],
    },
    {
      key: 'marketplace',
      icon: IconBuildingStore,
      children: [
        { key: 'catalogue', to: '/marketplace', exact: true, partnerFeature: 'powerUps' },
        { key: 'installedPowerUps', to: '/marketplace/installed-power-ups', partnerFeature: 'powerUps' },
      ],
    },
    {
      key: 'gameDay',
      icon: IconTargetArrow,
      entry: { key: 'gameDay', to: '/game-day', shownTo: ({ gameDay }) => gameDay },
    },
  ],
}

const STREAM: NavSection = {
  key: 'stream',
  items: [
    {
      key: 'streamAnalytics',
      icon: IconChartAreaLine,
      children: [
        {
          key: 'streamAudience',
          to: '/stream/analytics/audience',
          needs: 'vsp.enable',
          welcome: 'stream/analytics/audience',
        },
        {
          key: 'streamPerformance',
          to: '/stream/analytics/performance',
          needs: 'vsp.enable',
          welcome: 'stream/analytics/performance',
        },
        {
          key: 'streamUsage',
          to: '/stream/analytics/stream-usage',
          needs: 'vsp.enable',
          welcome: 'stream/analytics/usage',
        },
        {
          key: 'streamViews',
          to: '/stream/analytics/views',
          needs: 'vsp.enable',
          welcome: 'stream/analytics/performance',
        },
      ],
    },
    {
      key: 'streamAssets',
      icon: IconMovie,
      entry: { key: 'streamAssets', to: '/stream/assets', needs: 'vsp.enable', welcome: 'stream/assets' },
    },
    {
      key: 'liveStreams',
      icon: IconBroadcast,
      entry: { key: 'liveStreams', to: '/stream/live-streams', needs: 'vsp.enable', welcome: 'stream/live-streams' },
    },
    {
      key: 'signedUrls',
      icon: IconSignature,
      entry: { key: 'signedUrls', to: '/stream/signed-urls', needs: 'vsp.enable', welcome: 'stream/signed-urls' },
    },
  ],
}

const isOperator = ({ isOperator }: AccountInfo): boolean => isOperator
const looksAfterOthers = (user: AccountInfo): boolean => user.isOperator || user.administersPartner
const screen = (key: string, path: string, shownTo: NonNullable<NavEntry['shownTo']>): NavEntry => ({
  key: `operatorArea.${key}`,
  to: `/operator${path}`,
  shownTo,
})

const OPERATOR: NavSection = {
  key: 'operator',
  items: [
    {
      key: 'operatorArea.overview',
      icon: IconServerCog,
      entry: { ...screen('overview', '', isOperator), exact: true },
    },
    {
      key: 'operatorArea.customers',
      icon: IconUsersGroup,
      children: [
        screen('partners', '/partners', isOperator),
        screen('whiteLabel', '/white-label', looksAfterOthers),
        screen('organizations', '/organizations', looksAfterOthers),
        screen('users', '/users', looksAfterOthers),
        screen('tickets', '/tickets', looksAfterOthers),
        screen('reviews', '/reviews', isOperator),
        screen('audit', '/audit', looksAfterOthers),
      ],
    },
    {
      key: 'operatorArea.installation',
      icon: IconStack2,
      children: [
        screen('nodes', '/nodes', isOperator),
        screen('jobs', '/jobs', isOperator),
        screen('outbox', '/outbox', isOperator),
        screen('plans', '/plans', isOperator),
        screen('pricing', '/pricing', isOperator),
        screen('cdnOffers', '/cdn-offers', isOperator),
        screen('cdnKeys', '/cdn-keys', isOperator),
        screen('maintenance', '/maintenance', isOperator),
      ],
    },
  ],
}

/**
 * Video first, or the web application first when that is what the organisation came for; everyone may prefer another
 * order.
 */
export function orderedSections({
  organizationMasterApp,
  menuOrder,
}: Pick<AccountInfo, 'organizationMasterApp' | 'menuOrder'>): readonly NavSection[] {
  return (menuOrder === 'default' ? organizationMasterApp : menuOrder) === 'web' ? [WEB, STREAM] : [STREAM, WEB]
}

export type NavSight = {
  user: AccountInfo
  /** Is there a route of this full path? */ isBuilt: (path: string) => boolean
}

/** What this user sees, in order. Headings without a screen go, and one with a single screen is that screen's link. */
export function navigationFor(sight: NavSight): readonly NavSection[] {
  return [...orderedSections(sight.user), OPERATOR]
    .map(({ key, items }) => ({
      key,
      items: items.flatMap((item): NavItem[] => {
        if (item.entry) return isShown(item.entry, sight) ? [item] : []
        const children = item.children.filter((entry) => isShown(entry, sight))
        const [only, ...others] = children
        if (only === undefined) return []
        return others.length === 0 ? [{ key: item.key, icon: item.icon, entry: only }] : [{ ...item, children }]
      }),
    }))
    .filter(({ key, items }) => key !== 'operator' || items.length > 0)
}

function isShown({ to, shownTo, partnerFeature }: NavEntry, { user, isBuilt }: NavSight): boolean {
  if (partnerFeature !== undefined && user.hideFeature.includes(partnerFeature)) return false
  return (to === null || isBuilt(to)) && (shownTo?.(user) ?? true)
}

/** Every screen of the navigation in one list, with the heading above it. */
export function navEntries(
  sections: readonly NavSection[],
): { entry: NavEntry; item: NavItem; section: NavSection['key'] }[] {
  return sections.flatMap(({ key, items }) =>
    items.flatMap((item) => (item.children ?? [item.entry]).map((entry) => ({ entry, item, section: key }))),
  )
}

/** Is this address the entry's screen or one below it? */
export const isAt = (href: string, pathname: string, exact = false): boolean =>
  pathname === href || (!exact && pathname.startsWith(`${href}/`))

/** Does the entry lead to a page that tells of it instead of to it? */
export const isWelcome = ({ to, needs }: NavEntry, { plan }: Pick<AccountInfo, 'plan'>): boolean =>
  to === null || (needs !== undefined && !plan.ability.includes(needs))

/**
 * Where an entry leads from here: its screen, the welcome page to those whose plan lacks it, or the guide while no site
 * is chosen.
 */
export function hrefOf(
  entry: NavEntry,
  user: Pick<AccountInfo, 'plan'>,
  place: { site?: string | undefined; domain?: string | undefined },
): string {
  const scope = [place.site, place.domain]
    .filter((part) => part !== undefined)
    .map((part) => `/${encodeURIComponent(part)}`)
    .join('')
  if (entry.welcome !== undefined && isWelcome(entry, user)) return `${scope}/welcome/${entry.welcome}`
  const path = entry.to ?? '/home'
  if (!path.startsWith('/$site')) return path
  const rest = path.slice(site('').length)
  if (place.site !== undefined) return `${scope}/${rest}`
  const [category, child] = rest.split('/')
  return child === undefined ? '/home' : `/guide/${category}/${child}`
}
