import type { PowerUp, PowerUpCategory } from '@fairway/contract'

const MANAGED = ['basic-cdn', 'global-cdn', 'regional-cdn', 'china-cdn', 'china-rim'] as const

/** Shelves of the marketplace as its addresses name them, each with the categories that stand on it. */
export const SHELVES: readonly { key: string; categories: readonly PowerUpCategory[] }[] = [
  { key: 'managed-cdn', categories: MANAGED },
  // What the organisation brings itself stands here, in whatever category it put it.
  { key: 'custom-cdn', categories: ['custom-cdn', 'origin-server', ...MANAGED] },
  { key: 'dns', categories: ['dns'] },
  { key: 'smart-load-balancing', categories: ['smart-load-balancing'] },
  { key: 'origin-shield', categories: ['origin-shield'] },
  { key: 'support-package', categories: ['support-package'] },
  { key: 'stream', categories: ['stream'] },
  { key: 'other', categories: ['other'] },
]

/** Other names that addresses may have for a shelf: those of the areas of the console. */
const ALIASES: Readonly<Record<string, string>> = {
  analytics: 'other',
  dem: 'smart-load-balancing',
  monitor: 'smart-load-balancing',
  'multi-cdn': 'managed-cdn',
}
/** The shelf that an address names; `all` where it names none, undefined where it names one that is not there. */
export function shelfAt(category: string | undefined): (typeof SHELVES)[number] | 'all' | undefined {
  if (category === undefined) return 'all'
  const name = category.toLowerCase()
  return SHELVES.find(({ key }) => key === (Object.hasOwn(ALIASES, name) ? ALIASES[name] : name))
}

const standsOn = ({ type, category }: PowerUp, { key, categories }: (typeof SHELVES)[number]): boolean =>
  categories.includes(category) &&
  (type === 'custom' ? key === 'custom-cdn' : key !== 'custom-cdn' || !isManaged(category))
const isManaged = (category: PowerUpCategory): boolean => MANAGED.some((one) => one === category)

export type Place = { category?: string | undefined; childCategory?: string | undefined }

/** What stands where the address points to: without a shelf everything, nothing on one that is not there. */
export function onShelf(all: readonly PowerUp[], { category, childCategory }: Place): readonly PowerUp[] {
  const shelf = shelfAt(category)
  if (shelf === 'all') return all
  if (!shelf) return []
  return all.filter((one) => standsOn(one, shelf) && (childCategory === undefined || one.category === childCategory))
}

/** Shelves with something on them, counted; so are their parts where there are several. */
export function countShelves(
  all: readonly PowerUp[],
): { key: string; count: number; parts: { category: PowerUpCategory; count: number }[] }[] {
  return SHELVES.flatMap((shelf) => {
    const { key, categories } = shelf
    const here = all.filter((powerUp) => standsOn(powerUp, shelf))
    const parts = categories
      .map((category) => ({ category, count: here.filter((powerUp) => powerUp.category === category).length }))
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
