import type { GrantedPermission, NotificationLevel, NotificationType } from '@fairway/contract'

/**
 * Everything that people are told, and what its words are filled with. Add one here, then in `EVENTS` and in the words
 * of all three languages.
 */
export type NotificationEvents = {
  'api-key-created': { by: string; tier: number }
  /** `peak` is of a minute; `category` the part of web security that stopped most. */
  attack: { domain: string; stopped: number; peak: number; sources: number; countries: number; category: string }
  /** `place` is a score key; percentages of what is said there and by everybody else. */
  'beacons-disagree': { cdn: string; place: string; heard: number; subnets: number; said: number; others: number }
  /** `days` since the newest backup. */
  'backup-old': { days: number }
  /** `days` since the newest that was proven was written; null when none was. `problem` of a proof that failed. */
  'backup-unproven': { days: number | null; problem: string }
  /** `minutes` of changes that no backup has; `torn` when they can only come back with the next one. */
  'backup-log-stopped': { minutes: number; torn: boolean; problem: string }
  /** `hours` by which the clock seems wrong; of a restore none. */
  'charges-held': { kind: 'restored' | 'clock'; hours: number }
  'cdn-approved': { cdn: string; host: string }
  /** It serves on, without the settings that are wanted. */
  'cdn-behind': { cdn: string; host: string; reason: string }
  'cdn-down': { cdn: string; evidence: string }
  'cdn-failed': { cdn: string; host: string; reason: string }
  'cdn-refused': { cdn: string; host: string; reason: string }
  /** `rule` is empty for the security level; `gaveUp` of so many `people` (networks) in the hour before. */
  'challenge-softened': { domain: string; rule: string; mode: string; softer: string; people: number; gaveUp: number }
  'certificate-expiring': { host: string; days: number }
  'certificate-failed': { host: string; reason: string }
  'certificate-issued': { host: string }
  'certificate-revoked': { host: string }
  /** `until` is the day on which the one that is shown ends; empty when there is none. */
  'console-certificate-failed': { host: string; until: string; reason: string }
  'stream-certificate-failed': { host: string; until: string; reason: string }
  'deployment-refused': { site: string; node: string; version: number; reason: string }
  'disk-full': { machine: string; free: string }
  /** `free` and `percent` are what is left. */
  'disk-low': { machine: string; free: string; percent: number }
  'disk-scarce': { machine: string; free: string }
  /** `state`: `stopped`, `jumped` or `contradicts`; `cdn` and the score key `place` may be empty. */
  'feed-left-out': { feed: string; state: string; cdn: string; place: string }
  'invite-accepted': { name: string; email: string }
  'invite-declined': { email: string; why: string }
  'invoice-posted': { number: string; amount: string; dueOn: string }
  /** On, and nobody sends, for so many hours. */
  'live-idle': { stream: string; hours: number }
  'live-input-lost': { stream: string }
  /** `reason`: `disk-full` or `no-source`. */
  'live-not-recorded': { stream: string; reason: string }
  /** Why it is not encoded: one of `LIVE_PROBLEMS`, or the words of the program that refused it. */
  'live-problem': { stream: string; problem: string }
  'live-recorded': { stream: string; video: string }
  'live-recording-cut': { stream: string; video: string }
  /** Serving of the organisation stopped: of so many `streams` one is named. */
  'live-stopped': { stream: string; streams: number }
  /** On air, and no viewer has asked for it, for so many minutes. */
  'live-unwatched': { stream: string; minutes: number }
  /** Somebody of the house or of the partner is signed in as this person. */
  'looked-on': { by: string }
  'mail-failing': { problem: string }
  'mfa-changed': { on: boolean; ip: string }
  'sign-in-added': { way: 'passkey' | 'google'; name: string; ip: string }
  'address-changed': { from: string; to: string; ip: string }
  'name-parked': { site: string; reason: string }
  'name-proven': { site: string; by: string }
  'name-removed': { site: string }
  'nameservers-failed': { site: string; reason: string }
  'nameservers-lost': { site: string; reason: string }
  'nameservers-verified': { site: string }
  'node-away': { node: string; role: string; seconds: number }
  /** `failed` of so many requests (`asked`) within two minutes; `isSilent`: connections are taken, and nothing is said. */
  'origin-down': { host: string; origin: string; failed: number; asked: number; isSilent: boolean }
  /** `on` is a day. */
  'organization-closing': { organization: string; on: string; by: string }
  /** The owner has had everything in one file. */
  'organization-exported': { organization: string; ip: string }
  'owner-changed': { from: string; to: string }
  'password-changed': { ip: string }
  'payment-failed': { amount: string; reason: string }
  /** Percentages of time that viewers waited. */
  'peers-stopped': { stream: string; withPeers: string; without: string }
  /** By whoever runs the installation. */
  'plan-set': { plan: string; before: string }
  /** `code` of the receipt; `reason` is what the CDN said, or the path of what is still old, and may be empty. */
  'purge-failed': { site: string; cdn: string; code: string; reason: string }
  /** `what`: `sites`, `records` (of the site `of`), `cdns` (of the domain `of`), or a measured thing as `dnsQuery`. */
  'quota-near': { what: string; of: string | null; used: number; limit: number }
  'review-waiting': { cdn: string; host: string; organization: string }
  'spending-capped': { cap: string; spent: string }
  'spending-near': { cap: string; spent: string }
  'ticket-answered': { ticket: string; subject: string }
  /** By somebody of the organisation: asked, or written to again. */
  'ticket-opened': { ticket: string; subject: string; organization: string }
  /** `code` is one of the error catalogue, 30010 to 30013; `reason` is what the program said, and may be empty. */
  'video-failed': { video: string; code: number; reason: string }
  'webhook-disabled': { url: string; reason: string }
  /** `names`: what of the installation's own the partner's customers see. */
  'white-label-leaks': { partner: string; names: string }
  /** `seen` may be empty: nothing is there. */
  'white-label-lost': { partner: string; name: string; seen: string }
}
export type NotificationEvent = keyof NotificationEvents

