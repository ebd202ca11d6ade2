import { type InstalledPowerUp, PowerUpStatus, billing, cdnManagement, plans, powerUps } from '@fairway/contract'
import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Pager } from '../../ui/data-table/pager.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Facet, FilterBar } from '../../ui/filters/filter-bar.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { AddOnConfirm } from '../billing/add-on-confirm.tsx'
import { useInstalledColumns } from './installed-columns.tsx'
import { PowerUpDialog } from './power-up-dialog.tsx'
import { usePowerUpWords } from './power-up-words.ts'
import classes from './power-ups.module.css'

const SIZE = 200
const REFRESH_MS = 10_000

/** Every CDN on every domain, and what is paid by the month: how it stands, and the way out. */
export function InstalledPowerUpsScreen() {
  const { t } = useTranslation(['power-ups', 'states'])
  const search = useSearch({ from: '/shell/marketplace/installed-power-ups' })
  const navigate = useNavigate({ from: '/marketplace/installed-power-ups' })
  const { nameOf } = usePowerUpWords()
  const isServices = search.kind === 'services'
  const [leaving, setLeaving] = useState<InstalledPowerUp | null>(null)
  const canUninstall = useCanCall(cdnManagement.routes.uninstall)
  const canCancel = useCanCall(billing.routes.removeAddOn)
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useRead(
    powerUps.routes.installed,
    {
      page,
      page_size: SIZE,
      kind: isServices ? 'add-on' : 'cdn',
      ...(search.search ? { search: search.search } : {}),
      ...(search.status ? { status: search.status } : {}),
    },
    { everyMs: REFRESH_MS },
  )
  const set = (change: Partial<typeof search>) => {
    // Another choice begins at its first page.
    if ('search' in change || 'status' in change) setPage(1)
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  }
  const columns = useInstalledColumns({
    isServices,
    canLeave: isServices ? canCancel : canUninstall,
    onLeave: setLeaving,
  })
  const filtered = search.search !== undefined || search.status !== undefined
  return (
    <>
      <PageHeader
        title={t('power-ups:installedTitle')}
        meaning={t('power-ups:installedMeaning')}
        actions={
          <LinkButton to="/marketplace/{-$category}/{-$childCategory}">{t('power-ups:toMarketplace')}</LinkButton>
        }
      />
      <Gate route={powerUps.routes.installed} meaning={t('power-ups:installedMeaning')}>
        <Tabs
          value={isServices ? 'services' : 'cdn'}
          onChange={(tab) => {
            setPage(1)
            void navigate({ search: tab === 'services' ? { kind: 'services' } : {}, replace: true })
          }}
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value="cdn">{t('power-ups:tabs.cdn')}</Tabs.Tab>
            <Tabs.Tab value="services">{t('power-ups:tabs.services')}</Tabs.Tab>
          </Tabs.List>
        </Tabs>
        <div className={classes.list}>
          <FilterBar
            search={search.search ?? ''}
            onSearch={(text) => set({ search: text || undefined })}
            placeholder={t('power-ups:findInstalled')}
            {...(data ? { count: t('power-ups:count', { count: data.meta.total }) } : {})}
            onClear={filtered ? () => set({ search: undefined, status: undefined }) : undefined}
          >
            {!isServices && (
              <Facet
                single
                label={t('power-ups:column.status')}
                options={PowerUpStatus.options.map((value) => ({ value, label: t(`states:state.${value}`) }))}
                chosen={search.status ? [search.status] : []}
                onChange={([status]) => set({ status: PowerUpStatus.options.find((one) => one === status) })}
              />
            )}
          </FilterBar>
          {error && !data ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : (
            <DataTable
              fill
              label={t('power-ups:installedTitle')}
              rows={data?.data}
              columns={columns}
              rowId={({ id }) => id}
              rowName={nameOf}
              stale={isPlaceholderData}
              sort={search.sort}
              onSort={(sort) => set({ sort })}
              onOpen={({ powerUpId }) => set({ open: powerUpId })}
              empty={
                filtered ? (
                  <EmptyTeach title={t('power-ups:nothing.title')} text={t('power-ups:nothing.text')} />
                ) : (
                  <EmptyTeach
                    title={t('power-ups:none.title')}
                    text={t('power-ups:none.text')}
                    action={
                      <LinkButton to="/marketplace/{-$category}/{-$childCategory}">
                        {t('power-ups:toMarketplace')}
                      </LinkButton>
                    }
                  />
                )
              }
            />
          )}
          {data && <Pager page={page} pageSize={SIZE} total={data.meta.total} onPage={setPage} />}
        </div>
        <PowerUpDialog
          id={search.open}
          tab={search.tab ?? 'introduction'}
          onTab={(tab) => set({ tab: tab === 'introduction' ? undefined : tab })}
          onClose={() => set({ open: undefined, tab: undefined })}
        />
        {leaving &&
          (leaving.domain ? (
            <UninstallCdn key={leaving.id} row={leaving} onClose={() => setLeaving(null)} />
          ) : (
            <CancelService key={leaving.id} id={leaving.powerUpId} onClose={() => setLeaving(null)} />
          ))}
      </Gate>
    </>
  )
}

function UninstallCdn({ row, onClose }: { row: InstalledPowerUp; onClose: () => void }) {
  const { t } = useTranslation('power-ups')
  const show = useSnackbar()
  const { nameOf } = usePowerUpWords()
  const name = nameOf(row)
  const { mutate, isPending } = useChange(cdnManagement.routes.uninstall, {
    subject: 'uninstall',
    onDone: () => show('uninstall', { message: t('uninstall.done', { name }) }),
  })
  const { site, domain } = row
  const isHeld = row.status === 'under-review' || row.status === 'review-failed'
  return (
    <Confirm
      opened
      onClose={onClose}
      title={t('uninstall.title', { name, domain: domain?.name ?? '' })}
      verb={t('uninstall.verb')}
      danger
      busy={isPending}
      onConfirm={() => {
        if (site && domain) mutate({ site: site.id, domain: domain.id, id: row.id }, { onSettled: onClose })
      }}
    >
      <p>{t(isHeld ? 'uninstall.held' : 'uninstall.text')}</p>
    </Confirm>
  )
}

function CancelService({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useRead(plans.routes.addOns, {})
  const addOn = data?.data.find((one) => one.id === id)
  return addOn ? <AddOnConfirm addOn={addOn} onClose={onClose} /> : null
}
