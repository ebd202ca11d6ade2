import { accessControl } from '@fairway/contract'
import type { AccessEntry } from '@fairway/contract'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { usePlaceName } from '../../ui/geo/place-name.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useRemoveEntries } from './use-entry-verbs.ts'
import classes from './access-control.module.css'

const EntryDialog = onDemand(async () => (await import('./entry-dialog.tsx')).EntryDialog)

type EntryTableProps = {
  place: Place
  label: string
  entries: readonly AccessEntry[] | undefined
  empty: ReactNode
}

/** Entries of a list: what they mean, their note, when they end. */
export function EntryTable({ place, label, entries, empty }: EntryTableProps) {
  const { t } = useTranslation('access-control')
  const mayEdit = useCanCall(accessControl.routes.update)
  const remove = useRemoveEntries(place)
  const [edited, setEdited] = useState<AccessEntry | null>(null)
  const columns = useColumns(mayEdit, setEdited, remove)
  // Stands in a card by itself: a frame within a frame says nothing.
  if (entries?.length === 0) return empty
  return (
    <>
      <DataTable
        label={label}
        rows={entries}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ value }) => value}
        {...(mayEdit
          ? {
              onOpen: setEdited,
              bulk: (rows: readonly AccessEntry[], clear: () => void) => (
                <Button
                  size="xs"
                  color="red"
                  variant="light"
                  onClick={() =>
                    remove(
                      rows.map(({ id }) => id),
                      clear,
                    )
                  }
                >
                  {t('removeMany', { count: rows.length })}
                </Button>
              ),
            }
          : {})}
        empty={empty}
      />
      <EntryDialog
        key={edited?.id ?? ''}
        opened={edited !== null}
        onClose={() => setEdited(null)}
        place={place}
        entry={edited}
      />
    </>
  )
}

const column = columnsFor<AccessEntry>()

function useColumns(
  mayEdit: boolean,
  onEdit: (entry: AccessEntry) => void,
  remove: (ids: readonly string[]) => void,
): Columns<AccessEntry> {
  const { t } = useTranslation('access-control')
  const format = useFormat()
  const words = usePlaceWords()
  const placeName = usePlaceName()
  return useMemo(
    () =>
      column.columns([
        column.accessor('value', {
          header: t('column.value'),
          meta: { leastPx: 190, card: 'title' },
          cell: ({ row: { original } }) =>
            original.kind === 'address' ? (
              <span className={classes.mono}>{original.value}</span>
            ) : (
              <strong className={classes.cut}>
                {placeName(original.value, true)}
                {original.network !== null && ` · ${words.network(original.network)}`}
              </strong>
            ),
        }),
        column.display({
          id: 'state',
          header: t('column.state'),
          meta: { widthPx: 130, card: 'lead' },
          cell: ({ row: { original } }) => (
            <Pill tone={original.expired ? 'neutral' : original.list === 'whitelist' ? 'ok' : 'bad'}>
              {t(`state.${stateOf(original)}`)}
            </Pill>
          ),
        }),
        column.accessor('note', {
          header: t('column.note'),
          meta: { leastPx: 160, card: 'detail' },
          cell: ({ row: { original } }) => (
            <span className={classes.cut} title={original.note}>
              {original.note === '' ? '—' : original.note}
            </span>
          ),
        }),
        column.accessor(({ expiresAt }) => expiresAt ?? '', {
          id: 'expires',
          header: t('column.expires'),
          meta: { widthPx: 170 },
          cell: ({ row: { original } }) =>
            original.expiresAt === null ? (
              t('never')
            ) : (
              <span title={format.exact(Date.parse(original.expiresAt))}>
                {format.dateTime(Date.parse(original.expiresAt))}
              </span>
            ),
        }),
        column.display({
          id: 'menu',
          header: () => <span className="sr-only">{t('column.menu')}</span>,
          meta: { widthPx: 56, align: 'end', card: 'end' },
          cell: ({ row: { original } }) =>
            mayEdit ? (
              <Menu position="bottom-end" width={200}>
                <Menu.Target>
                  <ActionIcon aria-label={t('menu', { name: original.value })}>
                    <IconDots size={16} stroke={1.8} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown aria-label={t('menu', { name: original.value })}>
                  <Menu.Item leftSection={<IconPencil size={15} stroke={1.65} />} onClick={() => onEdit(original)}>
                    {t('edit')}
                  </Menu.Item>
                  <Menu.Item
                    color="red"
                    leftSection={<IconTrash size={15} stroke={1.65} />}
                    onClick={() => remove([original.id])}
                  >
                    {t('remove')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            ) : null,
        }),
      ]),
    // `remove` is made anew with each render and does the same.
    [t, format, words, placeName, mayEdit, onEdit],
  )
}

const stateOf = ({ expired, exclude, list }: AccessEntry) => (expired ? 'expired' : exclude ? 'exclude' : list)
