import type { Balancer, BalancerEntryInput, BalancerInput, BalancerMode } from '@fairway/contract'

/** An entry while it is worked on; `fixedHost` is a name that we give, and so none to be typed. */
export type DraftEntry = Omit<BalancerEntryInput, 'host'> & { key: string; host: string; fixedHost: boolean }
export type BalancerDraft = { isOn: boolean; mode: BalancerMode; entries: DraftEntry[] }

export function draftOf({ isOn, mode, entries, choices }: Balancer): BalancerDraft {
  const isFixed = (id: string | null) => choices.some(({ cdnId, host }) => cdnId === id && host !== null)
  return {
    isOn,
    mode,
    entries: entries.map(({ pathway, cdnId, host, weight, enabled }) => ({
      key: pathway,
      cdnId,
      host,
      weight,
      enabled,
      fixedHost: isFixed(cdnId),
    })),
  }
}

/** What is sent: names that we give are left out. */
export const inputOf = ({ isOn, mode, entries }: BalancerDraft): BalancerInput => ({
  isOn,
  mode,
  entries: entries.map(({ cdnId, host, weight, enabled, fixedHost }) => ({
    cdnId,
    host: fixedHost ? null : host.trim(),
    weight,
    enabled,
  })),
})

/** Percent of the sessions that each entry is to get by its weight; null while it is switched off. */
export function weightPercents(entries: readonly DraftEntry[]): (number | null)[] {
  const total = entries.reduce((sum, { enabled, weight }) => sum + (enabled ? weight || 0 : 0), 0)
  return entries.map(({ enabled, weight }) => (enabled && total > 0 ? (100 * (weight || 0)) / total : null))
}
