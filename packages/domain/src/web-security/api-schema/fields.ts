import { decoded } from '../target.ts'
import { typeOfSegment, typeOfText, type ValueType } from './value-types.ts'

/** One value of a request, by its name and form: never the value itself. */
export type Field = {
  name: string
  type: ValueType
  /** Bytes of a text, digits of a number, elements of a list. */ length: number
}
/** `invalid`: nobody can read it so. `too-complex`: deeper, wider or longer than is looked at. */
export type Fields = { fields: Field[]; problem: '' | 'invalid' | 'too-complex' }

const MOST_FIELDS = 200
const LONGEST_NAME = 64
const LONGEST_PATH = 200
/** Stands for names that are values themselves: ids, times, whole texts. */
export const ANY_NAME = '{key}'

/** Each name once for each type that it has, with the greatest length. */
export type Gathered = Fields & { index: Record<string, number | undefined> }
export const gathered = (): Gathered => ({ fields: [], problem: '', index: {} })

export function gather(into: Gathered, name: string, type: ValueType, length: number): void {
  if (into.problem !== '') return
  const key = `${type} ${name}`
  const at = into.index[key]
  const known = at === undefined ? undefined : into.fields[at]
  if (known !== undefined) {
    if (length > known.length) known.length = length
    return
  }
  if (into.fields.length >= MOST_FIELDS || name.length > LONGEST_PATH) {
    into.problem = 'too-complex'
    return
  }
  into.index[key] = into.fields.length
  into.fields.push({ name, type, length })
}

/** A name as it is learned and asked for. What is no name may hold what somebody has typed, and is not kept. */
export function fieldName(name: string): string {
  if (name === '' || name.length > LONGEST_NAME || typeOfSegment(name) !== '') return ANY_NAME
  for (let i = 0; i < name.length; i++) if (!isOfName(name.charCodeAt(i))) return ANY_NAME
  return name
}

/** Letters, digits, `_ - . [ ] : $ @`, and every byte beyond ASCII. */
function isOfName(code: number): boolean {
  if (code >= 128 || (code >= 48 && code <= 58) || (code >= 64 && code <= 91)) return true
  return (code >= 97 && code <= 122) || code === 95 || code === 93 || code === 45 || code === 46 || code === 36
}

const MOST_PAIRS = 200

/** Of `name=value&…`, as queries and forms are written. */
export function pairFields(text: string): Fields {
  const into = gathered()
  if (text === '') return into
  const pairs = text.split('&')
  if (pairs.length > MOST_PAIRS) return { fields: [], problem: 'too-complex' }
  for (const pair of pairs) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals), true)
    const value = equals < 0 ? '' : decoded(pair.slice(equals + 1), true)
    gather(into, fieldName(name), typeOfText(value), value.length)
  }
  return { fields: into.fields, problem: into.problem }
}
