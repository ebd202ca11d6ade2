import type { DemoFile } from '@fairway/app'
import type { Page } from 'playwright-core'
import { until } from './until.ts'

/**
 * A screen of the console as people meet it: where it is, how it is opened further, and what is there when it is
 * complete.
 */
export type Screen = {
  name: string
  path: string
  /** Seen without signing in. */
  signedOut?: boolean
  /** Does what a person does to get to the open layer. Texts are English; layers are opened in English only. */
  open?: (page: Page) => Promise<void>
}

/** What lies over a screen. */
export const LAYER = '[data-portal] :is([role=dialog], [role=alertdialog], [role=menu], [role=listbox])'
const LAYER_MS = 3_000

/** No skeleton, nothing busy, and nothing moving but what moves for ever. */
const COMPLETE = `document.querySelectorAll('[class*=Skeleton-root][data-visible], [aria-busy=true]').length === 0
  && document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity)`

/** Every screen and layer of the demo's console. */
export function screensOf({ site, domain }: Pick<DemoFile, 'site' | 'domain'>): Screen[] {
  const at = (path: string) => `/${site}/${domain}/${path}`
  // The domain whose shield is in use: on the others its screens say that it is bypassed, and count nothing.
  const guarded = (path: string) => `/${site}/members.${site}/${path}`
  const [home, records, cdns, strategies, dem] = [
    at('home'),
    `/${site}/dns/dns-records`,
    at('multi-cdn/cdn-management'),
    at('dem/routing-strategies'),
    at('analytics/dem'),
  ]
  return [
    { name: 'login', path: '/login', signedOut: true },
    { name: 'signup', path: '/signup', signedOut: true },
    { name: 'forgot-password', path: '/forgot-password', signedOut: true },
    { name: 'verify-email', path: '/verify-email?email=ada@example.com', signedOut: true },
    { name: 'reset-password-dead', path: '/reset-password?token=x', signedOut: true },
    { name: 'invite-dead', path: '/verify-invite-email?token=x', signedOut: true },
    { name: 'home', path: home },
    { name: 'home-site', path: `/${site}/home` },
    { name: 'why', path: `${home}?why=80.147.0.1` },
    {
      name: 'palette',
      path: home,
      open: async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog', { name: 'Search or jump to…' }).waitFor()
      },
    },
    { name: 'shortcuts', path: home, open: (page) => page.keyboard.press('?') },
    {
      name: 'account-menu',
      path: home,
      open: (page) => page.getByRole('button', { name: 'open account menu' }).click(),
    },
    { name: 'language-menu', path: home, open: (page) => page.getByRole('button', { name: 'Language' }).click() },
    { name: 'bell', path: home, open: (page) => page.getByRole('button', { name: /^Notifications/ }).click() },
    { name: 'information-center', path: '/account/information-center' },
    { name: 'information-center-preferences', path: '/account/information-center?tab=preferences' },
    { name: 'information-center-webhooks', path: '/account/information-center?tab=webhooks' },
    { name: 'webhook-add', path: '/account/information-center?tab=webhooks&webhook=new' },
    { name: 'scheme-menu', path: home, open: (page) => page.getByRole('button', { name: 'Appearance' }).click() },
    { name: 'site-choice', path: home, open: (page) => page.getByRole('button', { name: site }).first().click() },
    { name: 'dns-records', path: records },
    { name: 'dns-record-add', path: records, open: (page) => page.getByRole('button', { name: 'Add record' }).click() },
    { name: 'dns-record-edit', path: records, open: choosing('Actions for metrics', 'Edit…') },
    {
      name: 'dns-record-delete',
      path: records,
      open: async (page) => {
        await page.getByRole('checkbox', { name: /metrics/ }).check()
        await page.getByRole('button', { name: 'Delete…' }).click()
      },
    },
    {
      name: 'dns-record-bulk-change',
      path: records,
      open: async (page) => {
        await page.getByRole('checkbox', { name: /metrics/ }).check()
        await page.getByRole('button', { name: 'Change…' }).click()
      },
    },
    { name: 'dns-settings', path: `/${site}/dns/settings` },
    {
      name: 'dns-secondary-add',
      path: `/${site}/dns/settings`,
      open: (page) => page.getByRole('button', { name: 'Add secondary' }).click(),
    },
    {
      name: 'dns-primary-set',
      path: `/${site}/dns/settings`,
      open: (page) => page.getByRole('button', { name: 'Fetch from a primary…' }).click(),
    },
    { name: 'dns-history', path: records, open: (page) => page.getByRole('button', { name: 'History' }).click() },
    { name: 'dns-requests', path: `/${site}/dns/dns-request?range=60m` },
    { name: 'dns-requests-names', path: `/${site}/dns/dns-request?range=60m&by=name` },
    { name: 'cdn-management', path: cdns },
    { name: 'cdn-install', path: cdns, open: (page) => page.getByRole('button', { name: 'Install CDN' }).click() },
    { name: 'cdn-increment', path: cdns, open: choosing('More for Polaris', 'Latency increment…') },
    { name: 'cdn-uninstall', path: cdns, open: choosing('More for Polaris', 'Uninstall…') },
    { name: 'marketplace', path: '/marketplace' },
    { name: 'marketplace-shelf', path: '/marketplace/managed-cdn/global-cdn' },
    { name: 'power-up', path: '/marketplace?open=swiftlane' },
    { name: 'power-up-installed', path: '/marketplace?open=swiftlane&tab=installed' },
    { name: 'power-up-rates', path: '/marketplace?open=swiftlane&tab=rates' },
    { name: 'custom-cdn-add', path: '/marketplace?custom=new' },
    { name: 'installed-power-ups', path: '/marketplace/installed-power-ups' },
    { name: 'cdn-nodes', path: cdns, open: (page) => page.getByRole('button', { name: /^Live on/ }).click() },
    { name: 'certificates', path: `/${site}/multi-cdn/ssl` },
    { name: 'certificate-setup', path: `/${site}/multi-cdn/ssl?setup=true` },
    { name: 'certificates-all', path: '/multi-cdn/ssl' },
    { name: 'custom-pages', path: `/${site}/multi-cdn/custom-page` },
    {
      name: 'custom-page-add',
      path: `/${site}/multi-cdn/custom-page?add=true`,
      open: (page) =>
        page.getByRole('textbox', { name: 'HTML' }).fill('<h1>Sorry</h1>\n<img alt="" src="/logo.png">\n::RAY_ID::'),
    },
    { name: 'custom-page-domains', path: `/${site}/multi-cdn/custom-page?tab=domains` },
    { name: 'custom-page-brand', path: `/${site}/multi-cdn/custom-page?brand=true` },
    { name: 'custom-pages-all', path: '/multi-cdn/custom-page' },
    { name: 'general-settings', path: at('general-settings') },
    { name: 'origin-protocol', path: at('origin-protocol') },
    {
      name: 'origin-preflight',
      path: at('origin-protocol'),
      open: (page) => page.getByRole('button', { name: 'Test now' }).click(),
    },
    { name: 'cache-rules', path: at('multi-cdn/cache-control') },
    {
      name: 'cache-rule-add',
      path: `${at('multi-cdn/cache-control')}?add=true`,
      open: (page) => page.getByRole('textbox', { name: 'Path' }).fill('/images/'),
    },
    { name: 'no-cache-rules', path: at('multi-cdn/cache-control/no-cache') },
    { name: 'purges', path: at('multi-cdn/cache-control/purge') },
    {
      name: 'purge-add',
      path: at('multi-cdn/cache-control/purge/add'),
      open: (page) => page.getByText('Everything', { exact: true }).click(),
    },
    { name: 'tiered-cache', path: at('multi-cdn/cache-control/tiered-cache') },
    { name: 'access-control', path: guarded('origin-shield/access-control') },
    {
      name: 'access-control-addresses',
      path: `${guarded('origin-shield/access-control')}?list=blacklist`,
      open: async (page) => {
        await page.getByRole('button', { name: 'Add addresses' }).click()
        await page.getByRole('textbox', { name: 'Addresses and CIDRs' }).fill('80.147.0.0/16 # too many')
      },
    },
    {
      name: 'access-control-places',
      path: `${guarded('origin-shield/access-control')}?list=blacklist`,
      open: (page) => page.getByRole('button', { name: 'Add places' }).click(),
    },
    { name: 'bot-management', path: guarded('origin-shield/bot-management') },
    { name: 'shield-region', path: guarded('origin-shield/region') },
    {
      name: 'try-request',
      path: guarded('origin-shield/bot-management'),
      open: (page) => page.getByRole('button', { name: 'Try a request' }).click(),
    },
    { name: 'http-header-rewrite', path: guarded('origin-shield/http-header-rewrite') },
    {
      name: 'http-header-rewrite-add',
      path: guarded('origin-shield/http-header-rewrite/add'),
      open: async (page) => {
        await page.getByRole('textbox', { name: 'Header' }).fill('content-security-policy')
        await page.getByRole('textbox', { name: 'Value' }).last().fill("default-src 'self'")
      },
    },
    { name: 'origin-rules', path: guarded('origin-shield/origin-rules') },
    { name: 'origin-rule-add', path: guarded('origin-shield/origin-rules/add') },
    { name: 'attack-trial', path: guarded('origin-shield/attack-trial') },
    { name: 'crs-rules', path: guarded('origin-shield/crs-rules') },
    { name: 'api-protection', path: guarded('origin-shield/api-protection') },
    { name: 'api-protection-endpoints', path: `${guarded('origin-shield/api-protection')}?tab=endpoints` },
    { name: 'api-protection-create', path: guarded('origin-shield/api-protection/create') },
    { name: 'account-takeover', path: guarded('origin-shield/account-takeover-prevention') },
    {
      name: 'credential-stuffing',
      path: `${guarded('origin-shield/account-takeover-prevention')}?tab=credential-stuffing`,
    },
    { name: 'failed-login-add', path: guarded('origin-shield/account-takeover-prevention/failed-login/add') },
    {
      name: 'credential-stuffing-add',
      path: guarded('origin-shield/account-takeover-prevention/credential-stuffing/add'),
    },
    { name: 'firewall-rules', path: guarded('origin-shield/firewall-rules') },
    { name: 'origin-shield-analytics', path: guarded('analytics/origin-shield') },
    { name: 'origin-shield-analytics-traffic', path: guarded('analytics/origin-shield/traffic') },
    { name: 'origin-shield-analytics-security', path: guarded('analytics/origin-shield/security') },
    { name: 'origin-shield-analytics-waf', path: guarded('analytics/origin-shield/waf') },
    { name: 'origin-shield-analytics-threat-log', path: guarded('analytics/origin-shield/threat-log') },
    { name: 'firewall-rule-add', path: guarded('origin-shield/firewall-rules/add') },
    { name: 'data-feeds', path: at('dem/data-feeds') },
    {
      name: 'data-feeds-new-outside',
      path: at('dem/data-feeds'),
      open: (page) => page.getByRole('button', { name: 'Add a feed…' }).click(),
    },
    { name: 'data-feeds-without', path: `${at('dem/data-feeds')}?without=pulse` },
    { name: 'route-map', path: at('dem/route-map') },
    { name: 'route-map-changed', path: `${at('dem/route-map')}?since=24` },
    {
      name: 'route-map-overrides',
      path: at('dem/route-map'),
      open: (page) => page.getByRole('button', { name: 'Upload overrides' }).click(),
    },
    { name: 'routing-strategies', path: strategies },
    {
      name: 'strategy-menu',
      path: strategies,
      open: (page) => page.getByRole('button', { name: 'More for Europe: best latency' }).click(),
    },
    { name: 'strategy-move', path: strategies, open: choosing('More for Europe: best latency', 'Move to…') },
    { name: 'strategy-duplicate', path: strategies, open: choosing('More for Europe: best latency', 'Duplicate…') },
    { name: 'strategies-clone', path: strategies, open: choosing('Many domains', 'Copy to other domains…') },
    { name: 'strategies-bulk', path: strategies, open: choosing('Many domains', 'Change many domains…') },
    {
      name: 'strategies-as-text',
      path: strategies,
      open: (page) => page.getByRole('button', { name: 'Edit as text' }).click(),
    },
    {
      name: 'strategies-setting',
      path: strategies,
      open: (page) => page.getByRole('button', { name: 'Settings', exact: true }).click(),
    },
    { name: 'strategy-add', path: `${strategies}/add` },
    { name: 'strategy-places', path: `${strategies}/add`, open: (page) => page.getByText('Anywhere').click() },
    { name: 'strategy-edit', path: strategies, open: choosing('More for Americas: split by contract', 'Edit') },
    { name: 'vsr-rules', path: `${strategies}?tab=vsr` },
    { name: 'vsr-rule-add', path: `${strategies}/vsrRule/add` },
    { name: 'stream-assets', path: '/stream/assets' },
    {
      name: 'stream-asset',
      path: '/stream/assets',
      open: async (page) => {
        await page.getByRole('link', { name: 'harbour-lights.mp4' }).click()
        await page.getByRole('tab', { name: 'Embed' }).waitFor()
      },
    },
    {
      name: 'stream-files',
      path: '/stream/assets',
      open: async (page) => {
        await page.getByRole('link', { name: 'harbour-lights.mp4' }).click()
        await page.getByRole('tab', { name: 'Files' }).click()
        await page.getByRole('button', { name: 'Replace' }).click()
      },
    },
    {
      name: 'stream-thumbnail',
      path: '/stream/assets',
      open: async (page) => {
        await page.getByRole('link', { name: 'harbour-lights.mp4' }).click()
        await page.getByRole('tab', { name: 'Thumbnail' }).click()
        await page.getByText('A moment').click()
      },
    },
    {
      name: 'stream-captions',
      path: '/stream/assets',
      open: async (page) => {
        await page.getByRole('link', { name: 'harbour-lights.mp4' }).click()
        await page.getByRole('tab', { name: 'Captions' }).click()
        await page.getByRole('button', { name: 'Add captions' }).click()
      },
    },
    {
      name: 'stream-chapters',
      path: '/stream/assets',
      open: async (page) => {
        await page.getByRole('link', { name: 'harbour-lights.mp4' }).click()
        await page.getByRole('tab', { name: 'Chapters' }).click()
        await page.getByRole('button', { name: 'Add chapter' }).click()
      },
    },
    {
      name: 'stream-balancer',
      path: '/stream/assets',
      open: async (page) => {
        await page.getByRole('tab', { name: 'CDN Loadbalancer' }).click()
        await page.getByText('Steer players').waitFor()
      },
    },
    { name: 'stream-audience', path: '/stream/analytics/audience' },
    { name: 'stream-performance', path: '/stream/analytics/performance' },
    { name: 'stream-usage', path: '/stream/analytics/stream-usage' },
    { name: 'stream-views', path: '/stream/analytics/views' },
    { name: 'signed-urls', path: '/stream/signed-urls' },
    {
      name: 'signed-urls-key',
      path: '/stream/signed-urls',
      open: (page) => page.getByRole('button', { name: 'Add key' }).first().click(),
    },
    { name: 'stream-setup', path: '/stream/setup' },
    { name: 'stream-setup-assets', path: '/stream/assets/setup' },
    { name: 'stream-setup-live', path: '/stream/live-streams/setup' },
    { name: 'stream-add-cdn', path: '/stream/add-cdn' },
    { name: 'live-streams', path: '/stream/live-streams' },
    { name: 'live-stream-create', path: '/stream/live-streams/create' },
    { name: 'live-stream-simulation', path: '/stream/live-streams/simulation' },
    {
      name: 'live-stream',
      path: '/stream/live-streams',
      open: async (page) => {
        await page.getByRole('link', { name: 'Harbour webcam' }).click()
        await page.getByRole('tab', { name: 'Install & Test' }).waitFor()
      },
    },
    {
      name: 'live-stream-edit',
      path: '/stream/live-streams',
      open: async (page) => {
        await page.getByRole('link', { name: 'Harbour webcam' }).click()
        await page.getByRole('button', { name: 'Edit' }).click()
      },
    },
    {
      name: 'live-stream-install',
      path: '/stream/live-streams',
      open: async (page) => {
        await page.getByRole('link', { name: 'Harbour webcam' }).click()
        await page.getByRole('tab', { name: 'Install & Test' }).click()
        await page.getByText('Hardware encoder').waitFor()
      },
    },
    {
      name: 'live-stream-recordings',
      path: '/stream/live-streams',
      open: async (page) => {
        await page.getByRole('link', { name: 'Harbour webcam' }).click()
        await page.getByRole('tab', { name: 'Recordings' }).click()
        await page.getByText('Every broadcast becomes a video').waitFor()
      },
    },
    {
      name: 'live-stream-peers',
      path: '/stream/live-streams',
      open: async (page) => {
        await page.getByRole('link', { name: 'Harbour webcam' }).click()
        await page.getByRole('tab', { name: 'Peers' }).click()
        await page.getByText('Viewers pass segments to each other').first().waitFor()
      },
    },
    { name: 'private-data', path: '/dem/private-data' },
    { name: 'private-data-add', path: '/dem/private-data/cdn' },
    { name: 'pulse', path: at('dem/pulse') },
    { name: 'pulse-static', path: '/dem/pulse?tab=static' },
    {
      name: 'pulse-new-key',
      path: '/dem/pulse',
      open: (page) => page.getByRole('button', { name: 'New key…' }).click(),
    },
    { name: 'pulse-add-code', path: at('dem/pulse/add-beacon-code') },
    { name: 'analytics-dem', path: dem },
    { name: 'analytics-dem-availability', path: `${dem}?tab=availability` },
    { name: 'analytics-dem-decisions', path: `${dem}?tab=decisions` },
    {
      name: 'analytics-dem-compared',
      path: `${dem}?compare=${encodeURIComponent('["swiftlane","polaris","tidewater@JP"]')}`,
    },
    { name: 'analytics-dem-compare', path: dem, open: (page) => page.getByRole('button', { name: 'Compare' }).click() },
    { name: 'analytics-dem-views', path: dem, open: (page) => page.getByRole('button', { name: 'Views' }).click() },
    { name: 'analytics-dem-range', path: dem, open: (page) => page.getByRole('button', { name: 'Custom…' }).click() },
    { name: 'multi-cdn-traffic', path: `/${site}/analytics/multi-cdn?range=60m&compare=true` },
    { name: 'multi-cdn-traffic-all', path: '/analytics/multi-cdn?range=24h&by=country&measure=traffic' },
    { name: 'multi-cdn-traffic-requests', path: `/${site}/analytics/multi-cdn?range=60m&path=%2F` },
    { name: 'domains', path: '/domains' },
    { name: 'bulk-configure', path: '/domains/bulk-configure' },
    {
      name: 'bulk-configure-settings',
      path: '/domains/bulk-configure',
      open: async (page) => {
        await page.getByRole('checkbox', { name: /www/ }).check()
        await page.getByRole('button', { name: 'Configure 1 domain…' }).click()
      },
    },
    { name: 'game-day', path: '/game-day' },
    { name: 'add-site', path: '/add-site' },
    { name: 'add-domain', path: at('add-domain') },
    { name: 'user-profile', path: '/account/user-profile' },
    { name: 'user-profile-password', path: '/account/user-profile?open=password' },
    { name: 'user-profile-email', path: '/account/user-profile?open=email' },
    { name: 'user-profile-mfa', path: '/account/user-profile?open=mfa' },
    { name: 'user-profile-passkey', path: '/account/user-profile?open=passkey' },
    { name: 'user-profile-api-key', path: '/account/user-profile?open=api-key' },
    { name: 'teammates', path: '/account/teammate' },
    { name: 'teammate-invite', path: '/account/teammate?open=invite' },
    { name: 'teammates-api', path: '/account/teammate?tab=api' },
    {
      name: 'who-can',
      path: records,
      open: (page) => page.getByRole('button', { name: 'Who can do this?' }).click(),
    },
    { name: 'audit-log', path: '/account/audit-log?range=all' },
    { name: 'audit-log-entry', path: '/account/audit-log?range=all&entry=1' },
    {
      name: 'audit-log-days',
      path: '/account/audit-log',
      open: (page) => page.getByRole('button', { name: 'Custom…' }).click(),
    },
    { name: 'support', path: '/support' },
    { name: 'support-new', path: '/support?code=909996' },
    { name: 'byo-cdn-keys', path: '/account/bring-my-cdn-account' },
    { name: 'byo-cdn-key-add', path: '/account/bring-my-cdn-account/add' },
    { name: 'operator', path: '/operator' },
    { name: 'operator-partners', path: '/operator/partners' },
    { name: 'operator-partner-add', path: '/operator/partners?open=new' },
    {
      name: 'operator-partner',
      path: '/operator/partners',
      open: (page) => page.getByRole('link', { name: 'Fairway' }).last().click(),
    },
    { name: 'operator-organizations', path: '/operator/organizations' },
    {
      name: 'operator-sell',
      path: '/operator/organizations',
      open: (page) => page.getByRole('button', { name: 'Purchase link…' }).click(),
    },
    { name: 'operator-users', path: '/operator/users' },
    { name: 'operator-tickets', path: '/operator/tickets' },
    { name: 'operator-audit', path: '/operator/audit' },
    { name: 'operator-nodes', path: '/operator/nodes' },
    { name: 'operator-reviews', path: '/operator/reviews' },
    { name: 'operator-cdn-offers', path: '/operator/cdn-offers' },
    { name: 'operator-cdn-offer-add', path: '/operator/cdn-offers?open=new' },
    { name: 'operator-cdn-keys', path: '/operator/cdn-keys' },
    { name: 'operator-cdn-key-add', path: '/operator/cdn-keys?open=new' },
    { name: 'operator-jobs', path: '/operator/jobs' },
    { name: 'operator-outbox', path: '/operator/outbox' },
    { name: 'operator-plans', path: '/operator/plans' },
    { name: 'operator-plan', path: '/operator/plans?open=business' },
    { name: 'operator-maintenance', path: '/operator/maintenance' },
    { name: 'billing-invoices', path: '/account/billing' },
    { name: 'billing-payment', path: '/account/billing/payment' },
    {
      name: 'billing-card',
      path: '/account/billing/payment',
      open: (page) => page.getByRole('button', { name: 'Add card' }).click(),
    },
    { name: 'billing-plan', path: '/account/billing/plan' },
    {
      name: 'billing-limit',
      path: '/account/billing/plan',
      open: (page) => page.getByRole('button', { name: 'Set limit' }).click(),
    },
    { name: 'pricing', path: '/pricing', signedOut: true },
    { name: 'select-plan', path: '/select-plan?plan=business' },
    { name: 'upgrade-plan', path: '/upgrade-plan' },
    { name: 'products', path: '/welcome' },
    { name: 'product', path: `/${site}/welcome/dem/routing-strategies` },
    { name: 'guide', path: '/guide/dns/dns-records' },
    { name: 'error-codes', path: '/docs/errors' },
    { name: 'cost-reduction', path: '/mvp/cost-reduction' },
    {
      name: 'contact-form',
      path: '/mvp/cost-reduction',
      open: (page) => page.getByRole('button', { name: 'Talk to us…' }).click(),
    },
    { name: 'marketplace-landing', path: '/redirect/third-party-marketplace?token=T1' },
    { name: 'not-found', path: at('nothing/here') },
  ]
}

