import type { WhiteLabelUse } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { notifyPartner } from '../notifications/notify-partner.ts'

export type Told =
  | { event: 'white-label-leaks'; fields: { partner: string; names: string } }
  | { event: 'white-label-lost'; fields: { partner: string; name: string; seen: string } }

export const leakIncident = (partnerId: string): string => `white-label-leaks:${partnerId}`
export const lostIncident = (partnerId: string, use: WhiteLabelUse): string => `white-label-lost:${partnerId}:${use}`

/** Tells those who run the installation, and those who look after the partner, once for each incident. */
export const tellOfPartner = (tx: Tx, partnerId: string, incident: string, told: Told): Promise<void> =>
  notifyPartner(tx, partnerId, { ...told, incident })
