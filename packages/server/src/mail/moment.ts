/**
 * A moment (ISO 8601) as people of a language write it, in UTC since a letter does not know where it is read; any other
 * text as it is.
 */
export function moment(language: string, at: string): string {
  const time = Date.parse(at)
  return Number.isNaN(time) || !/^\d{4}-\d\d-\d\dT/.test(at)
    ? at
    : `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC', hourCycle: 'h23' }).format(time)} UTC`
}