/** Opens a row's menu and takes an item of it. */
function choosing(menu: string, item: string): (page: Page) => Promise<void> {
  return async (page) => {
    // A row that is drawn anew under the open menu takes the menu with it.
    for (let tries = 1; ; tries++) {
      await page.getByRole('button', { name: menu }).click()
      const done = await page
        .getByRole('menuitem', { name: item, exact: true })
        .click({ timeout: 5_000 })
        .then(
          () => true,
          () => false,
        )
      if (done) return
      if (tries === 3) throw new Error(`${menu}: ${item} could not be chosen`)
      await page.keyboard.press('Escape')
    }
  }
}

/** Goes there and waits until nothing is missing any more: no skeleton, no running request. */
export async function show(
  page: Page,
  { path, open }: Screen,
  go = (to: string): Promise<unknown> => page.goto(to),
): Promise<void> {
  await go(path)
  await complete(page)
  if (!open) return
  await open(page)
  // A layer is loaded when it is opened. What opens in the page itself is there at once, and waited for in vain.
  await page
    .locator(LAYER)
    .first()
    .waitFor({ timeout: LAYER_MS })
    .catch(() => null)
  await complete(page)
}

async function complete(page: Page): Promise<void> {
  await page.locator('main, form').first().waitFor()
  // Asked from outside: the page's own security policy lets no text be evaluated in it.
  await until(`${page.url()} complete`, () => page.evaluate(COMPLETE), 60_000)
  await page.evaluate('document.fonts.ready.then(() => null)')
}
