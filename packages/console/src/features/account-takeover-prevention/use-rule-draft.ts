import { isStaticPath } from '@fairway/domain'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { validationText } from '../../i18n/validation.ts'

type Named = { name: string; path: string }

/** A rule as it is being written. What is wrong with it is said by field, once saving was tried. */
export function useRuleDraft<Draft extends Named>(schema: z.ZodType<Draft>, start: Draft) {
  const { t } = useTranslation(['account-takeover-prevention', 'validation'])
  const [draft, setDraft] = useState(start)
  const [isShown, setShown] = useState(false)
  const [isDirty, setDirty] = useState(false)
  const problems = problemsOf(schema, draft)
  return {
    draft,
    isDirty,
    problems: isShown ? problems : {},
    wrong: (field: string) => (isShown ? validationText(t, problems[field]) : null),
    put: (change: Partial<Draft>) => {
      setDraft((before) => ({ ...before, ...change }))
      setDirty(true)
    },
    /** Whether it can be saved; says what is wrong from now on. */
    check: () => {
      setShown(true)
      return Object.keys(problems).length === 0
    },
  }
}

function problemsOf<Draft extends Named>(schema: z.ZodType<Draft>, draft: Draft): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { path, message } of schema.safeParse(draft).error?.issues ?? []) found[String(path[0])] ??= message
  if (draft.name.trim() === '') found['name'] = 'validation.required'
  if (found['path'] === undefined && isStaticPath(draft.path)) found['path'] = 'validation.apiPathStatic'
  return found
}
