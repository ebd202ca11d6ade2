import type { WhiteLabelLeak, WhiteLabelSettings, WhiteLabelState, WhiteLabelUse } from '@fairway/contract'
import type { WantedRecord } from './wanted-records.ts'

type Judged = Pick<WantedRecord, 'use' | 'required'> & { state: WhiteLabelState }

/**
 * Whether the names of one use may be given out: all that is required is good; nothing is while something is known to
 * be missing or wrong. While somebody cannot be asked it stays as it was (`unknown`). `tolerant` takes what cannot be
 * asked for good, except for letters, which go out into the world.
 */
export function standingOf(
  records: readonly Judged[],
  use: WhiteLabelUse,
  { tolerant }: { tolerant: boolean },
): 'good' | 'bad' | 'unknown' {
  const states = records.filter((record) => record.use === use && record.required).map(({ state }) => state)
  if (states.length === 0 || states.some((state) => state === 'missing' || state === 'wrong')) return 'bad'
  if (states.every((state) => state === 'good' || (tolerant && use !== 'sender'))) return 'good'
  return 'unknown'
}

export type LeakFacts = {
  isDefault: boolean
  settings: WhiteLabelSettings
  hostName: string | null
  since: { nameservers: unknown; cname: unknown; sender: unknown }
  linkState: WhiteLabelState | null
  /** What of the installation's own is shown in place of each. */
  house: Record<WhiteLabelUse, string>
  /** Organisations of the partner that have nameservers, or CDN names, of the installation's. */
  earlier: { nameservers: number; cname: number }
}

/** Which names of the installation's the customers of a partner see, and why. */
export function leaksOf({ isDefault, settings, since, linkState, house, earlier }: LeakFacts): WhiteLabelLeak[] {
  if (isDefault) return []
  const named = {
    nameservers: settings.serviceDomain,
    cname: settings.cnameHost,
    sender: settings.senderAddress,
  } as const
  const leaks: WhiteLabelLeak[] = []
  for (const use of ['nameservers', 'cname', 'sender'] as const) {
    if (since[use] === null)
      leaks.push({ use, reason: named[use] === null ? 'not-set' : 'not-ready', shown: house[use], organizations: 0 })
    else if (use !== 'sender' && earlier[use] > 0)
      leaks.push({ use, reason: 'earlier', shown: house[use], organizations: earlier[use] })
  }
  // Links lead to the partner's host name in any case; while that leads nowhere people are shown the way of the house.
  if (linkState === 'missing' || linkState === 'wrong')
    leaks.push({ use: 'links', reason: 'not-ready', shown: house.links, organizations: 0 })
  return leaks
}
