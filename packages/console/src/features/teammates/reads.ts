import { teammates } from '@fairway/contract'
import { read } from '../../api/queries.ts'

/** All people at once: an organisation has tens of them, seldom hundreds. */
export const peopleRead = read(teammates.routes.list, { page_size: -1, ordering: 'name' })
