import { type Installation, apiClient } from '@fairway/app'
import { FEATURES } from '@fairway/contract'
import { READY_ROLES, permissionsOf, roleOf } from '@fairway/domain'
import { makeLog, openDatabase } from '@fairway/platform'
import { createOrganization, createOwner } from '@fairway/server'

/** Kinds of people, by what the console's guards ask of them. */
export const KINDS = [
  'anonymous',
  'unverified',
  'surveyMissing',
  'noPlan',
  'paymentFailed',
  'noSites',
  'draftSite',
  'smallPlan',
  'viewer',
  'billing',
  'owner',
  'video',
  'enterprise',
  'operator',
  'loginAs',
  'sandbox',
  'maintenance',
] as const
export type Kind = (typeof KINDS)[number]

export type Person = {
  email: string
  /** Their site, or one that is not theirs. */ site: string
  domain: string
  /** Of a session that was opened before the kind was made. */ token?: string
}

export const PASSWORD = 'Correct-Horse-9'
const OPERATOR = {
  email: 'operator@example.com',
  password: PASSWORD,
  firstName: 'Olive',
  lastName: 'Owner',
  organizationName: 'Operations',
}

/** What makes the kind, once the organisation is there with its site. */
const STATES: Partial<Record<Kind, string>> = {
  unverified: 'UPDATE app_user SET email_verified_at = NULL WHERE organization_id = $1',
  surveyMissing: 'UPDATE organization SET industry = NULL, job_title = NULL WHERE id = $1',
  noPlan: 'UPDATE organization SET plan_chosen_at = NULL WHERE id = $1',
  paymentFailed: `UPDATE organization SET status = 'payment_failed' WHERE id = $1`,
  smallPlan: `UPDATE organization SET plan_id = 'small' WHERE id = $1`,
  video: `UPDATE organization SET master_app = 'stream' WHERE id = $1`,
  sandbox: 'UPDATE organization SET sandbox = true WHERE id = $1',
}
const WITHOUT_SITE: ReadonlySet<Kind> = new Set(['noSites', 'video', 'draftSite'])
/** These look at the owner's organisation. */
const GUESTS: ReadonlySet<Kind> = new Set(['anonymous', 'viewer', 'billing', 'operator', 'loginAs', 'maintenance'])

/** A person of every kind, each in an organisation of their own with a site and a domain. */
export async function makePeople(world: Installation): Promise<Record<Kind, Person>> {
  await world.api(FEATURES.auth.routes.register, OPERATOR)
  await using database = openDatabase(world.config, makeLog('test', world.config), { connections: 1 })
  const of = (kind: Kind): Person => {
    const site = GUESTS.has(kind) ? 'owner.example' : `${kind.toLowerCase()}.example`
    return {
      email: kind === 'operator' ? OPERATOR.email : `${kind.toLowerCase()}@example.com`,
      site,
      domain: `www.${site}`,
    }
  }
  const people = Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<Kind, Person>
  await database.system((tx) =>
    tx.query(
      `INSERT INTO plan (id, name, ability, site_limit, record_limit, cdn_limit) VALUES ('small', 'Small', '{}', 20, 50, 10)`,
    ),
  )
  for (const kind of KINDS.filter((one) => !GUESTS.has(one))) {
    const { email, site } = people[kind]
    const organizationId = await database.system(async (tx) => {
      const id = await createOrganization(tx, {
        name: `The ${kind}`,
        planId: kind === 'enterprise' ? 'enterprise' : 'business',
      })
      await tx.query(`UPDATE organization SET industry = 'media', job_title = 'developer' WHERE id = $1`, [id])
      await createOwner(tx, {
        organizationId: id,
        email,
        password: PASSWORD,
        firstName: 'Pat',
        lastName: kind,
        isOperator: false,
      })
      return id
    })
    people[kind].token = (await world.api(FEATURES.auth.routes.login, { email, password: PASSWORD })).jwtToken
    const api = apiClient(world.url, people[kind].token)
    if (!WITHOUT_SITE.has(kind)) {
      const { data } = await api(FEATURES.sites.routes.create, { domainName: site })
      await api(FEATURES.dnsRecords.routes.create, {
        site: data.id,
        type: 'A',
        name: 'www',
        value: '93.184.215.14',
        multiCdn: true,
      })
    }
    if (kind === 'draftSite') await api(FEATURES.addSite.routes.create, { domainName: site })
    if (kind === 'owner') {
      // Colleagues of the owner, by what they may.
      for (const [colleague, permissions] of [
        [people.viewer, ['ViewSite', 'ViewPerformancePolicy']],
        [people.billing, [...permissionsOf(roleOf(READY_ROLES.billing))]],
      ] as const)
        await database.system((tx) =>
          tx.query(
            `INSERT INTO app_user (organization_id, email, password_hash, first_name, last_name, permissions, email_verified_at)
             SELECT organization_id, $2, password_hash, 'Vera', 'Colleague', $3, now() FROM app_user WHERE organization_id = $1 LIMIT 1`,
            [organizationId, colleague.email, permissions],
          ),
        )
    }
    const state = STATES[kind]
    if (state !== undefined) await database.system((tx) => tx.query(state, [organizationId]))
  }
  people.maintenance.email = people.owner.email
  return people
}

/** Opens and closes everything for maintenance, as the operator does. */
export async function setMaintenance(world: Installation, maintenanceMode: boolean): Promise<void> {
  await world.api(FEATURES.operatorArea.routes.setMaintenance, {
    maintenanceMode,
    text: { en: '', zhHant: '', zhHans: '' },
    newVersion: false,
  })
}

/** A link of the operator into the owner's console. */
export async function loginAsLink(world: Installation): Promise<string> {
  const { data } = await world.api(FEATURES.organizations.routes.users, { search: 'owner@example.com' })
  const owner = data.find(({ email }) => email === 'owner@example.com')
  if (!owner) throw new Error('the owner is not among the users')
  return new URL((await world.api(FEATURES.organizations.routes.loginAs, { user: owner.id })).url).pathname
}
