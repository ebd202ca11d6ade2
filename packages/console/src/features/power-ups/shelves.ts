import type { PowerUp, PowerUpCategory } from '@fairway/contract'

/** Shelves of the marketplace as its addresses name them, each with the categories that stand on it. */
export const SHELVES: readonly { key: string; categories: readonly PowerUpCategory[] }[] = [
  { key: 'managed-cdn', categories: ['basic-cdn', 'global-cdn', 'regional-cdn', 'china-cdn', 'china-rim'] },
  { key: 'custom-cdn', categories: ['custom-cdn', 'origin-server'] },
  { key: 'dns', categories: ['dns'] },
  { key: 'smart-load-balancing', categories: ['smart-load-balancing'] },
  { key: 'origin-shield', categories: ['origin-shield'] },
  { key: 'support-package', categories: ['support-package'] },
  { key: 'stream', categories: ['stream'] },
  { key: 'other', categories: ['other'] },
]

export type Place = { category?: string | undefined; childCategory?: string | undefined }

/** What stands where the address points to; an address of no shelf is the whole marketplace. */
export function onShelf(all: readonly PowerUp[], { category, childCategory }: Place): readonly PowerUp[] {
  const shelf = SHELVES.find(({ key }) => key === category)
  if (!shelf) return all
  const wanted = new Set(shelf.categories.filter((one) => childCategory === undefined || one === childCategory))
  return all.filter(({ category: one }) => wanted.has(one))
}

/** Shelves with something on them, counted; so are their parts where there are several. */
export function countShelves(
  all: readonly PowerUp[],
): { key: string; count: number; parts: { category: PowerUpCategory; count: number }[] }[] {
  const countOf = (category: PowerUpCategory) => all.filter((powerUp) => powerUp.category === category).length
  return SHELVES.flatMap(({ key, categories }) => {
    const parts = categories
      .map((category) => ({ category, count: countOf(category) }))
      .filter(({ count }) => count > 0)
    return parts.length === 0
      ? []
      : [
          {
            key,
            count: parts.reduce((total, { count }) => total + count, 0),
            parts: categories.length > 1 ? parts : [],
          },
        ]
  })
}
