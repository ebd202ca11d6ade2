/**
 * What a builder answers: null withdraws the document, the stored version again, at the same step and as proven as it
 * was, means that nothing changed.
 */
export type Built = {
  version: number
  organizationId: string | null
  body: object
  step?: number
  proven?: boolean
} | null
