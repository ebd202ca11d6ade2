import { SITUATION_OF_CODE, supportTickets } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { usePartner } from '../../shell/partner.ts'
import { useAccount } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { Facet } from '../../ui/filters/filter-bar.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { ListPage } from '../operator/list-page.tsx'
import { LIST_SIZE, orderingOf } from '../operator/list-search.ts'
import { NewTicket } from './new-ticket.tsx'
import { TICKET_STATES, useTicketColumns } from './ticket-columns.tsx'
import { TicketDrawer } from './ticket-drawer.tsx'

/** Columns that the API sorts by. */
const SORTED = { subject: 'subject', modifiedAt: 'modified_at' }

/** Questions of the organisation and the answers to them; where a partner answers by mail, its address. */
export function SupportScreen() {
  const { hideFeature } = useAccount()
  return hideFeature.includes('support') ? <SupportByMail /> : <Tickets />
}

function SupportByMail() {
  const { t } = useTranslation('support-tickets')
  const partner = usePartner()
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <Card>
        <EmptyTeach
          title={t('byMail')}
          text={
            partner?.contactEmail
              ? t('byMailText', { name: partner.companyName, email: partner.contactEmail })
              : t('noContact')
          }
          action={
            partner?.contactEmail && (
              <Button component="a" href={`mailto:${partner.contactEmail}`}>
                {t('write')}
              </Button>
            )
          }
        />
      </Card>
    </>
  )
}

function Tickets() {
  const { t } = useTranslation('support-tickets')
  const search = useSearch({ from: '/shell/support' })
  const navigate = useNavigate({ from: '/support' })
  const [sent, setSent] = useState<string | null>(null)
  const answer = useRead(supportTickets.routes.list, {
    page_size: LIST_SIZE,
    page: search.page,
    ...orderingOf(search.sort, SORTED),
    search: search.search,
    state: search.state,
  })
  const columns = useTicketColumns(false)
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }), replace: true })
  const open = (id: string | undefined) =>
    void navigate({
      search: (before) => ({
        ...before,
        open: id,
        ...(id === undefined ? { code: undefined, request: undefined, domain: undefined } : {}),
      }),
    })
  // Who comes from an error writes about it at once.
  const isNew = search.open === 'new' || (search.code !== undefined && search.open === undefined)
  useShortcut('c', t('new'), () => open('new'))
  return (
    <ListPage
      title={t('title')}
      meaning={t('meaning')}
      label={t('mine')}
      placeholder={t('filter')}
      search={search}
      filtered={search.state !== undefined}
      answer={answer}
      columns={columns}
      actions={
        <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={() => open('new')}>
          {t('new')}
        </Button>
      }
      notice={
        sent !== null && (
          <Notice tone="info" title={t('sent', { id: sent })}>
            {t('sentText')}
          </Notice>
        )
      }
      onChange={(next) => (next ? change(next) : void navigate({ search: {}, replace: true }))}
      rowId={({ id }) => id}
      rowName={({ subject }) => subject}
      onOpen={({ id }) => open(id)}
      empty={{ title: t('none'), text: t('noneText'), action: <Button onClick={() => open('new')}>{t('new')}</Button> }}
      facets={
        <Facet
          single
          label={t('state')}
          options={TICKET_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
          chosen={search.state ? [search.state] : []}
          onChange={([state]) => change({ state })}
        />
      }
    >
      <NewTicket
        opened={isNew}
        code={search.code ?? null}
        request={search.request ?? null}
        domain={search.domain ?? ''}
        situation={SITUATION_OF_CODE[search.code ?? 0] ?? 'general'}
        onClose={() => open(undefined)}
        onSent={(ticketId) => {
          setSent(ticketId)
          open(undefined)
        }}
      />
      <TicketDrawer
        id={search.open === 'new' ? undefined : search.open}
        side="customer"
        onClose={() => open(undefined)}
      />
    </ListPage>
  )
}
