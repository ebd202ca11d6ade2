import { NotificationLevel } from '@fairway/contract'

/** The level that a letter was written with; what is unknown is the mildest. */
export const levelOf = (text: string): NotificationLevel => NotificationLevel.safeParse(text).data ?? 'info'
