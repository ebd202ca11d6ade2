import type { ShieldDimension, Threat } from '@fairway/contract'
import { crawlerName } from '@fairway/domain'
import { REDACTED_MARK } from './redacted.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'

/** How people read a value of a dimension; `name` is the server's, where it knows one. */
export function useShieldWords() {
  const { t } = useTranslation('analytics-origin-shield')
  const format = useFormat()
  const nameOf = useCallback(
    (by: ShieldDimension, value: string, name: string | null = null): string => {
      if (by === 'country') return value === '' ? t('unknownCountry') : format.country(value)
      if (by === 'action') return t(`action.${value}`, { defaultValue: value })
      if (by === 'part') return t(`part.${value}`, { defaultValue: value })
      if (by === 'reason') return t(`reason.${value}`, { defaultValue: value })
      if (name !== null) return name
      if (by === 'rule')
        return crawlerName(value) ?? t(`whole.${value}`, { defaultValue: t('gone', { id: value.slice(0, 8) }) })
      return t('gone', { id: value.slice(0, 8) })
    },
    [t, format],
  )
  /** Of a threat: the rule, or what a part as a whole found. */
  const ruleOf = useCallback(
    ({ ruleId, ruleName, reason }: Threat): string =>
      ruleName ??
      crawlerName(ruleId) ??
      t(`whole.${ruleId}`, { defaultValue: t(`reason.${reason}`, { defaultValue: reason }) }),
    [t],
  )
  /** A text of a request, with words where a secret was left out. */
  const shown = useCallback((text: string) => text.replaceAll(REDACTED_MARK, t('redacted')), [t])
  return { nameOf, ruleOf, shown }
}
