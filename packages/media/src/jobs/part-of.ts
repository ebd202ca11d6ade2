const ATTEMPTS_OF_EDITION = 100

/** Every attempt has a folder of its own: what an edge has kept of one that was cut off is never mixed with another. */
export const partOf = ({ name, attempt }: { name: string; attempt: number }): string => `${name}-${attempt}`

/** Attempts at one file of a video are numbered above those at the one before. */
export const firstAttempt = (edition: number): number => edition * ATTEMPTS_OF_EDITION
const attemptsAt = ({ attempt }: { attempt: number }): number => attempt % ATTEMPTS_OF_EDITION

/** All folders that attempts so far may have left. */
export const partsOf = ({ name, attempt }: { name: string; attempt: number }): string[] =>
  Array.from({ length: attemptsAt({ attempt }) }, (_, index) => partOf({ name, attempt: attempt - index }))

/** Of a picture that was chosen. */
export const thumbnailFolder = (number: number): string => `poster-${number}`
