import type { InstalledPowerUp } from '@fairway/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Age } from '../../ui/marks/age.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { LinkMenuItem } from '../../ui/marks/links.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { usePowerUpWords } from './power-up-words.ts'
import classes from './power-ups.module.css'

const column = columnsFor<InstalledPowerUp>()

type ColumnsOf = { isServices: boolean; canLeave: boolean; onLeave: (row: InstalledPowerUp) => void }

export function useInstalledColumns({ isServices, canLeave, onLeave }: ColumnsOf): Columns<InstalledPowerUp> {
  const { t, i18n } = useTranslation('power-ups')
  const { nameOf } = usePowerUpWords()
  return useMemo(
    () =>
      column.columns([
        column.accessor((row) => nameOf(row), {
          id: 'name',
          header: t('column.name'),
          sortFn: 'alphanumeric',
          cell: ({ row: { original } }) =>
            original.series === null ? (
              <span className={classes.strong}>{nameOf(original)}</span>
            ) : (
              <CdnName name={nameOf(original)} series={original.series} strong />
            ),
          meta: { leastPx: 160, card: 'title' },
        }),
        ...(isServices
          ? []
          : [
              column.accessor(({ domain }) => domain?.name ?? '', {
                id: 'domain',
                header: t('column.domain'),
                sortFn: 'alphanumeric',
                cell: ({ row: { original } }) => <DomainCell row={original} />,
                meta: { leastPx: 180, card: 'detail' },
              }),
            ]),
        column.accessor('category', {
          header: t('column.category'),
          cell: ({ getValue }) => t(`category.${getValue()}`),
          meta: { widthPx: 160 },
        }),
        column.accessor('status', {
          header: t('column.status'),
          cell: ({ row: { original } }) => <StatusCell row={original} />,
          meta: { widthPx: 220, card: 'detail' },
        }),
        column.accessor('createdAt', {
          header: t('column.created'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 120 },
        }),
        column.display({
          id: 'menu',
          header: () => <span className="sr-only">{t('column.menu')}</span>,
          cell: ({ row: { original } }) => (
            <RowMenu row={original} name={nameOf(original)} canLeave={canLeave} onLeave={onLeave} />
          ),
          meta: { widthPx: 56, align: 'end', card: 'end' },
        }),
      ]),
    [t, i18n.language, isServices, canLeave],
  )
}

function DomainCell({ row: { site, domain } }: { row: InstalledPowerUp }) {
  if (!site || !domain) return <>—</>
  return (
    <Link
      to="/$site/{-$domain}/multi-cdn/cdn-management"
      params={{ site: site.name, domain: domain.name }}
      className="link"
      onClick={(event) => event.stopPropagation()}
    >
      {domain.name}
    </Link>
  )
}

function StatusCell({ row: { status, statusSince, detail, enabled } }: { row: InstalledPowerUp }) {
  const { t } = useTranslation('power-ups')
  return (
    <span className={classes.statusCell}>
      <StatusPill state={status} since={Date.parse(statusSince)} />
      {status === 'installed' && !enabled && <span className={classes.quiet}>{t('notInUse')}</span>}
      {detail !== null && (
        <span className={classes.placeDetail} title={detail}>
          {detail}
        </span>
      )}
    </span>
  )
}

function RowMenu({
  row,
  name,
  canLeave,
  onLeave,
}: {
  row: InstalledPowerUp
  name: string
  canLeave: boolean
  onLeave: (row: InstalledPowerUp) => void
}) {
  const { t } = useTranslation('power-ups')
  const { site, domain, status } = row
  const label = t('menuOf', { name: domain ? `${name} · ${domain.name}` : name })
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon aria-label={label} onClick={(event) => event.stopPropagation()}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={label} onClick={(event) => event.stopPropagation()}>
        {site && domain && (
          <LinkMenuItem
            to="/$site/{-$domain}/multi-cdn/cdn-management"
            params={{ site: site.name, domain: domain.name }}
          >
            {t('manage')}
          </LinkMenuItem>
        )}
        {status === 'review-failed' && (
          <LinkMenuItem
            from="/marketplace/installed-power-ups"
            to="."
            search={(before) => ({ ...before, open: row.powerUpId, tab: 'installed' as const })}
          >
            {t('askAgain')}
          </LinkMenuItem>
        )}
        {canLeave && status !== 'delete-in-progress' && (
          <Menu.Item color="red" leftSection={<IconTrash size={15} stroke={1.65} />} onClick={() => onLeave(row)}>
            {t('uninstall.open')}
          </Menu.Item>
        )}
        {!canLeave && !domain && <Menu.Item disabled>{t('notYours')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
