import { supportTickets } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Facet } from '../../ui/filters/filter-bar.tsx'
import { ListPage } from '../operator/list-page.tsx'
import { LIST_SIZE, orderingOf } from '../operator/list-search.ts'
import { TICKET_STATES, useTicketColumns } from './ticket-columns.tsx'
import { TicketDrawer } from './ticket-drawer.tsx'

/** Columns that the API sorts by. */
const SORTED = { subject: 'subject', modifiedAt: 'modified_at' }

/** Every question that waits for an answer, and those that got one. */
export function OperatorTicketsScreen() {
  const { t } = useTranslation('support-tickets')
  const search = useSearch({ from: '/shell/operator/tickets' })
  const navigate = useNavigate({ from: '/operator/tickets' })
  const answer = useRead(
    supportTickets.routes.all,
    {
      page_size: LIST_SIZE,
      page: search.page,
      ...orderingOf(search.sort, SORTED),
      search: search.search,
      state: search.state,
    },
    { everyMs: 10_000 },
  )
  const columns = useTicketColumns(true)
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }), replace: true })
  return (
    <ListPage
      title={t('allTitle')}
      meaning={t('allMeaning')}
      label={t('allTitle')}
      placeholder={t('allFilter')}
      search={search}
      filtered={search.state !== undefined}
      answer={answer}
      columns={columns}
      onChange={(next) => (next ? change(next) : void navigate({ search: {}, replace: true }))}
      rowId={({ id }) => id}
      rowName={({ subject }) => subject}
      onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, open: id }) })}
      empty={{ title: t('allNone'), text: t('allNoneText') }}
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
      <TicketDrawer
        id={search.open}
        side="support"
        onClose={() => void navigate({ search: (before) => ({ ...before, open: undefined }) })}
      />
    </ListPage>
  )
}
