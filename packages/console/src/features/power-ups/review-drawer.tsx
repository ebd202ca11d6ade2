import { type CdnReview, powerUps } from '@fairway/contract'
import { Button, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useRefreshing } from '../operator/use-refreshing.ts'
import classes from './power-ups.module.css'

/** What is asked, and the decision. */
export function ReviewDrawer({ review, onClose }: { review: CdnReview | undefined; onClose: () => void }) {
  const kept = useRef(review)
  if (review) kept.current = review
  return kept.current ? (
    <OneReview key={kept.current.id} review={kept.current} opened={review !== undefined} onClose={onClose} />
  ) : null
}

function OneReview({ review, opened, onClose }: { review: CdnReview; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['power-ups', 'validation'])
  const format = useFormat()
  const show = useSnackbar()
  const [reason, setReason] = useState('')
  const [lacksReason, setLacksReason] = useState(false)
  const decide = useRefreshing(
    powerUps.routes.decide,
    '/operator/v2/cdn-reviews/',
    ({ state, domain }) => {
      show('review', {
        message: t(state === 'approved' ? 'power-ups:reviews.approved' : 'power-ups:reviews.refused', { domain }),
      })
      setReason('')
      onClose()
    },
    { ownError: true },
  )
  const refuse = () => {
    setLacksReason(reason.trim() === '')
    if (reason.trim() !== '') decide.mutate({ review: review.id, decision: 'refuse', reason })
  }
  const isOpen = review.state !== 'approved'
  const when = (at: string, by: string | null) => `${format.dateTime(Date.parse(at))}${by ? ` · ${by}` : ''}`
  const facts: [string, string | null][] = [
    [t('power-ups:column.domain'), review.domain],
    [t('power-ups:column.name'), `${review.cdn} · ${t(`power-ups:category.${review.category}`)}`],
    [t('power-ups:reviews.organization'), review.organizationName],
    [t('power-ups:reviews.origin'), review.origin],
    [t('power-ups:icp'), review.icpNumber],
    [t('power-ups:reviews.requested'), when(review.requestedAt, review.requestedBy)],
    [t('power-ups:reviews.decided'), review.decidedAt && when(review.decidedAt, review.decidedBy)],
    [t('power-ups:reviews.reason'), review.reason],
  ]
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t('power-ups:reviews.open', { domain: review.domain, cdn: review.cdn })}
      keepOpen={reason !== ''}
      footer={
        isOpen && (
          <>
            <Button variant="default" loading={decide.isPending} onClick={refuse}>
              {t('power-ups:reviews.refuse')}
            </Button>
            <Button
              loading={decide.isPending}
              onClick={() => decide.mutate({ review: review.id, decision: 'approve', reason })}
            >
              {t('power-ups:reviews.approve')}
            </Button>
          </>
        )
      }
    >
      <div className={classes.stack}>
        {decide.error && <FailureNotice title={t('power-ups:reviews.notDecided')} error={decide.error} />}
        <dl className={classes.facts}>
          {facts
            .filter(([, value]) => value !== null && value !== '')
            .map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
        </dl>
        {isOpen && (
          <Textarea
            label={t('power-ups:reviews.reason')}
            description={t('power-ups:reviews.reasonHelp')}
            autosize
            minRows={3}
            maxRows={8}
            maxLength={500}
            value={reason}
            onChange={(event) => {
              setReason(event.currentTarget.value)
              setLacksReason(false)
            }}
            error={lacksReason ? t('validation:required') : null}
          />
        )}
      </div>
    </SideDrawer>
  )
}
