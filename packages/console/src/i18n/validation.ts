import type { TFunction } from 'i18next'

type Issue = { code?: string | undefined; format?: unknown; minimum?: unknown; maximum?: unknown; origin?: unknown; expected?: unknown; input?: unknown }

/** What zod says as a key of the catalogs instead of English: `validation.atMost:86400`. Messages that the contract gives itself are keys already. */
export function messageKey(issue: Issue): string {
  if (issue.input === undefined || issue.input === null || issue.input === '') return 'validation.required'
  switch (issue.code) {
    case 'too_small': return issue.origin === 'string' ? `validation.atLeastCharacters:${issue.minimum}` : issue.origin === 'array' ? 'validation.required' : `validation.atLeast:${issue.minimum}`
    case 'too_big': return issue.origin === 'string' ? `validation.atMostCharacters:${issue.maximum}` : issue.origin === 'array' ? `validation.atMostEntries:${issue.maximum}` : `validation.atMost:${issue.maximum}`
    case 'invalid_format': return typeof issue.format === 'string' && FORMATS.has(issue.format) ? `validation.${issue.format}` : 'validation.invalid'
    case 'invalid_type': return issue.expected === 'int' ? 'validation.integer' : issue.expected === 'number' ? 'validation.number' : 'validation.invalid'
    default: return 'validation.invalid'
  }
}

const FORMATS = new Set(['email', 'ipv4', 'ipv6', 'cidrv4', 'cidrv6', 'url'])

/** The sentence for a message key of a schema, the domain or the API's `fields`, or for `code:<error code>`; null when there is none. */
export function validationText(t: TFunction, message: string | undefined): string | null {
  if (message === undefined || message === '') return null
  const [, code] = /^code:(\d+)$/.exec(message) ?? []
  if (code !== undefined) return t(`errors:errorMessage.${code}`, { defaultValue: t('validation:invalid') })
  const [, key, value] = /^validation\.(\w+)(?::(.*))?$/.exec(message) ?? []
  return key === undefined ? t('validation:invalid') : t(`validation:${key}`, { value, defaultValue: t('validation:invalid') })
}
