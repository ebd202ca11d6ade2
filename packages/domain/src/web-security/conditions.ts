import { addressKey } from './address-key.ts'
import type { Ask } from './ask.ts'
import { lowerAscii, plainNumber } from './bytes.ts'
import type { Test } from './compiled.ts'
import { findBlock } from './find-block.ts'
import { isFound } from './pattern.ts'

/**
 * Whether a request is what the test asks for. Of a field that is there several times any may fit; one that is not
 * there fits nothing. A negated condition holds exactly where it would not otherwise.
 */
export function holds(test: Test, ask: Ask): boolean {
  if (test.kind === 'always') return true
  if (test.kind === 'all') {
    for (const one of test.of) if (!holds(one, ask)) return false
    return true
  }
  if (test.kind === 'any') {
    for (const one of test.of) if (holds(one, ask)) return true
    return false
  }
  return fitsAny(test, ask(test.field, test.name)) !== test.negate
}

function fitsAny(test: Test, said: string | string[] | undefined): boolean {
  if (said === undefined) return false
  if (typeof said === 'string') return fits(test, said)
  for (const text of said) if (fits(test, text)) return true
  return false
}

function fits(test: Test, said: string): boolean {
  if (test.kind === 'exists') return true
  if (test.kind === 'number') return compares(test, said)
  if (test.kind === 'pattern') return isFound(test.pattern, said)
  if (test.kind === 'blocks') {
    const key = addressKey(said)
    return key !== '' && findBlock(test.blocks, key) >= 0
  }
  const text = test.ignoreCase ? lowerAscii(said) : said
  if (test.kind === 'texts') return test.texts[`=${text}`] === true
  if (test.where === 'start') return text.startsWith(test.part)
  return test.where === 'end' ? text.endsWith(test.part) : text.includes(test.part)
}

function compares(test: Test, said: string): boolean {
  const number = plainNumber(said)
  if (number === undefined) return false
  if (test.compare === 'less') return number < test.number
  if (test.compare === 'at-most') return number <= test.number
  return test.compare === 'greater' ? number > test.number : number >= test.number
}
