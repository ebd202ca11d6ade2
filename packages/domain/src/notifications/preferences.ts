import {
  NOTIFICATION_LEVELS,
  NOTIFICATION_TYPES,
  type MailLevel,
  type NotificationLevel,
  type NotificationPreference,
  type NotificationType,
} from '@fairway/contract'

/** As long as nobody has said otherwise: everything in the console, what needs somebody also by mail. */
export const DEFAULT_PREFERENCE = { inApp: true, mail: 'warning' } as const satisfies {
  inApp: boolean
  mail: MailLevel
}

/** Whether a level is urgent enough for somebody's mail. */
export const comesByMail = (level: NotificationLevel, least: MailLevel): boolean =>
  least !== 'off' && NOTIFICATION_LEVELS.indexOf(level) <= NOTIFICATION_LEVELS.indexOf(least)

/** Every type with what was chosen for it. */
export function allPreferences(
  chosen: ReadonlyMap<NotificationType, Pick<NotificationPreference, 'inApp' | 'mail'>>,
  unhooked: ReadonlySet<NotificationType>,
): NotificationPreference[] {
  return NOTIFICATION_TYPES.map((type) => ({
    type,
    ...(chosen.get(type) ?? DEFAULT_PREFERENCE),
    webhook: !unhooked.has(type),
  }))
}
