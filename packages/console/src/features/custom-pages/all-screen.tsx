import { customPages } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { PagesTable } from './pages-table.tsx'

/** Pages of all sites of the organisation; each opens at its own site. */
export function AllPagesScreen() {
  const { t } = useTranslation('custom-pages')
  const search = useSearch({ from: '/shell/multi-cdn/custom-page' })
  const navigate = useNavigate({ from: '/multi-cdn/custom-page' })
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <Gate route={customPages.routes.list} meaning={t('meaning')}>
        <PagesTable
          site={undefined}
          search={search}
          onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
          emptyText={t('empty.textAll')}
          action={null}
          onOpen={({ id, siteName }) =>
            void navigate({
              to: '/$site/{-$domain}/multi-cdn/custom-page',
              params: { site: siteName, domain: undefined },
              search: { show: id },
            })
          }
        />
      </Gate>
    </>
  )
}
