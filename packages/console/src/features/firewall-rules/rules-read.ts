import { firewallRules } from '@fairway/contract'
import type { RouteOutput } from '@fairway/contract'
import { read } from '../../api/queries.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'

export type FirewallRules = RouteOutput<typeof firewallRules.routes.list>

export const rulesInput = (place: Place) => ({ ...place, page_size: -1, ordering: 'position' })
export const rulesRead = (place: Place) => read(firewallRules.routes.list, rulesInput(place))