/**
 * `audience`: the permission somebody needs to be told; null is everyone of the organisation. `ownLetter`: a letter of
 * its own tells the same, so none is written. `byCustomers`: they cause as many of it as they like, and its letters
 * count by themselves.
 */
export type EventTraits = {
  type: NotificationType
  level: NotificationLevel
  audience: GrantedPermission | null
  ownLetter?: true
  byCustomers?: true
}

export const EVENTS: Readonly<Record<NotificationEvent, EventTraits>> = {
  'api-key-created': { type: 'account', level: 'notice', audience: 'ViewApiKey' },
  attack: { type: 'origin-shield', level: 'critical', audience: 'ViewSite' },
  'beacons-disagree': { type: 'analytics', level: 'warning', audience: 'ViewSite' },
  'backup-old': { type: 'account', level: 'warning', audience: 'operator' },
  'backup-unproven': { type: 'account', level: 'warning', audience: 'operator' },
  'backup-log-stopped': { type: 'account', level: 'warning', audience: 'operator' },
  'charges-held': { type: 'account', level: 'critical', audience: 'operator' },
  'cdn-approved': { type: 'cdn', level: 'info', audience: 'ViewSite' },
  'cdn-behind': { type: 'cdn', level: 'warning', audience: 'ViewSite' },
  'cdn-down': { type: 'cdn', level: 'critical', audience: 'ViewSite' },
  'cdn-failed': { type: 'cdn', level: 'warning', audience: 'ViewSite' },
  'cdn-refused': { type: 'cdn', level: 'warning', audience: 'ViewSite' },
  'challenge-softened': { type: 'origin-shield', level: 'warning', audience: 'ViewSite' },
  'certificate-expiring': { type: 'ssl', level: 'warning', audience: 'ViewSite' },
  'certificate-failed': { type: 'ssl', level: 'critical', audience: 'ViewSite' },
  'certificate-issued': { type: 'ssl', level: 'info', audience: 'ViewSite' },
  'certificate-revoked': { type: 'ssl', level: 'critical', audience: 'ViewSite' },
  'console-certificate-failed': { type: 'account', level: 'critical', audience: 'operator' },
  'stream-certificate-failed': { type: 'account', level: 'warning', audience: 'operator' },
  'deployment-refused': { type: 'dns', level: 'warning', audience: 'ViewSite' },
  'disk-full': { type: 'account', level: 'critical', audience: 'operator' },
  'disk-low': { type: 'account', level: 'critical', audience: 'operator' },
  'disk-scarce': { type: 'account', level: 'critical', audience: 'operator' },
  'feed-left-out': { type: 'analytics', level: 'warning', audience: 'ViewSite' },
  'invite-accepted': { type: 'account', level: 'info', audience: 'ViewUser' },
  'invite-declined': { type: 'account', level: 'notice', audience: 'ViewUser' },
  'invoice-posted': { type: 'account', level: 'notice', audience: 'ViewSubscription', ownLetter: true },
  'live-idle': { type: 'stream', level: 'notice', audience: 'ViewSite' },
  'live-input-lost': { type: 'stream', level: 'critical', audience: 'ViewSite' },
  'live-not-recorded': { type: 'stream', level: 'warning', audience: 'ViewSite' },
  'live-problem': { type: 'stream', level: 'warning', audience: 'ViewSite' },
  'live-recorded': { type: 'stream', level: 'info', audience: 'ViewSite' },
  'live-recording-cut': { type: 'stream', level: 'warning', audience: 'ViewSite' },
  'live-stopped': { type: 'stream', level: 'warning', audience: 'ViewSite' },
  'live-unwatched': { type: 'stream', level: 'notice', audience: 'ViewSite' },
  'looked-on': { type: 'account', level: 'notice', audience: null },
  'mail-failing': { type: 'account', level: 'critical', audience: 'operator' },
  'mfa-changed': { type: 'account', level: 'notice', audience: null, ownLetter: true },
  'sign-in-added': { type: 'account', level: 'notice', audience: null, ownLetter: true },
  'address-changed': { type: 'account', level: 'notice', audience: null, ownLetter: true },
  'name-parked': { type: 'dns', level: 'critical', audience: 'ViewSite' },
  'name-proven': { type: 'dns', level: 'info', audience: 'ViewSite' },
  'name-removed': { type: 'dns', level: 'warning', audience: 'ViewSite' },
  'nameservers-failed': { type: 'dns', level: 'warning', audience: 'ViewSite' },
  'nameservers-lost': { type: 'dns', level: 'critical', audience: 'ViewSite' },
  'nameservers-verified': { type: 'dns', level: 'info', audience: 'ViewSite' },
  'node-away': { type: 'analytics', level: 'warning', audience: 'operator' },
  'origin-down': { type: 'origin', level: 'critical', audience: 'ViewSite' },
  'organization-closing': { type: 'account', level: 'critical', audience: null },
  'organization-exported': { type: 'account', level: 'warning', audience: null },
  'owner-changed': { type: 'account', level: 'notice', audience: 'ViewUser' },
  'password-changed': { type: 'account', level: 'notice', audience: null, ownLetter: true },
  'payment-failed': { type: 'account', level: 'critical', audience: 'ViewSubscription', ownLetter: true },
  'peers-stopped': { type: 'stream', level: 'warning', audience: 'ViewSite' },
  'plan-set': { type: 'account', level: 'notice', audience: 'EditSubscription' },
  'purge-failed': { type: 'cdn', level: 'warning', audience: 'ViewSite' },
  'quota-near': { type: 'account', level: 'warning', audience: null },
  'review-waiting': { type: 'cdn', level: 'notice', audience: 'operator', byCustomers: true },
  'spending-capped': { type: 'account', level: 'critical', audience: 'ViewSubscription', ownLetter: true },
  'spending-near': { type: 'account', level: 'warning', audience: 'ViewSubscription' },
  'ticket-answered': { type: 'account', level: 'notice', audience: null, ownLetter: true },
  'ticket-opened': { type: 'account', level: 'warning', audience: 'operator', byCustomers: true },
  'video-failed': { type: 'stream', level: 'warning', audience: 'ViewSite' },
  'webhook-disabled': { type: 'account', level: 'warning', audience: 'ViewWebhook' },
  'white-label-leaks': { type: 'account', level: 'notice', audience: 'operator' },
  'white-label-lost': { type: 'account', level: 'critical', audience: 'operator' },
}

export const isNotificationEvent = (name: string): name is NotificationEvent => Object.hasOwn(EVENTS, name)
