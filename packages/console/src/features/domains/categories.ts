import type { DomainOfSite } from '@fairway/contract'

export const CATEGORIES = ['status', 'site', 'cdn', 'tag'] as const
export type Category = (typeof CATEGORIES)[number]
export type Choice = Partial<Record<Category, readonly string[] | undefined>>

const VALUES: Record<Category, (domain: DomainOfSite) => readonly string[]> = {
  status: ({ cdnStatus }) => [cdnStatus],
  site: ({ siteName }) => [siteName],
  cdn: ({ cdnIds }) => cdnIds,
  tag: ({ settings }) => settings.tags,
}

/** Domains that fit the words and every category; values of one category are alternatives. */
export function filterDomains(domains: readonly DomainOfSite[], search: string, choice: Choice): DomainOfSite[] {
  const words = search.trim().toLowerCase()
  return domains.filter(
    (domain) =>
      (words === '' ||
        `${domain.name} ${domain.origin.address} ${domain.settings.tags.join(' ')}`.toLowerCase().includes(words)) &&
      CATEGORIES.every((category) => fits(domain, category, choice)),
  )
}

const fits = (domain: DomainOfSite, category: Category, choice: Choice): boolean => {
  const wanted = choice[category]
  return wanted === undefined || wanted.length === 0 || VALUES[category](domain).some((value) => wanted.includes(value))
}

/** Values of a category with how many domains each would show, given the choices in the others; most first. */
export function countValues(
  domains: readonly DomainOfSite[],
  category: Category,
  search: string,
  choice: Choice,
): { value: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const domain of domains) for (const value of VALUES[category](domain)) counts.set(value, counts.get(value) ?? 0)
  for (const domain of filterDomains(domains, search, { ...choice, [category]: undefined }))
    for (const value of VALUES[category](domain)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value))
}
