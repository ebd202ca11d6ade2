import { cdnManagement, routingStrategies, vsrRules } from '@fairway/contract'
import type { RouteOutput } from '@fairway/contract'
import { read } from '../../api/queries.ts'

/** Where the calls about one domain go. */
export type Place = { site: string; domain: string }

export type Strategies = RouteOutput<typeof routingStrategies.routes.list>

export const strategiesInput = (place: Place) => ({ ...place, page_size: -1, ordering: 'priority' })
export const strategiesRead = (place: Place) => read(routingStrategies.routes.list, strategiesInput(place))
export const domainCdnsInput = (place: Place) => ({ ...place, page_size: -1, ordering: 'name' })
export const domainCdnsRead = (place: Place) => read(cdnManagement.routes.list, domainCdnsInput(place))
export const vsrInput = (place: Place) => ({ ...place, page_size: -1 })
export const vsrRead = (place: Place) => read(vsrRules.routes.list, vsrInput(place))
