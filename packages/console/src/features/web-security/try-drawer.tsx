import { webSecurity } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { NEW_REQUEST, type RequestDraft, requestOf } from './request-draft.ts'
import { RequestFields } from './request-fields.tsx'
import classes from './try.module.css'
import { VerdictView } from './verdict-view.tsx'

const TYPING_MS = 300

/** A request goes in; out come the verdict of the rules that are saved, and the way there. */
export function TryDrawer({ opened, onClose, place }: { opened: boolean; onClose: () => void; place: Place }) {
  const { t } = useTranslation('web-security')
  const [draft, setDraft] = useState<RequestDraft>(NEW_REQUEST)
  return (
    <SideDrawer opened={opened} onClose={onClose} title={t('try.title')} size={720}>
      <div className={classes.fields}>
        <p className={classes.why}>{t('try.meaning')}</p>
        <RequestFields place={place} value={draft} onChange={setDraft} />
        <Outcome place={place} draft={draft} />
      </div>
    </SideDrawer>
  )
}

function Outcome({ place, draft }: { place: Place; draft: RequestDraft }) {
  const { t } = useTranslation('web-security')
  const words = usePlaceWords()
  const [settled] = useDebouncedValue(draft, TYPING_MS)
  const request = requestOf(settled)
  const { data, error, refetch, isPlaceholderData } = useRead(
    webSecurity.routes.try,
    { ...place, ...(request ?? { address: '' }) },
    { enabled: request !== undefined },
  )
  if (!request) return <p className={classes.quiet}>{t('try.incomplete')}</p>
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={220} radius="md" />
  return (
    <section className={isPlaceholderData ? classes.stale : undefined} aria-label={t('try.outcome')} aria-live="polite">
      {!data.enabled && <Notice tone="warn" title={t('bypassTitle')} />}
      <p className={classes.quiet}>{t('try.from', { place: words.location(data.location) })}</p>
      <VerdictView tried={data} />
    </section>
  )
}
