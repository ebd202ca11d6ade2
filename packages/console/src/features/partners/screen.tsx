import { type Partner, partners } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Age } from '../../ui/marks/age.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { LabelTag } from '../../ui/marks/type-tag.tsx'
import { ListPage } from '../operator/list-page.tsx'
import { LIST_SIZE, orderingOf } from '../operator/list-search.ts'
import { AddPartner } from './add-partner.tsx'
import classes from './partners.module.css'

/** Columns that the API sorts by. */
const SORTED = {
  companyName: 'company_name',
  hostName: 'host_name',
  organizationCount: 'organizations',
  createdAt: 'created_at',
}
const column = columnsFor<Partner>()

/** Who resells the product, under which host name. */
export function PartnersScreen() {
  const { t } = useTranslation('partners')
  const format = useFormat()
  const search = useSearch({ from: '/shell/operator/partners' })
  const navigate = useNavigate({ from: '/operator/partners' })
  const answer = useRead(partners.routes.list, {
    page_size: LIST_SIZE,
    page: search.page,
    search: search.search,
    ordering: 'created_at',
    ...orderingOf(search.sort, SORTED),
  })
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('companyName', {
          header: t('name'),
          sortFn: 'alphanumeric',
          meta: { leastPx: 220, card: 'title' },
          cell: ({ row: { original } }) => (
            <span className={classes.who}>
              <span
                className={classes.swatch}
                style={{ '--swatch': original.brandColor } as React.CSSProperties}
                aria-hidden
              />
              <Link className="link" to="/operator/partners/$partner" params={{ partner: original.id }}>
                {original.companyName}
              </Link>
              {original.isDefault && <LabelTag>{t('default')}</LabelTag>}
            </span>
          ),
        }),
        column.accessor('hostName', {
          header: t('hostName'),
          cell: ({ getValue }) => <span className={classes.mono}>{getValue() ?? t('everyOther')}</span>,
          meta: { leastPx: 200, card: 'detail' },
        }),
        column.accessor('organizationCount', {
          header: t('organizations'),
          cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
          meta: { widthPx: 130, align: 'end' },
        }),
        column.accessor(({ hideFeature }) => hideFeature.length, {
          id: 'hidden',
          header: t('hidden'),
          cell: ({ row: { original } }) =>
            original.hideFeature.length === 0
              ? '—'
              : format.list(original.hideFeature.map((feature) => t(`feature.${feature}.name`))),
          meta: { leastPx: 160 },
        }),
        column.accessor('createdAt', {
          header: t('since'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 120, card: 'end' },
        }),
      ]),
    [t, format],
  )
  const adding = (isOpen: boolean) =>
    void navigate({ search: (before) => ({ ...before, open: isOpen ? 'new' : undefined }) })
  useShortcut('c', t('add'), () => adding(true))
  return (
    <ListPage
      title={t('title')}
      meaning={t('meaning')}
      label={t('title')}
      placeholder={t('filter')}
      search={search}
      filtered={false}
      answer={answer}
      columns={columns}
      actions={
        <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={() => adding(true)}>
          {t('add')}
        </Button>
      }
      onChange={(change) =>
        void navigate({ search: (before) => (change ? { ...before, ...change } : {}), replace: true })
      }
      rowId={({ id }) => id}
      rowName={({ companyName }) => companyName}
      onOpen={({ id }) => void navigate({ to: '/operator/partners/$partner', params: { partner: id } })}
      empty={{ title: t('none'), text: t('meaning') }}
    >
      <AddPartner
        opened={search.open === 'new'}
        onClose={() => adding(false)}
        onCreated={({ id }) =>
          void navigate({ to: '/operator/partners/$partner', params: { partner: id }, ignoreBlocker: true })
        }
      />
    </ListPage>
  )
}
