import { z } from 'zod'

/** Words of the owner's by which things are found; nobody else sees them. */
export const Tag = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[\p{L}\p{N} ._-]+$/u, 'validation.tag')

export const tagList = (most: number) => z.array(Tag).max(most, `validation.atMostEntries:${most}`)
