import { webSecurity } from '@fairway/contract'
import type { RouteInput, TriedVerdict } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { NEW_REQUEST, type RequestDraft, requestOf } from './request-draft.ts'
import { RequestFields } from './request-fields.tsx'
import classes from './try.module.css'
import { HeaderLines, OriginLines, VerdictPill } from './verdict-view.tsx'

const TYPING_MS = 300

type Draft = RouteInput<typeof webSecurity.routes.try>['draft']
type DraftEffectProps = {
  place: Place
  /** Null while it cannot be tried. */
  draft: Exclude<Draft, undefined> | null
}

/** Before and after for one request, with the change that is being written, before it is saved. */
export function DraftEffect({ place, draft }: DraftEffectProps) {
  const { t } = useTranslation('web-security')
  const [request, setRequest] = useState<RequestDraft>(NEW_REQUEST)
  return (
    <div className={classes.sticky}>
      <Card title={t('effect.title')} hint={t('effect.hint')}>
        <div className={classes.effect}>
          <RequestFields place={place} value={request} onChange={setRequest} short />
          <Compared place={place} draft={draft} request={request} />
        </div>
      </Card>
    </div>
  )
}

function Compared({ place, draft, request }: DraftEffectProps & { request: RequestDraft }) {
  const { t } = useTranslation('web-security')
  const [settled] = useDebouncedValue({ request, draft }, TYPING_MS)
  const asked = requestOf(settled.request)
  const isComplete = asked !== undefined && settled.draft !== null
  const { data, error, refetch, isPlaceholderData } = useRead(
    webSecurity.routes.try,
    { ...place, ...(asked ?? { address: '' }), ...(settled.draft ? { draft: settled.draft } : {}) },
    { enabled: isComplete },
  )
  if (!isComplete) return <p className={classes.quiet}>{t('effect.incomplete')}</p>
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data?.withDraft) return <Skeleton height={160} radius="md" />
  return (
    <div className={`${classes.effect} ${isPlaceholderData ? (classes.stale ?? '') : ''}`} aria-live="polite">
      <dl className={classes.pair}>
        <dt>{t('effect.before')}</dt>
        <dd>
          <VerdictPill verdict={data.verdict} />
        </dd>
        <dt>{t('effect.after')}</dt>
        <dd>
          <VerdictPill verdict={data.withDraft.verdict} />
        </dd>
      </dl>
      {isSame(data, data.withDraft) ? (
        <p className={classes.quiet}>{t('effect.same')}</p>
      ) : (
        <Side tried={data.withDraft} before={data} />
      )}
    </div>
  )
}

const isSame = (a: TriedVerdict, b: TriedVerdict): boolean =>
  JSON.stringify([a.verdict.action, a.verdict.reason, a.verdict.headers, a.origin]) ===
  JSON.stringify([b.verdict.action, b.verdict.reason, b.verdict.headers, b.origin])

/** What differs, after the change; headers and origin also as they were. */
function Side({ tried, before }: { tried: TriedVerdict; before: TriedVerdict }) {
  const { t } = useTranslation('web-security')
  const { verdict, origin } = tried
  const headersDiffer = JSON.stringify(verdict.headers) !== JSON.stringify(before.verdict.headers)
  const originDiffers = JSON.stringify(origin) !== JSON.stringify(before.origin)
  return (
    <>
      {verdict.reason !== before.verdict.reason && verdict.part !== null && (
        <p className={classes.why}>
          {[t(`part.${verdict.part}`), t(`reason.${verdict.reason}`, { defaultValue: verdict.reason })].join(' · ')}
        </p>
      )}
      {headersDiffer && (
        <>
          <p className={classes.title}>{t('effect.headersBefore')}</p>
          {before.verdict.headers.length > 0 ? (
            <HeaderLines verdict={before.verdict} />
          ) : (
            <p className={classes.quiet}>{t('effect.noHeaders')}</p>
          )}
          <p className={classes.title}>{t('effect.headersAfter')}</p>
          {verdict.headers.length > 0 ? (
            <HeaderLines verdict={verdict} />
          ) : (
            <p className={classes.quiet}>{t('effect.noHeaders')}</p>
          )}
        </>
      )}
      {originDiffers && (
        <>
          <p className={classes.title}>{t('effect.originBefore')}</p>
          <OriginLines origin={before.origin} />
          <p className={classes.title}>{t('effect.originAfter')}</p>
          <OriginLines origin={origin} />
        </>
      )}
    </>
  )
}
