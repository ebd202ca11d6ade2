import { addSite } from '@fairway/contract'
import { read } from '../../api/queries.ts'

export const foundRead = (site: string) => read(addSite.routes.found, { site })
export const foundDomainsRead = (site: string) => read(addSite.routes.domains, { site })
