import type { Teammate } from '@fairway/contract'
import { levelsOf } from '@fairway/domain'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { ActivatedCell, EmailCell, NameCell, RolesCell, StatusCell, TimeCell } from './person-cells.tsx'
import { PersonMenu } from './person-menu.tsx'
import { nameOf } from './person-name.ts'
import { useRoleWords } from './role-words.ts'

const column = columnsFor<Teammate>()

/** Who the people are and whether they are in. */
export function usePersonColumns(onRoles: (id: string) => void): Columns<Teammate> {
  const { t } = useTranslation('teammates')
  return useMemo(
    () =>
      column.columns([
        column.accessor((person) => nameOf(person).toLowerCase(), {
          id: 'name',
          header: t('column.name'),
          cell: ({ row }) => <NameCell person={row.original} />,
          meta: { leastPx: 190, card: 'title' },
        }),
        column.accessor('email', {
          header: t('column.email'),
          cell: ({ row }) => <EmailCell person={row.original} />,
          meta: { leastPx: 190, card: 'detail' },
        }),
        column.display({
          id: 'roles',
          header: t('column.roles'),
          cell: ({ row }) => <RolesCell person={row.original} />,
          meta: { leastPx: 200, card: 'detail' },
        }),
        column.accessor('status', {
          header: t('column.status'),
          cell: ({ row }) => <StatusCell person={row.original} />,
          meta: { widthPx: 126, card: 'detail' },
        }),
        column.accessor(({ lastLoginAt }) => lastLoginAt ?? '', {
          id: 'lastLogin',
          header: t('column.lastLogin'),
          cell: ({ row }) => <TimeCell at={row.original.lastLoginAt} />,
          meta: { widthPx: 118 },
        }),
        column.accessor(({ activated }) => (activated ? 1 : 0), {
          id: 'activated',
          header: t('column.activated'),
          cell: ({ row }) => <ActivatedCell person={row.original} />,
          meta: { widthPx: 142 },
        }),
        column.display({
          id: 'menu',
          header: () => <span className="sr-only">{t('column.menu')}</span>,
          cell: ({ row }) => <PersonMenu person={row.original} onRoles={() => onRoles(row.original.id)} />,
          meta: { widthPx: 56, align: 'end', card: 'end' },
        }),
      ]),
    [t, onRoles],
  )
}

/** What each of them may do over the API, and whether they do. */
export function useApiColumns(onRoles: (id: string) => void): Columns<Teammate> {
  const { t } = useTranslation('teammates')
  const format = useFormat()
  return useMemo(
    () =>
      column.columns([
        column.accessor((person) => nameOf(person).toLowerCase(), {
          id: 'name',
          header: t('column.name'),
          cell: ({ row }) => <NameCell person={row.original} />,
          meta: { leastPx: 190, card: 'title' },
        }),
        column.accessor('email', {
          header: t('column.email'),
          cell: ({ row }) => <EmailCell person={row.original} />,
          meta: { leastPx: 190, card: 'detail' },
        }),
        column.accessor((person) => tierOf(person) ?? 0, {
          id: 'tier',
          header: t('column.tier'),
          cell: ({ row }) => <TierCell tier={tierOf(row.original)} />,
          meta: { widthPx: 120, card: 'detail' },
        }),
        column.accessor((person) => tierOf(person) ?? 0, {
          id: 'may',
          header: t('column.may'),
          enableSorting: false,
          cell: ({ row }) => <TierMeaning tier={tierOf(row.original)} />,
          meta: { leastPx: 240 },
        }),
        column.accessor(({ apiKeys }) => apiKeys.count, {
          id: 'keys',
          header: t('column.keys'),
          cell: ({ getValue }) => format.number(getValue()),
          meta: { widthPx: 96, align: 'end' },
        }),
        column.accessor(({ apiKeys }) => apiKeys.lastUsedAt ?? '', {
          id: 'used',
          header: t('column.used'),
          cell: ({ row }) => <TimeCell at={row.original.apiKeys.lastUsedAt} />,
          meta: { widthPx: 118 },
        }),
        column.display({
          id: 'menu',
          header: () => <span className="sr-only">{t('column.menu')}</span>,
          cell: ({ row }) => <PersonMenu person={row.original} onRoles={() => onRoles(row.original.id)} />,
          meta: { widthPx: 56, align: 'end', card: 'end' },
        }),
      ]),
    [t, format, onRoles],
  )
}

const tierOf = ({ isOwner, roleIds }: Teammate) => (isOwner ? 4 : levelsOf(roleIds).apiTier)

const TierCell = ({ tier }: { tier: number | null }) => <>{useRoleWords().tier(tier)}</>

function TierMeaning({ tier }: { tier: number | null }) {
  const { t } = useTranslation('teammates')
  const text = t(`meaningOf.api.${tier ?? 'none'}`)
  return <span title={text}>{text}</span>
}
