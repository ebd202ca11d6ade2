import { ApiRuleInput } from '@fairway/contract'
import type { ApiRule } from '@fairway/contract'
import { isStaticPath } from '@fairway/domain'

/** A rule as it is being written. An empty key leaves the one that is there. */
export type RuleDraft = Omit<ApiRuleInput, 'key'> & { key: string }

export function draftOf(rule: ApiRule | null): RuleDraft {
  return {
    name: rule?.name ?? '',
    enabled: rule?.enabled ?? true,
    path: rule?.path ?? '/api/*',
    key: '',
    tokenSeconds: rule?.tokenSeconds ?? 3600,
    parameter: rule?.parameter ?? 'token',
    rateLimitQueries: rule?.rateLimitQueries ?? 600,
    rateLimitBlockSeconds: rule?.rateLimitBlockSeconds ?? 60,
    // Until its script runs on the customer's server, nobody has a token.
    mode: rule?.mode ?? 'simulate',
    language: rule?.language ?? 'python',
  }
}

/** The draft as *before and after* takes it; null while it cannot be tried. It may have no name yet. */
export function triedDraft(id: string | null, { key, ...draft }: RuleDraft) {
  const named = { ...draft, name: draft.name.trim() === '' ? draft.path : draft.name }
  const checked = ApiRuleInput.safeParse({ ...named, ...(key === '' ? {} : { key }) })
  if (!checked.success || (id === null && key === '')) return null
  return { part: 'api-protection' as const, id, rule: checked.data }
}

/** What is wrong with a draft, by field. A new rule needs a key. */
export function problemsOf(draft: RuleDraft, isNew: boolean): Partial<Record<keyof RuleDraft, string>> {
  const { key, ...rest } = draft
  const checked = ApiRuleInput.safeParse({ ...rest, ...(isNew || key !== '' ? { key } : {}) })
  const found: Record<string, string> = {}
  for (const { path, message } of checked.error?.issues ?? []) found[String(path[0])] ??= message
  if (draft.name.trim() === '') found['name'] = 'validation.required'
  if (found['path'] === undefined && isStaticPath(draft.path)) found['path'] = 'validation.apiPathStatic'
  return found
}

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

/** 40 letters and digits that nobody guesses. */
export function newKey(): string {
  const random = crypto.getRandomValues(new Uint32Array(40))
  return [...random].map((number) => ALPHABET[number % ALPHABET.length] ?? '').join('')
}
