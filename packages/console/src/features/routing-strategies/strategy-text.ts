import type { z } from 'zod'
import type { FieldProblem } from '../../api/api-error.ts'

/** What was written as JSON, or where it is wrong. */
export function readWritten<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): { value: z.output<Schema> | null; problems: FieldProblem[] } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { value: null, problems: [{ path: '', message: 'json' }] }
  }
  const read = schema.safeParse(value)
  return read.success
    ? { value: read.data, problems: [] }
    : {
        value: null,
        problems: read.error.issues.flatMap((issue) =>
          issue.code === 'unrecognized_keys'
            ? issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'validation.unknownField' }))
            : [{ path: issue.path.join('.'), message: issue.message }],
        ),
      }
}
