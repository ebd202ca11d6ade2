import type { NotificationEvent, NotificationEvents } from '../events.ts'

/** What a person reads. `cause` is what is known of why; `ended` is the title once it is over. */
export type NotificationWords = { title: string; text: string; cause?: string; ended?: string }

/** One language's words for every event; a missing one does not compile. */
export type EventWords = { [E in NotificationEvent]: (fields: NotificationEvents[E]) => NotificationWords }

/** What a program said, and not one of our names of a problem. */
export const isSentence = (problem: string): boolean => !/^[a-z]+(?:-[a-z]+)+$/.test(problem)
