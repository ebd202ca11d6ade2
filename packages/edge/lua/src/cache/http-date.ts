const MONTHS: Record<string, number | undefined> = {
  jan: 0,
  feb: 1,
  mar: 2,
  apr: 3,
  may: 4,
  jun: 5,
  jul: 6,
  aug: 7,
  sep: 8,
  oct: 9,
  nov: 10,
  dec: 11,
}
const BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

// A website says the same few dates again and again; reading one is a loop, which ends the compiled way of a request.
let read: Record<string, number | undefined> = {}
let readCount = 0
const READ_MAX = 1_000
/** `Sun, 06 Nov 1994 08:49:37 GMT`: what does not depend on the century we are in. */
const FIXED_LENGTH = 29

/**
 * Epoch seconds of an HTTP-date in any of its three forms (RFC 9110 5.6.7); undefined for anything else. nginx's own
 * reader does not look at the zone. `now` decides the century of the form with two digits.
 */
export function httpDate(text: string, now: number): number | undefined {
  const known = read[text]
  if (known !== undefined) return known
  const date = dateOf(text, now)
  if (date !== undefined && text.length === FIXED_LENGTH) keep(text, date)
  return date
}

function keep(text: string, date: number): void {
  if (readCount >= READ_MAX) {
    read = {}
    readCount = 0
  }
  readCount += 1
  read[text] = date
}

function dateOf(text: string, now: number): number | undefined {
  const comma = text.indexOf(',')
  if (comma < 0) return asctime(text)
  const rest = text.slice(comma + 2)
  if (text.charAt(comma + 1) !== ' ' || !rest.toLowerCase().endsWith(' gmt')) return undefined
  const date = rest.slice(0, rest.length - 4)
  // Sun, 06 Nov 1994 08:49:37 GMT
  if (comma === 3 && date.length === 20 && date.charAt(2) === ' ' && date.charAt(6) === ' ' && date.charAt(11) === ' ')
    return seconds(date.slice(7, 11), date.slice(3, 6), date.slice(0, 2), date.slice(12))
  // Sunday, 06-Nov-94 08:49:37 GMT
  if (comma < 6 || date.length !== 18 || date.charAt(2) !== '-' || date.charAt(6) !== '-' || date.charAt(9) !== ' ')
    return undefined
  const [month, day, time] = [date.slice(3, 6), date.slice(0, 2), date.slice(10)]
  const found = seconds(`20${date.slice(7, 9)}`, month, day, time)
  // More than fifty years ahead is meant to be past.
  return found !== undefined && found > now + 50 * YEAR ? seconds(`19${date.slice(7, 9)}`, month, day, time) : found
}

const YEAR = 31_557_600

/** `Sun Nov  6 08:49:37 1994` */
function asctime(text: string): number | undefined {
  if (text.length !== 24 || text.charAt(3) !== ' ' || text.charAt(7) !== ' ' || text.charAt(10) !== ' ')
    return undefined
  if (text.charAt(19) !== ' ') return undefined
  const day = text.charAt(8) === ' ' ? `0${text.charAt(9)}` : text.slice(8, 10)
  return seconds(text.slice(20), text.slice(4, 7), day, text.slice(11, 19))
}

function seconds(yearText: string, monthText: string, dayText: string, time: string): number | undefined {
  const [year, month, day] = [digits(yearText), MONTHS[monthText.toLowerCase()], digits(dayText)]
  if (time.length !== 8 || time.charAt(2) !== ':' || time.charAt(5) !== ':') return undefined
  const [hour, minute, second] = [digits(time.slice(0, 2)), digits(time.slice(3, 5)), digits(time.slice(6))]
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (hour === undefined || minute === undefined || second === undefined) return undefined
  if (year < 1900 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined
  const leap = month > 1 ? year : year - 1
  const days =
    (year - 1970) * 365 +
    (Math.floor(leap / 4) - Math.floor(leap / 100) + Math.floor(leap / 400) - 477) +
    (BEFORE_MONTH[month] ?? 0) +
    day -
    1
  return ((days * 24 + hour) * 60 + minute) * 60 + second
}

function digits(text: string): number | undefined {
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return undefined
    value = value * 10 + digit
  }
  return text === '' ? undefined : value
}
