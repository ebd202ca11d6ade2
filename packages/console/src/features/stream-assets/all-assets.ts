import type { StreamAsset } from '@fairway/contract'
import type { StreamAssetsSearch } from './search.ts'

/** Every video, newest first: one question for the list and for what is offered from it. */
export const ALL = { page_size: -1, ordering: '-created_at' } as const

/** As they are written, each once, in order; without the empty one. */
export const categoriesOf = (assets: readonly StreamAsset[]): string[] =>
  [...new Set(assets.map(({ category }) => category))]
    .filter((category) => category !== '')
    .sort((a, b) => a.localeCompare(b))

/** Those that are searched for, by name or category. */
export function filterAssets(
  assets: readonly StreamAsset[],
  { search = '', category }: StreamAssetsSearch,
): StreamAsset[] {
  const text = search.trim().toLowerCase()
  return assets.filter(
    (one) =>
      (category === undefined || one.category === category) &&
      (text === '' || `${one.name} ${one.category}`.toLowerCase().includes(text)),
  )
}
