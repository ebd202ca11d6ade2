import type { Teammate } from '@fairway/contract'

/** How people call somebody: by name, or by address until there is one. */
export function nameOf({ firstName, lastName, email }: Pick<Teammate, 'firstName' | 'lastName' | 'email'>): string {
  return `${firstName} ${lastName}`.trim() || email
}
