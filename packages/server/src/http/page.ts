import { Failure } from './failure.ts'

type Query = { page: number; page_size: number; ordering: string }

/** Limit and offset of a list's query (`page_size=-1` is all), and the `meta` of its answer. */
export function pageOf(query: Query): {
  limit: number | null
  offset: number
  meta: (total: number) => { total: number; page: number; pageSize: number }
} {
  const all = query.page_size === -1
  return {
    limit: all ? null : query.page_size,
    offset: all ? 0 : (query.page - 1) * query.page_size,
    meta: (total) => ({ total, page: query.page, pageSize: query.page_size }),
  }
}

/** `ORDER BY` of a list's `ordering`, from the columns the list allows. @throws Failure 400 on any other. */
export function orderBy(ordering: string, columns: Record<string, string>): string {
  const descending = ordering.startsWith('-')
  const name = descending ? ordering.slice(1) : ordering
  // Its own names only: `constructor` is no column.
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (!column) throw new Failure(400, { fields: [{ path: 'ordering', message: 'validation.ordering' }] })
  return `${column} ${descending ? 'DESC' : 'ASC'}`
}
