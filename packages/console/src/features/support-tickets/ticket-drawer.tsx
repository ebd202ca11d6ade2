import { type TicketDetail, supportTickets } from '@fairway/contract'
import { Button, Skeleton, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Age } from '../../ui/marks/age.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useRefreshing } from '../operator/use-refreshing.ts'
import classes from './support-tickets.module.css'
import { TicketPill } from './ticket-columns.tsx'

type Side = 'customer' | 'support'

/** The conversation of one ticket, from the side of who asks or of who answers. */
export function TicketDrawer({ id, side, onClose }: { id: string | undefined; side: Side; onClose: () => void }) {
  const kept = useRef(id)
  if (id !== undefined) kept.current = id
  return kept.current === undefined ? null : (
    <OneTicket key={kept.current} id={kept.current} opened={id !== undefined} side={side} onClose={onClose} />
  )
}

function OneTicket({ id, opened, side, onClose }: { id: string; opened: boolean; side: Side; onClose: () => void }) {
  const { t } = useTranslation('support-tickets')
  const own = useRead(supportTickets.routes.get, { id }, { enabled: opened && side === 'customer', everyMs: 15_000 })
  const other = useRead(
    supportTickets.routes.open,
    { ticket: id },
    { enabled: opened && side === 'support', everyMs: 15_000 },
  )
  const { data, error, refetch } = side === 'customer' ? own : other
  const isCustomer = side === 'customer'
  const path = isCustomer ? '/account/v2/tickets/' : '/operator/v2/tickets/'
  const [text, setText] = useState('')
  const sent = () => setText('')
  const reply = useRefreshing(supportTickets.routes.reply, path, sent, { ownError: true })
  const answer = useRefreshing(supportTickets.routes.answer, path, sent, { ownError: true })
  const close = useRefreshing(supportTickets.routes.close, path)
  const setState = useRefreshing(supportTickets.routes.setState, path)
  const failed = reply.error ?? answer.error
  const send = () => {
    if (text.trim() === '') return
    if (isCustomer) reply.mutate({ id, message: text })
    else answer.mutate({ ticket: id, message: text })
  }
  const end = () => (isCustomer ? close.mutate({ id }) : setState.mutate({ ticket: id, state: 'closed' }))
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      size={720}
      keepOpen={text !== ''}
      onSubmit={send}
      title={data?.subject ?? ''}
      beside={
        data &&
        data.state !== 'closed' && (
          <Button variant="default" loading={close.isPending || setState.isPending} onClick={end}>
            {t('close')}
          </Button>
        )
      }
      footer={
        data && (
          <Button type="submit" disabled={text.trim() === ''} loading={reply.isPending || answer.isPending}>
            {t(isCustomer ? 'reply' : 'answer')}
          </Button>
        )
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={300} />}
      {data && (
        <div className={classes.stack}>
          <div className={classes.head}>
            <TicketPill state={data.state} />
            <span className={classes.number}>#{data.ticketId}</span>
            <span className={classes.muted}>
              {data.organizationName} · {data.planName}
            </span>
          </div>
          <Facts ticket={data} />
          <ol className={classes.thread} aria-label={t('conversation')}>
            {data.messages.map((message) => (
              <li key={message.id} className={classes.message} data-support={message.fromSupport || undefined}>
                <div className={classes.messageHead}>
                  <span className={classes.strong}>
                    {message.fromSupport && isCustomer ? t('support') : message.author}
                  </span>
                  <span className={classes.muted}>
                    <Age at={message.createdAt} />
                  </span>
                </div>
                <p className={classes.text}>{message.text}</p>
              </li>
            ))}
          </ol>
          {failed && <FailureNotice title={t('notSent')} error={failed} />}
          <Textarea
            label={t(isCustomer ? 'replyLabel' : 'answerLabel')}
            autosize
            minRows={3}
            maxRows={12}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
      )}
    </SideDrawer>
  )
}

/** What the ticket is about, beyond its words. */
function Facts({ ticket: { domain, context } }: { ticket: TicketDetail }) {
  const { t } = useTranslation('support-tickets')
  const facts: [string, string][] = [
    [t('domain'), domain ?? ''],
    [t('code'), context.errorCode === null ? '' : String(context.errorCode)],
    [t('page'), context.page ?? ''],
    [t('software'), context.softwareVersion ?? ''],
    [t('versions'), context.siteVersions.map(({ site, version }) => `${site} ${version}`).join(', ')],
    [t('request'), context.requestIds.join(', ')],
    [t('decisions'), context.decisionIds.join(', ')],
  ]
  const known = facts.filter(([, value]) => value !== '')
  if (known.length === 0) return null
  return (
    <dl className={classes.facts}>
      {known.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
    </dl>
  )
}
