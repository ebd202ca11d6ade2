import type { Config } from '@fairway/platform'
import type { TicketDesk } from './desk.ts'
import { hubspotDesk } from './hubspot.ts'

/** Nothing to tell anybody: the tickets are answered in the operator area, from our own rows. */
const EMBEDDED: TicketDesk = {
  name: 'embedded',
  create: async () => '',
  note: async () => {},
  contact: async () => null,
  close: async () => {},
}

/** The desk that the settings name: HubSpot with a token, else the operator's own. */
export function openTicketDesk(config: Pick<Config, 'hubspotToken' | 'hubspotUrl' | 'hubspotPipeline'>): TicketDesk {
  const [pipeline = '0', newStage = '1', closedStage = '4'] = config.hubspotPipeline
  return config.hubspotToken
    ? hubspotDesk({ url: config.hubspotUrl, token: config.hubspotToken, pipeline, newStage, closedStage })
    : EMBEDDED
}
