import { customPages } from '@fairway/contract'
import { Button, Tabs } from '@mantine/core'
import { IconEye, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { DeployState } from '../versions/deploy-state.tsx'
import classes from './custom-pages.module.css'
import { PagesTable } from './pages-table.tsx'
import type { PagesSearch } from './search.ts'
import { UsesTable } from './uses-table.tsx'

const BrandDrawer = lazy(async () => ({ default: (await import('./brand-drawer.tsx')).BrandDrawer }))
const NewPageDrawer = lazy(async () => ({ default: (await import('./new-page-drawer.tsx')).NewPageDrawer }))
const PageDrawer = lazy(async () => ({ default: (await import('./page-drawer.tsx')).PageDrawer }))
const UseDrawer = lazy(async () => ({ default: (await import('./use-drawer.tsx')).UseDrawer }))

/** What visitors of a site see when it fails or is closed for a while. */
export function SitePagesScreen() {
  const { t } = useTranslation('custom-pages')
  const { site } = useScope()
  const search = useSearch({ from: '/shell/$site/{-$domain}/multi-cdn/custom-page' })
  const navigate = useNavigate({ from: '/$site/{-$domain}/multi-cdn/custom-page' })
  const go = (change: Partial<z.infer<typeof PagesSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const mayEdit = useCanCall(customPages.routes.create)
  const tab = search.tab ?? 'pages'
  useShortcut('c', t('add'), () => go({ add: true }), mayEdit)
  const add = mayEdit && (
    <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={() => go({ add: true })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        beside={<DeployState site={site} />}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconEye size={16} stroke={1.65} />}
              onClick={() => go({ brand: true })}
            >
              {t('brand.open')}
            </Button>
            {add}
          </>
        }
      />
      <Gate route={customPages.routes.list} meaning={t('meaning')}>
        <Tabs
          value={tab}
          onChange={(next) => go({ tab: next === 'domains' ? 'domains' : undefined })}
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value="pages">{t('tab.pages')}</Tabs.Tab>
            <Tabs.Tab value="domains">{t('tab.domains')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="pages" className={classes.panel}>
            <PagesTable
              site={site.id}
              search={search}
              onSearch={go}
              emptyText={t('empty.text')}
              action={add}
              onOpen={({ id }) => go({ show: id })}
            />
          </Tabs.Panel>
          <Tabs.Panel value="domains" className={classes.panel}>
            <UsesTable site={site.id} onOpen={(id) => go({ use: id })} />
          </Tabs.Panel>
        </Tabs>
        <Suspense fallback={null}>
          {search.add === true && mayEdit && (
            <NewPageDrawer
              site={site.id}
              onClose={() => go({ add: undefined })}
              onMade={(id) => go({ add: undefined, show: id, part: 'preview' })}
            />
          )}
          {search.show !== undefined && (
            <PageDrawer
              key={search.show}
              site={site.id}
              id={search.show}
              part={search.part ?? 'text'}
              onPart={(part) => go({ part: part === 'text' ? undefined : part })}
              onClose={() => go({ show: undefined, part: undefined })}
            />
          )}
          {search.use !== undefined && (
            <UseDrawer key={search.use} site={site.id} domain={search.use} onClose={() => go({ use: undefined })} />
          )}
          {search.brand === true && <BrandDrawer site={site.id} onClose={() => go({ brand: undefined })} />}
        </Suspense>
      </Gate>
    </>
  )
}
