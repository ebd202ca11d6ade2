import type { DnsRecord } from '@fairway/contract'
import { recordHints } from '@fairway/domain'
import { useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../../ui/page/notice.tsx'
import { type RecordDraft, problemsOf } from './record-draft.ts'

/** What is allowed and probably not meant, once the draft is whole. */
export function DraftHint({ siteName, others }: { siteName: string; others: readonly DnsRecord[] }) {
  const { t } = useTranslation('dns-records')
  const { control, getValues } = useFormContext<RecordDraft>()
  useWatch({ control })
  const { input } = problemsOf(getValues(), siteName, others)
  const hint = input && recordHints([...others, input], siteName).get(others.length)
  return hint ? <Notice tone="warn">{t(`hint.${hint}`)}</Notice> : null
}
