import { FEATURES } from '@fairway/contract'
import type { Installation } from '../installation/start-installation.ts'

export const OPERATOR = { email: 'bench@example.com', password: 'Bench-1234' }

/** The first visitor of an empty installation; from then on `installation.api` acts as this operator. */
export function registerOperator(installation: Installation): Promise<{ organizationId: string }> {
  return installation.api(FEATURES.auth.routes.register, {
    ...OPERATOR,
    firstName: 'Bench',
    lastName: 'Mark',
    organizationName: 'Bench',
  })
}

/** A bearer token, as one gets it by signing in. */
export async function operatorToken({ api }: Installation): Promise<string> {
  const answer = await api(FEATURES.auth.routes.login, OPERATOR)
  if (!('jwtToken' in answer) || typeof answer.jwtToken !== 'string') throw new Error('the operator could not sign in')
  return answer.jwtToken
}

/** A site with one domain that CDNs can be attached to. */
export async function steeredDomain(
  { api }: Installation,
  domainName: string,
): Promise<{ site: string; domain: string }> {
  const site = (await api(FEATURES.sites.routes.create, { domainName })).data.id
  const record = { site, type: 'A', name: 'www', value: '93.184.215.14', multiCdn: true } as const
  const domain = (await api(FEATURES.dnsRecords.routes.create, record)).data.domainId
  if (!domain) throw new Error('the record made no domain')
  return { site, domain }
}
