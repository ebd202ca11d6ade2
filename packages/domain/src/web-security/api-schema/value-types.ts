/** What a value looks like. In JSON `integer`, `number` and `boolean` are its own; of a text they are how it is written. */
export type ValueType =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'uuid'
  | 'date'
  | 'date-time'
  | 'text'
  | 'null'
  | 'object'
  | 'array'
  /** Of a form in parts. */
  | 'file'

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isHex = (code: number): boolean => isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)

/** Of a text, by its form alone. */
export function typeOfText(text: string): ValueType {
  if (text === '') return 'null'
  if (text === 'true' || text === 'false') return 'boolean'
  const formed = typeOfFormed(text)
  return formed === '' ? numberType(text) : formed
}

/** Of a text in JSON: one of digits is a text there. */
export function typeOfJsonText(text: string): ValueType {
  const formed = typeOfFormed(text)
  return formed === '' ? 'text' : formed
}

function typeOfFormed(text: string): ValueType | '' {
  // Not taken apart: the compiler for nginx knows a text's length by its name only.
  const length = text.length
  if (length === 36 && fits(text, '********-****-****-****-************')) return 'uuid'
  if (length === 10 && fits(text, '####-##-##')) return 'date'
  if (length >= 19 && length <= 35 && fits(text.slice(0, 10), '####-##-##') && fits(text.slice(11, 19), '##:##:##'))
    return 'date-time'
  return ''
}

/** `#` is a digit, `*` a hexadecimal one; what else stands in the form stands for itself. */
function fits(text: string, form: string): boolean {
  for (let i = 0; i < form.length; i++) {
    const wanted = form.charCodeAt(i)
    const code = text.charCodeAt(i)
    if (wanted === 35) {
      if (!isDigit(code)) return false
    } else if (wanted === 42) {
      if (!isHex(code)) return false
    } else if (wanted !== code) return false
  }
  return true
}

function numberType(text: string): ValueType {
  let digits = 0
  let dots = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isDigit(code)) digits += 1
    else if (code === 46 && digits > 0) dots += 1
    else if (!(code === 45 && i === 0)) return 'text'
  }
  // Longer ones are read as texts by who keeps them, such as numbers of cards.
  if (digits === 0 || digits > 15 || dots > 1 || text.charCodeAt(text.length - 1) === 46) return 'text'
  return dots === 0 ? 'integer' : 'number'
}

/** What a part of a path, or a name, is when it is no word: a value that stands where others stand. */
export function typeOfSegment(text: string): '' | 'integer' | 'uuid' | 'date' | 'id' {
  const type = typeOfText(text)
  if (type === 'integer' || type === 'uuid' || type === 'date') return type
  return isRandom(text) ? 'id' : ''
}

/** Letters and digits mixed as only a machine mixes them, or more of them than a word has. */
function isRandom(text: string): boolean {
  let digits = 0
  let upper = 0
  let lower = 0
  let turns = 0
  let allHex = true
  let before = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const kind = isDigit(code) ? 1 : 2
    if (isDigit(code)) digits += 1
    else if (code >= 65 && code <= 90) upper += 1
    else if (code >= 97 && code <= 122) lower += 1
    else if (code !== 45 && code !== 95) return false
    if (!isHex(code)) allHex = false
    if (i > 0 && kind !== before) turns += 1
    before = kind
  }
  if (text.length >= 12 && allHex && digits > 1) return true
  if (text.length >= 16 && digits > 2 && turns > 3) return true
  return text.length >= 8 && digits > 0 && upper > 0 && lower > 0 && turns > 2
}
