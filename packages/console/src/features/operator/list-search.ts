import { z } from 'zod'

/** What every list of the operator area keeps in the address. */
export const ListSearch = z.object({
  search: z.string().max(200).optional().catch(undefined),
  sort: z.string().optional().catch(undefined),
  page: z.int().min(2).optional().catch(undefined),
  /** The row that is open beside the list. */
  open: z.string().optional().catch(undefined),
})

/** Rows of a page. */
export const LIST_SIZE = 500

/**
 * What the API is asked to sort by. By other columns only the rows of a page are sorted.
 *
 * @param columns the names that the API has for columns of the table
 */
export function orderingOf(sort: string | undefined, columns: Readonly<Record<string, string>>): { ordering?: string } {
  const name = sort?.replace('-', '')
  const ordering = name === undefined ? undefined : columns[name]
  return ordering === undefined ? {} : { ordering: sort?.startsWith('-') ? `-${ordering}` : ordering }
}
