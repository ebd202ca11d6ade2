import { FEATURES } from '@fairway/contract'
import type { Installation } from '../installation/start-installation.ts'

/** The first visitor of an empty installation; from then on `installation.api` acts as this operator. */
export function registerOperator(installation: Installation): Promise<{ organizationId: string }> {
  return installation.api(FEATURES.auth.routes.register, { email: 'bench@example.com', password: 'Bench-1234', firstName: 'Bench', lastName: 'Mark', organizationName: 'Bench' })
}
