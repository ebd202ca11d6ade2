import { type SecurityQuotas, webSecurity } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './quota.module.css'

// Plans are looked at where a list is full, and by no other form.
const MoreAllowed = lazy(async () => ({ default: (await import('./more-allowed.tsx')).MoreAllowed }))

export type QuotaPart = keyof SecurityQuotas
const NEAR = 0.9
/** A list of entries is full, and one of rules. */
const LIMIT_CODES: ReadonlySet<number> = new Set([26902, 26904])

/** How full a list is; a full one says which plans allow more. */
export function QuotaLine({ place, part }: { place: Place; part: QuotaPart }) {
  const { t } = useTranslation('web-security')
  const format = useFormat()
  const { data, error } = useRead(webSecurity.routes.quotas, place)
  if (error && !data) return null
  if (!data) return <Skeleton height={20} width={140} />
  const { used, most } = data[part]
  const words = t('quota.used', { used: format.number(used), most: format.number(most) })
  if (used >= most)
    return (
      <Notice tone="warn" title={t('quota.full', { used: format.number(used), most: format.number(most) })}>
        <Suspense fallback={null}>
          <MoreAllowed part={part} most={most} />
        </Suspense>
      </Notice>
    )
  return <p className={classes.line}>{used >= most * NEAR ? <Pill tone="warn">{words}</Pill> : words}</p>
}

/** Why a rule or an entry was not saved; where the list is full, which plans allow more. */
export function RuleFailure({
  place,
  part,
  title,
  error,
}: {
  place: Place
  part: QuotaPart
  title: string
  error: unknown
}) {
  const isFull = error instanceof ApiError && LIMIT_CODES.has(error.code)
  const { data } = useRead(webSecurity.routes.quotas, place, { enabled: isFull })
  return (
    <>
      <FailureNotice title={title} error={error} />
      {isFull && data && (
        <Suspense fallback={null}>
          <MoreAllowed part={part} most={data[part].most} />
        </Suspense>
      )}
    </>
  )
}
