import { type Letter, operatorArea } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Age } from '../../ui/marks/age.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { Facet } from '../../ui/filters/filter-bar.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { LetterDrawer } from './letter-drawer.tsx'
import { ListPage } from './list-page.tsx'
import { LIST_SIZE, orderingOf } from './list-search.ts'
import classes from './operator.module.css'

const TONES: Record<Letter['state'], Tone> = { waiting: 'info', sent: 'ok', kept: 'neutral', failed: 'bad' }
const STATES: readonly Letter['state'][] = ['waiting', 'sent', 'kept', 'failed']
/** Columns that the API sorts by. */
const SORTED = { to: 'to', createdAt: 'created_at' }
const column = columnsFor<Letter>()

/** Every letter that was written: whether it left, and what it says. */
export function LettersScreen() {
  const { t } = useTranslation('operator')
  const search = useSearch({ from: '/shell/operator/outbox' })
  const navigate = useNavigate({ from: '/operator/outbox' })
  const answer = useRead(
    operatorArea.routes.letters,
    {
      page_size: LIST_SIZE,
      page: search.page,
      ...orderingOf(search.sort, SORTED),
      search: search.search,
      state: search.state,
    },
    { everyMs: 5_000 },
  )
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('to', {
          header: t('letters.to'),
          sortFn: 'alphanumeric',
          cell: ({ getValue }) => <span className={classes.strong}>{getValue()}</span>,
          meta: { leastPx: 200, card: 'title' },
        }),
        column.accessor('template', {
          header: t('letters.letter'),
          cell: ({ getValue }) => t(`letters.template.${getValue()}`, { defaultValue: getValue() }),
          meta: { leastPx: 150, card: 'detail' },
        }),
        column.accessor('partnerName', { header: t('letters.brand'), meta: { widthPx: 150 } }),
        column.accessor('organizationName', {
          header: t('organization'),
          cell: ({ getValue }) => getValue() ?? '—',
          meta: { widthPx: 160 },
        }),
        column.accessor('state', {
          header: t('letters.state'),
          cell: ({ getValue }) => <Pill tone={TONES[getValue()]}>{t(`letters.states.${getValue()}`)}</Pill>,
          meta: { widthPx: 120, card: 'end' },
        }),
        column.accessor('createdAt', {
          header: t('letters.written'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 120, card: 'detail' },
        }),
      ]),
    [t],
  )
  return (
    <ListPage
      title={t('letters.title')}
      meaning={t('letters.meaning')}
      label={t('letters.title')}
      placeholder={t('letters.filter')}
      search={search}
      filtered={search.state !== undefined}
      answer={answer}
      columns={columns}
      onChange={(change) =>
        void navigate({ search: (before) => (change ? { ...before, ...change } : {}), replace: true })
      }
      rowId={({ id }) => id}
      rowName={({ to, template }) => `${template} ${to}`}
      onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, open: id }) })}
      empty={{ title: t('letters.none'), text: t('letters.noneText') }}
      facets={
        <Facet
          single
          label={t('letters.state')}
          options={STATES.map((value) => ({ value, label: t(`letters.states.${value}`) }))}
          chosen={search.state ? [search.state] : []}
          onChange={([state]) =>
            void navigate({ search: (before) => ({ ...before, page: undefined, state }), replace: true })
          }
        />
      }
    >
      <LetterDrawer
        id={search.open}
        onClose={() => void navigate({ search: (before) => ({ ...before, open: undefined }) })}
      />
    </ListPage>
  )
}
