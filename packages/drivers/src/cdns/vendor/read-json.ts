import type { z } from 'zod'
import { jsonText } from '../credential-check.ts'
import type { ReadRefusal, VendorAnswer } from './ask-vendor.ts'

/**
 * A vendor's answer in the form that we need of it. @throws Error that names what is missing, without the answer itself
 */
export function readJson<T extends z.ZodType>({ text }: VendorAnswer, form: T, vendor: string): z.output<T> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${vendor} answered something that is no JSON`)
  }
  const parsed = form.safeParse(value)
  if (!parsed.success)
    throw new Error(
      `${vendor} answered in another form: ${parsed.error.issues
        .map((issue) => `${issue.path.join('.')} ${issue.message}`)
        .slice(0, 3)
        .join(', ')}`,
    )
  return parsed.data
}

/** A refusal as most vendors write it: code and words, each at one of the places where they may stand. */
export function refusalAt(codes: (string | number)[][], words: (string | number)[][]): ReadRefusal {
  const first = (text: string, places: (string | number)[][]) =>
    places.map((place) => jsonText(text, ...place)).find((found) => found !== null) ?? null
  return ({ status, text }) => (status < 400 ? null : { code: first(text, codes) ?? '', words: first(text, words) })
}
