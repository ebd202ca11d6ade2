import { FEATURES, type AnyRoute, type Feature } from '@fairway/contract'

export type NamedRoute = { name: string; route: AnyRoute; params: string[] }

/** Every route that is declared, as `feature.route`. */
export const everyRoute: NamedRoute[] = (
  Object.values(FEATURES) as unknown as Feature<Record<string, AnyRoute>>[]
).flatMap((feature) =>
  Object.entries(feature.routes).map(([name, route]) => ({
    name: `${feature.name}.${name}`,
    route,
    params: [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
  })),
)

export const isMutating = ({ method }: AnyRoute): boolean => method !== 'GET'
