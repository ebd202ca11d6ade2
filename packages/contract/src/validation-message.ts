/** A problem that zod found, with the value it found it in (`reportInput`). */
export type FoundIssue = {
  code?: string | undefined
  message?: string | undefined
  format?: unknown
  minimum?: unknown
  maximum?: unknown
  exact?: unknown
  origin?: unknown
  expected?: unknown
  input?: unknown
}

const FORMATS = new Set(['email', 'ipv4', 'ipv6', 'cidrv4', 'cidrv6', 'url', 'base64', 'regex'])

/**
 * The rule that a value breaks, as the key of its text with the bound it names: `validation.required`,
 * `validation.max:80`. The API answers it, and forms show its words.
 */
export function validationMessage(issue: FoundIssue): string {
  // What the contract says itself is a key already.
  if (issue.message?.startsWith('validation.')) return issue.message
  if (issue.input === undefined || issue.input === null || issue.input === '') return 'validation.required'
  switch (issue.code) {
    case 'too_small':
      return bound(issue, 'min', issue.minimum)
    case 'too_big':
      return bound(issue, 'max', issue.maximum)
    case 'invalid_format':
      return typeof issue.format === 'string' && FORMATS.has(issue.format)
        ? `validation.${issue.format}`
        : 'validation.invalid'
    case 'invalid_type':
      return issue.expected === 'int'
        ? 'validation.integer'
        : issue.expected === 'number'
          ? 'validation.isNumbers'
          : 'validation.invalid'
    default:
      return 'validation.invalid'
  }
}

function bound({ origin, exact }: FoundIssue, rule: 'min' | 'max', value: unknown): string {
  if (origin === 'array') return rule === 'min' ? 'validation.required' : `validation.atMostEntries:${value}`
  if (origin !== 'string') return `validation.${rule}_value:${value}`
  return `validation.${exact === true ? 'length' : rule}:${value}`
}
