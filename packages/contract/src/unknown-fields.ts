import type { z } from 'zod'

/** What zod keeps of a schema; only the parts that hold other schemas are looked at. */
type Definition = {
  type: string
  shape?: Record<string, z.core.$ZodType>
  catchall?: z.core.$ZodType
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
  items?: readonly z.core.$ZodType[]
  rest?: z.core.$ZodType | null
  valueType?: z.core.$ZodType
  left?: z.core.$ZodType
  right?: z.core.$ZodType
  in?: z.core.$ZodType
  out?: z.core.$ZodType
}
type Fields = Record<string, unknown>

/**
 * Paths of the fields that a schema knows nothing of, such as `origin.prot`; of a list, with the place: `targets.0.x`.
 * Parsing leaves such fields out without a word, and whoever mistyped one would believe that it was set. The value must
 * have passed the schema.
 */
export function unknownFields(schema: z.core.$ZodType, value: unknown): string[] {
  return fieldsOf(schema, value, '')
}

function fieldsOf(schema: z.core.$ZodType, value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const of = schema._zod.def as Definition
  const inside = (one: z.core.$ZodType | undefined | null, inner: unknown = value, name?: string | number) =>
    one ? fieldsOf(one, inner, name === undefined ? at : pathOf(at, name)) : []
  switch (of.type) {
    case 'object':
      return Object.entries(value).flatMap(([name, inner]) => {
        const field = of.shape && Object.hasOwn(of.shape, name) ? of.shape[name] : of.catchall
        return field && field._zod.def.type !== 'never' ? inside(field, inner, name) : [pathOf(at, name)]
      })
    case 'array':
      return elements(value).flatMap((inner, index) => inside(of.element, inner, index))
    case 'tuple':
      return elements(value).flatMap((inner, index) => inside(of.items?.[index] ?? of.rest, inner, index))
    case 'record':
      return Object.entries(value as Fields).flatMap(([name, inner]) => inside(of.valueType, inner, name))
    case 'union':
      return fewest((of.options ?? []).filter((one) => passes(one, value)).map((one) => inside(one)))
    case 'intersection': {
      const right = new Set(inside(of.right))
      return inside(of.left).filter((path) => right.has(path))
    }
    case 'pipe':
      // What is transformed first has the form of what comes out.
      return inside(of.in?._zod.def.type === 'transform' ? of.out : of.in)
    default:
      return inside(of.innerType)
  }
}

const pathOf = (at: string, name: string | number): string => (at ? `${at}.${name}` : String(name))
const elements = (value: object): unknown[] => (Array.isArray(value) ? value : [])
const passes = (schema: z.core.$ZodType, value: unknown): boolean =>
  'safeParse' in schema && (schema as z.ZodType).safeParse(value).success
/** Of what a value may be taken for, the kindest reading. */
const fewest = (readings: string[][]): string[] =>
  readings.reduce<string[] | null>((best, one) => (best === null || one.length < best.length ? one : best), null) ?? []
