import { evidenceSentence } from '../probe-evidence.ts'
import { type EventWords, isSentence } from './event-words.ts'
import { placeName } from './place-name.ts'

const NAMESERVERS: Record<string, string> = {
  notDelegated: 'The registry names no nameservers for it.',
  otherNameservers: 'The registry still names other nameservers.',
  otherPair: 'The registry names nameservers of ours, but not the two of this site.',
  mixedNameservers: 'The registry names other nameservers beside ours.',
  parentAway: 'The registry’s nameservers do not answer.',
}
const PARKED: Record<string, string> = {
  'claimed-first': 'Another account claimed the name before. It is served there until one of you proves the name.',
  'proven-elsewhere': 'Another account has proven that it holds the name.',
  'delegated-elsewhere': 'The registry names nameservers of ours, but not the two of this site.',
  reserved: 'Another account deleted the name lately; for 30 days it is kept for that account.',
  'no-proof': 'It was not proven within 28 days.',
}

const COUNTED: Record<string, string> = {
  sites: 'sites',
  records: 'DNS records',
  cdns: 'CDNs',
  mcdn: 'multi-CDN domains',
  dns: 'DNS records',
  dnsQuery: 'DNS queries',
  cdnTraffic: 'CDN traffic',
  cdnRequest: 'CDN requests',
  streamView: 'stream views',
  liveMinute: 'minutes of live streams',
  encodedMinute: 'minutes encoded',
  storedMinute: 'minutes stored, day by day',
}
const nameserverReason = (reason: string): string => NAMESERVERS[reason] ?? reason

const EVIDENCE = {
  problem: {
    reset: 'connection reset',
    refused: 'connection refused',
    timeout: 'no answer in time',
    unreachable: 'network unreachable',
    name: 'name not found',
    tls: 'certificate expired',
  },
  failed: (failed: number, checks: number, reasons: string) =>
    `${failed} of ${checks} checks could not connect (${reasons})`,
  once: ', one failed sample each',
}

const SHIELD_PARTS: Record<string, string> = {
  'access-control': 'access control',
  'bot-management': 'bot management',
  'firewall-rules': 'firewall rules',
  'api-protection': 'API protection',
  'account-takeover-prevention': 'account takeover prevention',
  'crs-rules': 'core rule sets',
}

