import { type ByoCdnKey, byoCdnKeys } from '@fairway/contract'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ListPage } from '../operator/list-page.tsx'
import { LIST_SIZE, orderingOf } from '../operator/list-search.ts'
import classes from './byo-cdn-keys.module.css'
import { KeyMenu } from './key-menu.tsx'
import { TestPill } from './test-result.tsx'

/** Columns that the API sorts by. */
const SORTED = { name: 'name', platform: 'platform' }
const column = columnsFor<ByoCdnKey>()

/** The organisation's own accounts at CDNs. */
export function ByoCdnKeysScreen() {
  const { t } = useTranslation('byo-cdn-keys')
  const canList = useCanCall(byoCdnKeys.routes.list)
  if (!canList)
    return (
      <>
        <PageHeader title={t('title')} meaning={t('meaning')} />
        <Gate route={byoCdnKeys.routes.list} meaning={t('meaning')}>
          {null}
        </Gate>
      </>
    )
  return <Keys />
}

function Keys() {
  const { t } = useTranslation('byo-cdn-keys')
  const search = useSearch({ from: '/shell/account/bring-my-cdn-account' })
  const navigate = useNavigate({ from: '/account/bring-my-cdn-account' })
  const canEdit = useCanCall(byoCdnKeys.routes.create)
  // Who looks on writes none, and may try and remove those that are there.
  const canTest = useCanCall(byoCdnKeys.routes.test)
  const answer = useRead(byoCdnKeys.routes.list, {
    page_size: LIST_SIZE,
    page: search.page,
    ...orderingOf(search.sort, SORTED),
    search: search.search,
  })
  const add = canEdit && (
    <LinkButton to="/account/bring-my-cdn-account/add" leftSection={<IconPlus size={16} stroke={1.9} />}>
      {t('add')}
    </LinkButton>
  )
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('name', {
          header: t('name'),
          sortFn: 'alphanumeric',
          cell: ({ row: { original } }) =>
            canEdit ? (
              <Link className="link" to="/account/bring-my-cdn-account/edit/{-$id}" params={{ id: original.id }}>
                {original.name}
              </Link>
            ) : (
              original.name
            ),
          meta: { leastPx: 180, card: 'title' },
        }),
        column.accessor('platform', {
          header: t('platform'),
          cell: ({ getValue }) => t(`platforms.${getValue()}`),
          meta: { widthPx: 170, card: 'detail' },
        }),
        column.accessor(
          ({ fields }) =>
            fields['accessKeyId'] ?? fields['clientToken'] ?? fields['secretId'] ?? fields['zoneId'] ?? '',
          {
            id: 'account',
            header: t('account'),
            cell: ({ getValue }) => <span className={classes.mono}>{getValue() || '—'}</span>,
            meta: { leastPx: 180 },
          },
        ),
        column.accessor(({ testedAt }) => testedAt ?? '', {
          id: 'test',
          header: t('test'),
          cell: ({ row: { original } }) => <TestPill testedAt={original.testedAt} problem={original.testProblem} />,
          meta: { widthPx: 170, card: 'end' },
        }),
        column.accessor('modifiedAt', {
          header: t('changed'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 120, card: 'detail' },
        }),
        column.display({
          id: 'menu',
          header: () => <span className="sr-only">{t('actions')}</span>,
          cell: ({ row: { original } }) => (canTest ? <KeyMenu row={original} /> : null),
          meta: { widthPx: 56, align: 'end', card: 'end' },
        }),
      ]),
    [t, canEdit, canTest],
  )
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
      actions={add}
      onChange={(change) =>
        void navigate({ search: (before) => (change ? { ...before, ...change } : {}), replace: true })
      }
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      empty={{ title: t('none'), text: t('noneText'), action: add }}
    />
  )
}
