import { isNotificationEvent, type NotificationEvent } from './events.ts'

const OF_SITE: Partial<Record<NotificationEvent, string>> = {
  attack: '/analytics/origin-shield/threat-log',
  'beacons-disagree': '/home',
  'challenge-softened': '/origin-shield/bot-management',
  'cdn-down': '/home',
  'cdn-approved': '/multi-cdn/cdn-management',
  'cdn-failed': '/multi-cdn/cdn-management',
  'cdn-refused': '/multi-cdn/cdn-management',
  'deployment-refused': '/dns/dns-records?history=true',
  'name-parked': '/dns/dns-records',
  'name-proven': '/dns/dns-records',
  'origin-down': '/origin-protocol',
  'purge-failed': '/multi-cdn/cache-control/purge',
  'nameservers-failed': '/dns/dns-records',
  'nameservers-lost': '/dns/dns-records',
  'nameservers-verified': '/dns/dns-records',
}
const OF_ACCOUNT: Partial<Record<NotificationEvent, string>> = {
  'beacons-disagree': '/home',
  'feed-left-out': '/home',
  'api-key-created': '/account/teammate',
  'cdn-down': '/home',
  'charges-held': '/operator',
  'console-certificate-failed': '/operator',
  'stream-certificate-failed': '/operator',
  'disk-full': '/operator/nodes',
  'disk-low': '/operator',
  'disk-scarce': '/operator/nodes',
  'invite-accepted': '/account/teammate',
  'invite-declined': '/account/teammate',
  'invoice-posted': '/account/billing/invoice',
  'live-idle': '/stream/live-streams',
  'live-input-lost': '/stream/live-streams',
  'live-not-recorded': '/stream/live-streams',
  'live-problem': '/stream/live-streams',
  'live-recorded': '/stream/assets',
  'live-recording-cut': '/stream/assets',
  'live-stopped': '/stream/live-streams',
  'live-unwatched': '/stream/live-streams',
  'looked-on': '/account/user-profile',
  'mfa-changed': '/account/user-profile',
  'sign-in-added': '/account/user-profile',
  'address-changed': '/account/user-profile',
  'node-away': '/home',
  'organization-closing': '/account/user-profile',
  'owner-changed': '/account/teammate',
  'password-changed': '/account/user-profile',
  'payment-failed': '/account/billing/payment',
  'peers-stopped': '/stream/analytics/performance',
  'plan-set': '/account/billing/plan',
  'review-waiting': '/operator/reviews',
  'spending-capped': '/account/billing/plan',
  'spending-near': '/account/billing/plan',
  'ticket-answered': '/support',
  'ticket-opened': '/operator/tickets',
  'video-failed': '/stream/assets',
  'webhook-disabled': '/account/information-center?tab=webhooks',
  'white-label-leaks': '/operator/white-label',
  'white-label-lost': '/operator/white-label',
}

/** Path of the console where one can look at it or do something about it; null when there is none. */
export function placeOf(event: string, siteName: string | null): string | null {
  if (!isNotificationEvent(event)) return null
  const ofSite = siteName === null ? undefined : (OF_SITE[event] ?? '/home')
  return ofSite === undefined ? (OF_ACCOUNT[event] ?? null) : `/${siteName}${ofSite}`
}
