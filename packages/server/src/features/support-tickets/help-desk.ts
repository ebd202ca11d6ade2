import type { Config } from '@fairway/platform'

/** What the outside help desk is called in paths; null where tickets are read in the console. */
export function helpDeskOf({
  deskUrl,
  deskSecret,
  hubspotToken,
}: Pick<Config, 'deskUrl' | 'deskSecret' | 'hubspotToken'>): string | null {
  if (deskUrl === '' || deskSecret === '') return null
  return hubspotToken ? 'hubspot' : 'desk'
}
