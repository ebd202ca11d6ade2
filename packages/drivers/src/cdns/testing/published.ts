import fs from 'node:fs'
import path from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'

/**
 * Requests that a vendor publishes: by method and path, or by the name of the action. `open` takes any body, since its
 * form is checked elsewhere.
 */
export type Published = {
  source: string
  licence: string
  operations: Record<string, { query?: object; body?: object | null; form?: boolean }>
}

export type Operation = { name: string; params: string[] }

export const publishedRequests = (vendor: string): Published =>
  JSON.parse(
    fs.readFileSync(path.join(import.meta.dirname, `../${vendor}/${vendor}-requests.json`), 'utf8'),
  ) as Published

/**
 * Compares requests with what the vendor publishes. Forms and queries carry text only, so numbers and switches are read
 * from it.
 */
export class RequestCheck {
  readonly #published: Published
  readonly #strict = new Ajv({ strict: false, validateFormats: false })
  readonly #fromText = new Ajv({ strict: false, validateFormats: false, coerceTypes: 'array' })
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(published: Published) {
    this.#published = published
  }

  operationOf(method: string, pathname: string): Operation | null {
    for (const name of Object.keys(this.#published.operations)) {
      const [verb = '', template = ''] = name.split(' ')
      const match =
        verb === method
          ? new RegExp(`^${template.replaceAll(/\{\w+_url\}/g, '(.+)').replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(
              pathname,
            )
          : null
      if (match) return { name, params: match.slice(1).map(decodeURIComponent) }
    }
    return null
  }

  /** What is wrong with a request, in words; null when the vendor's publication allows it. */
  problemOf(operation: string, query: URLSearchParams, text: string): string | null {
    const published = this.#published.operations[operation]
    if (!published) return `there is no ${operation}`
    const asked = this.#judge(
      `${operation} query`,
      published.query ?? { type: 'object', additionalProperties: false },
      valuesOf(query),
      true,
    )
    if (asked) return `query: ${asked}`
    if (!published.body) return text === '' ? null : 'takes no body'
    try {
      return this.#judge(
        `${operation} body`,
        published.body,
        published.form ? valuesOf(new URLSearchParams(text)) : JSON.parse(text),
        published.form === true,
      )
    } catch {
      return 'the body is no JSON'
    }
  }

  #judge(key: string, schema: object, value: unknown, fromText: boolean): string | null {
    const ajv = fromText ? this.#fromText : this.#strict
    const validate = this.#validators.get(key) ?? ajv.compile(schema)
    this.#validators.set(key, validate)
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }
}

function valuesOf(params: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => [
      name,
      params.getAll(name).length > 1 ? params.getAll(name) : params.get(name),
    ]),
  )
}
