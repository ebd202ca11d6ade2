import fs from 'node:fs'
import path from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'

type Published = { operations: Record<string, { query: { name: string; schema: object }[]; body: object }> }
const published = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, '../stripe/stripe-requests.json'), 'utf8'),
) as Published
// Forms carry text only, so numbers and switches are read from it as Stripe does.
const ajv = new Ajv({ strict: false, coerceTypes: true, validateFormats: false })
const validators = new Map<string, ValidateFunction>()

/** The operation that a request is, by Stripe's published specification; null when there is none of that path. */
export function operationOf(method: string, pathname: string): { name: string; params: string[] } | null {
  for (const name of Object.keys(published.operations)) {
    const [verb = '', template = ''] = name.split(' ')
    const match = verb === method ? new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname) : null
    if (match) return { name, params: match.slice(1) }
  }
  return null
}

/** What is wrong with a request's form by the published schema; null when nothing is. */
export function formProblem(operation: string, form: URLSearchParams): string | null {
  const { query, body } = published.operations[operation] ?? { query: [], body: {} }
  const schema = operation.startsWith('GET')
    ? {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(query.map((one) => [one.name, one.schema])),
      }
    : body
  const validate = validators.get(operation) ?? ajv.compile(schema)
  validators.set(operation, validate)
  return validate(nested(form)) ? null : ajv.errorsText(validate.errors)
}

/** `a[b][0]=x` is `{ a: { b: ['x'] } }`. */
export function nested(form: URLSearchParams): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [key, value] of form) {
    const steps = key.split(/[[\]]+/).filter(Boolean)
    let at = root
    for (const step of steps.slice(0, -1)) at = (at[step] ??= {}) as Record<string, unknown>
    at[steps.at(-1) ?? ''] = value
  }
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, listed(value)]))
}

function listed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const)
  return entries.every(([key]) => /^\d+$/.test(key)) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
