import { originRules } from '@fairway/contract'
import type { RouteOutput } from '@fairway/contract'
import { read } from '../../api/queries.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'

export type OriginRules = RouteOutput<typeof originRules.routes.list>

export const rulesInput = (place: Place) => ({ ...place, page_size: -1, ordering: 'position' })
export const rulesRead = (place: Place) => read(originRules.routes.list, rulesInput(place))
