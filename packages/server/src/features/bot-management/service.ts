import { botManagement } from '@fairway/contract'
import { slice } from '../../http/register.ts'
import { recordedRow } from '../versions/recorded-row.ts'
import { botManagementOf, setBotManagement } from './store.ts'

export const botManagementSlice = slice(botManagement, {
  get: ({ tx, domain }) => botManagementOf(tx, domain.id),

  async update({ tx, actor, site, domain, change }, wanted) {
    const was = await botManagementOf(tx, domain.id)
    const settings = {
      securityLevel: wanted.securityLevel ?? was.securityLevel,
      challengeMode: wanted.challengeMode ?? was.challengeMode,
      integrityCheck: wanted.integrityCheck ?? was.integrityCheck,
      clearanceSeconds: wanted.clearanceSeconds ?? was.clearanceSeconds,
      verifiedCrawlers: wanted.verifiedCrawlers ?? was.verifiedCrawlers,
    }
    if (JSON.stringify(settings) === JSON.stringify(was)) return { data: was, meta: { version: null } }
    const before = (await recordedRow(tx, 'bot_management', site.id, domain.id)) ?? null
    await setBotManagement(tx, { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id }, settings)
    change.title = `Change bot management of ${domain.name}`
    change.record({
      entity: 'bot-management',
      id: domain.id,
      label: domain.name,
      before,
      after: (await recordedRow(tx, 'bot_management', site.id, domain.id)) ?? null,
    })
    return { data: settings, meta: { version: await change.version() } }
  },
})
