import { challengeOutcomes } from '@fairway/analytics'
import { botManagement, type ChallengeFriction } from '@fairway/contract'
import { challengesOf, softerMode } from '@fairway/domain'
import { askStore } from '../../http/ask-store.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { recordedRow } from '../versions/recorded-row.ts'
import { securityPolicyOf } from '../web-security/policy.ts'
import { setSoftens, softeningsOf, softens } from './friction-store.ts'
import { botManagementOf, setBotManagement } from './store.ts'

const DAY_MS = 86_400_000
/** Rules are shown whether the store counts or not, and not later for it. */
const PATIENCE_MS = 1500

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

  async friction(context) {
    const { tx, domain } = context
    const softenings = new Map((await softeningsOf(tx, domain.id)).map((one) => [one.rule, one]))
    const counts = await countsOf(context)
    const data = challengesOf(await securityPolicyOf(tx, domain.id)).map(({ rule, name, mode }): ChallengeFriction => {
      const soft = softenings.get(rule)
      const isSoft = soft !== undefined && soft.mode === mode && softerMode(mode, soft.steps) !== mode
      const known = counts?.get(rule)
      return {
        rule,
        name: rule === 'level' ? null : name,
        mode,
        softened: isSoft
          ? {
              mode: softerMode(mode, soft.steps),
              since: soft.changedAt.toISOString(),
              people: soft.people,
              gaveUp: soft.gaveUp,
            }
          : null,
        lastDay:
          counts === null
            ? null
            : { challenged: known?.challenged ?? 0, people: known?.people ?? 0, gaveUp: known?.gaveUp ?? 0 },
      }
    })
    return { softening: await softens(tx, domain.id), data }
  },

  async setFriction({ tx, actor, site, domain, change }, { softening }) {
    if ((await softens(tx, domain.id)) === softening) return { data: { softening }, meta: { version: null } }
    const before = (await recordedRow(tx, 'challenge_friction', site.id, domain.id)) ?? null
    await setSoftens(tx, { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id }, softening)
    change.title = `${softening ? 'Soften' : 'Do not soften'} challenges that people give up at ${domain.name}`
    change.record({
      entity: 'challenge-friction',
      id: domain.id,
      label: domain.name,
      before,
      after: (await recordedRow(tx, 'challenge_friction', site.id, domain.id)) ?? null,
    })
    return { data: { softening }, meta: { version: await change.version() } }
  },
})

/** How the day's challenges went, by rule; null while nobody can count. */
async function countsOf({ services, actor, domain, now }: Context) {
  const question = challengeOutcomes(services.events, {
    from: now.getTime() - DAY_MS,
    now: now.getTime(),
    organizationId: actor.organizationId,
    domainId: domain.id,
  })
  const found = await askStore(question, PATIENCE_MS).catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
  return found && new Map(found.map((one) => [one.rule, one]))
}
