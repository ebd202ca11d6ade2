/** Host and path of what is to be purged; of a wildcard's targets the host is part of each. */
export const placeOf = (host: string, target: string): string => (target.startsWith('/') ? `${host}${target}` : target)