/** Why an outside feed is left out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  stopped: 'It has posted nothing new.',
  jumped: 'Most of what it says has changed at once and was not said again yet.',
  contradicts: 'It says other than visitors and probes do.',
}

const CHALLENGES: Record<string, string> = {
  human: 'a question to a person',
  'browser-standard': 'a task of the browser within five seconds',
  'browser-no-delay': 'a short task of the browser',
  none: 'nothing',
}

const VIDEO_FAILED: Readonly<Record<number, string>> = {
  30010: 'The file is none that can be read. Export it anew as MP4 with H.264 and AAC, and upload that.',
  30011: 'Its picture is larger, or its film longer, than what is taken. Export it smaller, and upload that.',
  30012: 'It was not sent to its end within a week. Upload it again.',
  30013: 'The encoder has given up after several tries. Upload it again, or export it anew.',
}

export const en: EventWords = {
  'api-key-created': ({ by, tier }) => ({
    title: 'New API key',
    text: `${by} made an API key of tier ${tier}. If nobody of your team did this, delete the key and change that person’s password.`,
  }),
  attack: ({ domain, stopped, peak, sources, countries, category }) => ({
    title: `${domain} is under attack`,
    text: `${count(stopped)} requests were stopped, ${count(peak)} in the worst minute, from ${count(sources)} addresses in ${count(countries)} countries.`,
    cause: `Stopped mostly by ${SHIELD_PARTS[category] ?? category}`,
    ended: `The attack on ${domain} is over`,
  }),
  'beacons-disagree': ({ cdn, place, heard, subnets, said, others }) => ({
    title: `Beacons of ${placeName(place)} disagree on ${cdn}`,
    text: `They say that ${cdn} is dead there, while the probes and all other visitors see it alive. Only visitors of that place are steered by it. If it is no fault of the way there, somebody may be sending false beacons.`,
    cause: `${heard} samples of ${subnets} networks: ${said} % available; everybody else: ${others} %`,
    ended: `Beacons of ${placeName(place)} agree on ${cdn} again`,
  }),
  'feed-left-out': ({ feed, state, cdn, place }) => ({
    title: `Outside feed ${feed} is left out`,
    text: `${LEFT_OUT[state] ?? state} Decisions are made without it until that is over.`,
    cause: cdn === '' || place === '' ? undefined : `${cdn}, ${placeName(place)}`,
    ended: `Outside feed ${feed} counts again`,
  }),
  'backup-unproven': ({ days, problem }) => ({
    title: days === null ? 'No backup was proven' : `The newest backup that was proven is ${days} days old`,
    text: 'Later ones were not, so it is not certain that they can be restored. The schedule takes another one; ./fairway doctor says more.',
    cause: problem === '' ? undefined : problem,
    ended: 'The newest backup is proven again',
  }),
  'charges-held': ({ kind, hours }) => ({
    title:
      kind === 'clock'
        ? 'The clock is not believed: nothing is charged'
        : 'This installation was restored: nothing is charged',
    text:
      kind === 'clock'
        ? `The clock of the worker was set, differs from the database’s, or says that more time has passed than was counted: about ${hours} hours. Charges, bills of months, spending limits and trials rest. Look at the clock of every machine (timedatectl), then confirm at Operator.`
        : 'Charges and bills of months wait, and so do letters of before. Look at the payment provider for what it has charged since then, then confirm at Operator.',
    ended: 'Charges go on',
  }),
  'backup-old': ({ days }) => ({
    title: `The newest backup is ${days} days old`,
    text: 'Take one with ./fairway backup, and see why the timer that does it has not.',
    ended: 'There is a new backup',
  }),
  'backup-log-stopped': ({ minutes, torn, problem }) => ({
    title: `The last ${minutes} minutes are in no backup`,
    text: torn
      ? 'The log between backups has a gap. The next backup closes it: ./fairway backup --incremental.'
      : 'The log does not reach the place of the backups. ./fairway doctor says more; it goes on by itself when the place is back.',
    cause: problem === '' ? undefined : problem,
    ended: 'The log reaches the backups again',
  }),
  'cdn-approved': ({ cdn, host }) => ({
    title: `${cdn} is approved for ${host}`,
    text: 'It is being set up. DNS answers with it once its nodes confirm.',
  }),
  'cdn-behind': ({ cdn, host, reason }) => ({
    title: `The settings of ${host} are not in force at ${cdn}`,
    text: 'It still answers, so visitors are sent there as before. It is looked at, and what failed is tried again, by itself.',
    cause: reason,
    ended: `${cdn} is serving ${host} as wanted`,
  }),
  'cdn-down': ({ cdn, evidence }) => ({
    title: `${cdn} is down`,
    text: `DNS answers no longer name ${cdn}; visitors are sent to your other CDNs until it is back.`,
    cause: evidenceSentence(evidence, EVIDENCE),
    ended: `${cdn} is back`,
  }),
  'cdn-failed': ({ cdn, host, reason }) => ({
    title: `${cdn} could not be set up for ${host}`,
    text: 'Visitors are not sent there. It is tried again by itself.',
    cause: reason,
    ended: `${cdn} is serving ${host}`,
  }),
  'cdn-refused': ({ cdn, host, reason }) => ({
    title: `${cdn} was not approved for ${host}`,
    text: 'Change what the reason names and ask again, or uninstall it.',
    cause: reason,
  }),
  'challenge-softened': ({ domain, rule, mode, softer, people, gaveUp }) => ({
    title: `A challenge of ${domain} was softened`,
    text: `${count(gaveUp)} of ${count(people)} visitors’ networks gave up the challenge of ${rule === '' ? 'the security level' : `“${rule}”`}. Instead of ${CHALLENGES[mode] ?? mode}, ${CHALLENGES[softer] ?? softer} is asked now. It is put back by itself when an attack shows.`,
    ended: `A challenge of ${domain} is as it was set`,
  }),
  'certificate-expiring': ({ host, days }) => ({
    title: `The certificate of ${host} expires in ${days} ${days === 1 ? 'day' : 'days'}`,
    text: 'Renew or replace it before then, or browsers will warn your visitors.',
    ended: `The certificate of ${host} has been renewed`,
  }),
  'certificate-failed': ({ host, reason }) => ({
    title: `No certificate for ${host}`,
    text: 'The certificate could not be issued. It is tried again by itself.',
    cause: reason,
    ended: `${host} has its certificate`,
  }),
  'certificate-issued': ({ host }) => ({
    title: `${host} has a certificate`,
    text: 'It is in use at every edge node.',
  }),
  'certificate-revoked': ({ host }) => ({
    title: `The certificate of ${host} has been revoked`,
    text: 'Its authority says so, and browsers may refuse it. Upload another one, or order one.',
  }),
  'console-certificate-failed': ({ host, until, reason }) => ({
    title: `The console has no new certificate for ${host}`,
    text:
      until === ''
        ? 'There is none yet: browsers cannot connect by TLS. It is ordered again by itself.'
        : `The one before it is shown until ${until}. It is ordered again by itself.`,
    cause: reason,
    ended: `The console has its certificate for ${host}`,
  }),
  'stream-certificate-failed': ({ host, until, reason }) => ({
    title: `Videos have no new certificate for ${host}`,
    text:
      until === ''
        ? 'There is none yet: videos are served over plain HTTP. It is ordered again by itself.'
        : `The one before it is shown until ${until}; then videos are served over plain HTTP. It is ordered again by itself.`,
    cause: reason,
    ended: `Videos have their certificate for ${host}`,
  }),
  'deployment-refused': ({ site, node, version, reason }) => ({
    title: `${node} refused a change of ${site}`,
    text: `Version ${version} is not live there; the node goes on serving the last good one.`,
    cause: reason,
    ended: `${node} serves the newest version of ${site}`,
  }),
  'disk-full': ({ machine, free }) => ({
    title: `The disk of ${machine} is full`,
    text: `${free} are left. An API on it refuses changes until there is room; what it serves goes on. Free some now.`,
    ended: `The disk of ${machine} takes changes again`,
  }),
  'disk-low': ({ machine, free, percent }) => ({
    title: `The disk of ${machine} is filling up`,
    text: `${free} are left, ${percent} %. Free some, or give it more, before what is uploaded, measured and changed has no place to go.`,
    ended: `The disk of ${machine} has room again`,
  }),
  'disk-scarce': ({ machine, free }) => ({
    title: `The disk of ${machine} is nearly full`,
    text: `${free} are left. Uploads, encoding, new live streams, samples and logs of requests have stopped there. Changes are next.`,
    ended: `What had stopped on ${machine} goes on`,
  }),
  'invite-accepted': ({ name, email }) => ({
    title: `${name} has joined`,
    text: `${email} accepted the invitation and can sign in now.`,
  }),
  'invite-declined': ({ email, why }) => ({
    title: `${email} has declined your invitation`,
    text:
      why === 'has-account'
        ? 'The address has an account in another organisation and can have one only. Invite the person under another address.'
        : 'No account was made.',
  }),
  'invoice-posted': ({ number, amount, dueOn }) => ({
    title: `Invoice ${number}`,
    text: `${amount}, due on ${dueOn}.`,
  }),
  'live-idle': ({ stream, hours }) => ({
    title: `Nobody sends to ${stream}`,
    text: `Its transcoder has been on for ${hours} hours without a signal, and its minutes are billed. Turn it off until it is needed.`,
    ended: `${stream} has a signal, or was turned off`,
  }),
  'live-input-lost': ({ stream }) => ({
    title: `${stream} has lost its signal`,
    text: 'Viewers see the last picture. When it is back within half a minute, the stream goes on; after that it ends for them.',
    ended: `${stream} has its signal again, or was ended`,
  }),
  'live-not-recorded': ({ stream, reason }) => ({
    title: `${stream} is not recorded`,
    text:
      reason === 'disk-full'
        ? 'The disk of the machine that records is full. The broadcast itself goes on.'
        : 'Your organisation has as many videos and live streams as it may. Delete one, then switch recording off and on again.',
  }),
  'live-problem': ({ stream, problem }) => ({
    title: `${stream} cannot be encoded`,
    text: 'Viewers see nothing new of it. The page of the stream says what to change where it is sent from.',
    ...(isSentence(problem) ? { cause: problem } : {}),
    ended: `${stream} is encoded again, or was turned off`,
  }),
  'live-recorded': ({ stream, video }) => ({
    title: `${stream} was recorded`,
    text: `The recording is among the videos as ${video}.`,
  }),
  'live-recording-cut': ({ stream, video }) => ({
    title: `The recording of ${stream} ended early`,
    text: `The disk of the machine that records is full. What was kept is among the videos as ${video}; the broadcast itself goes on.`,
  }),
  'live-stopped': ({ stream, streams }) => ({
    title: streams === 1 ? `${stream} was turned off` : `${streams} live streams were turned off, ${stream} among them`,
    text: 'Serving has stopped: the spending limit, the end of the trial, a lock or a suspension. They stay off when that is over: turn on what is needed.',
  }),
  'live-unwatched': ({ stream, minutes }) => ({
    title: `Nobody watches ${stream}`,
    text: `It is on air, and no viewer has asked for it for ${minutes} minutes. Look whether the page that shows it still does; its minutes are billed.`,
    ended: `${stream} is watched, or no longer on air`,
  }),
  'looked-on': ({ by }) => ({
    title: `${by} is looking at your account`,
    text: 'They are signed in as you for an hour at most. What they change is told as done by them in the audit log. If you did not ask for help, write to support.',
  }),
  'mail-failing': ({ problem }) => ({
    title: 'Letters are not being delivered',
    text: 'They wait and are tried again. Check the mail server in the settings.',
    cause: problem,
    ended: 'Letters are being delivered again',
  }),
  'sign-in-added': ({ way, name, ip }) => ({
    title: way === 'passkey' ? 'A passkey was added to your account' : 'A Google account was connected to yours',
    text: `${name} signs in as you from now on. If this was not you, remove it and change your password at once.`,
    cause: `Added from ${ip}`,
  }),
  'address-changed': ({ from, to, ip }) => ({
    title: 'Your e-mail address was changed',
    text: `You sign in with ${to} from now on and no longer with ${from}. If this was not you, change it back and set a new password.`,
    cause: `Changed from ${ip}`,
  }),
  'mfa-changed': ({ on, ip }) => ({
    title: on ? 'Two-step sign-in is on' : 'Two-step sign-in is off',
    text: on ? 'Signing in now asks for a code of your authenticator app.' : 'Signing in asks for your password only.',
    cause: `Changed from ${ip}`,
  }),
  'name-parked': ({ site, reason }) => ({
    title: `${site} is not served`,
    text: 'Prove that the name is yours: set its two nameservers, or add the TXT record that the site shows. It is served as soon as that is seen.',
    cause: PARKED[reason] ?? reason,
    ended: `${site} is served`,
  }),
  'name-proven': ({ site }) => ({
    title: `${site} is proven to be yours`,
    text: 'Nobody else can claim the name without proving it anew.',
  }),
  'name-removed': ({ site }) => ({
    title: `${site} was removed`,
    text: 'The name was not proven, and the site was kept for 30 days. Add it again whenever you can prove the name.',
  }),
  'nameservers-failed': ({ site, reason }) => ({
    title: `${site} does not use our nameservers yet`,
    text: 'They were not found within ten minutes. We go on looking once an hour.',
    cause: nameserverReason(reason),
    ended: `${site} uses our nameservers`,
  }),
  'nameservers-lost': ({ site, reason }) => ({
    title: `${site} no longer uses our nameservers`,
    text: 'Visitors are answered by somebody else’s. Changes you make here have no effect until they are back.',
    cause: nameserverReason(reason),
    ended: `${site} uses our nameservers again`,
  }),
  'nameservers-verified': ({ site }) => ({
    title: `${site} uses our nameservers`,
    text: 'From now on every visitor is answered from here.',
  }),
  'node-away': ({ node, role, seconds }) => ({
    title: `Node ${node} is away`,
    text: `The ${role} node has not been heard of for ${seconds} seconds. The others go on serving.`,
    ended: `Node ${node} is back`,
  }),
  'origin-down': ({ host, origin, failed, asked, isSilent }) => ({
    title: `The origin of ${host} does not answer`,
    text: `${origin} cannot be reached. What is in the caches is still served.`,
    cause: `${failed} of ${asked} requests within two minutes ${isSilent ? 'got no answer' : 'found no connection'}`,
    ended: `The origin of ${host} answers again`,
  }),
  'organization-closing': ({ organization, on, by }) => ({
    title: `${organization} closes on ${on}`,
    text: `${by} closes it, with its sites, videos, keys and all accounts. Until then everything is served, and the owner can keep it open.`,
    ended: `${organization} stays open`,
  }),
  'organization-exported': ({ organization, ip }) => ({
    title: `Everything of ${organization} was exported`,
    text: 'It was done with your account. If this was not you, change your password at once and sign out everywhere.',
    cause: `Exported from ${ip}`,
  }),
  'owner-changed': ({ from, to }) => ({
    title: `${to} owns the organisation now`,
    text: from === '' ? 'It had no owner before.' : `${from} did before, and is an administrator now.`,
  }),
  'password-changed': ({ ip }) => ({
    title: 'Your password was changed',
    text: 'If this was not you, reset your password at once and sign out everywhere.',
    cause: `Changed from ${ip}`,
  }),
  'payment-failed': ({ amount, reason }) => ({
    title: 'A payment has failed',
    text: `${amount} could not be charged. Check the card so that your sites stay unrestricted.`,
    cause: reason,
    ended: 'The payment has arrived',
  }),
  'peers-stopped': ({ stream, withPeers, without }) => ({
    title: `${stream} goes without peers now`,
    text: `Viewers who shared segments waited ${withPeers} % of the time, those who did not ${without} %. All of it comes from the CDN until you switch peers on again.`,
  }),
  'plan-set': ({ plan, before }) => ({
    title: `Your plan is ${plan} now`,
    text: `Whoever runs this service has changed it from ${before}. What was left of a paid month has become credit.`,
  }),
  'purge-failed': ({ site, cdn, code, reason }) => ({
    title: `A purge of ${site} failed on ${cdn}`,
    text: 'Visitors may still be given the old content there.',
    cause:
      code === 'still-old'
        ? `The old content of ${reason} was still there after it was told three times`
        : code === 'silent'
          ? 'It did not answer when it was looked at'
          : reason,
    ended: `Purges of ${site} work on ${cdn} again`,
  }),
  'quota-near': ({ what, of, used, limit }) => ({
    title: `${used >= limit ? 'All' : 'Nearly all'} ${COUNTED[what] ?? what}${of === null ? '' : ` of ${of}`} are used`,
    text: `${count(used)} of ${count(limit)} that your plan includes.`,
    ended: `There is room again for ${COUNTED[what] ?? what}${of === null ? '' : ` of ${of}`}`,
  }),
  'review-waiting': ({ cdn, host, organization }) => ({
    title: `${host} waits for your review`,
    text: `${organization} wants it to be served by ${cdn}.`,
    ended: `${host} has been reviewed`,
  }),
  'spending-capped': ({ cap, spent }) => ({
    title: 'Your spending cap is reached',
    text: `${spent} of ${cap}. What costs extra is off until the next month or a higher cap.`,
  }),
  'spending-near': ({ cap, spent }) => ({ title: 'Your spending cap is near', text: `${spent} of ${cap} this month.` }),
  'ticket-answered': ({ ticket, subject }) => ({ title: `Answer to ticket ${ticket}`, text: subject }),
  'ticket-opened': ({ ticket, subject, organization }) => ({
    title: `Ticket ${ticket} of ${organization} waits for an answer`,
    text: subject,
    ended: `Ticket ${ticket} of ${organization} waits no more`,
  }),
  'video-failed': ({ video, code, reason }) => ({
    title: `${video} could not be made playable`,
    text: VIDEO_FAILED[code] ?? 'Upload it again, or export it anew as MP4 with H.264 and AAC.',
    ...(reason === '' ? {} : { cause: reason }),
    ended: `${video} was replaced, removed or is worked on again`,
  }),
  'webhook-disabled': ({ url, reason }) => ({
    title: 'A webhook was switched off',
    text: url,
    cause:
      reason === 'gone' ? 'The receiver answered that it is gone (410).' : 'Nothing has arrived there for five days.',
  }),
  'white-label-leaks': ({ partner, names }) => ({
    title: `Customers of ${partner} see names of this installation`,
    text: `They see ${names}. The partner’s page lists the DNS records that are missing.`,
    ended: `New customers of ${partner} see its own names only`,
  }),
  'white-label-lost': ({ partner, name, seen }) => ({
    title: `A DNS record of ${partner} is not right any more`,
    text: `${name}: ${seen || 'nothing is there'}. New customers get this installation’s names until it is; those who have the partner’s keep them.`,
    ended: `The DNS records of ${partner} are right again`,
  }),
}

const numbers = new Intl.NumberFormat('en')
const count = (value: number): string => numbers.format(value)
