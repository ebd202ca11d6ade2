import { routingStrategies, vsrRules } from '@fairway/contract'
import { Button, Menu, Tabs } from '@mantine/core'
import { IconChevronDown, IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChooseDomain } from '../../../shell/scope/choose-domain.tsx'
import { Gate } from '../../../shell/access/gate.tsx'
import { useScope } from '../../../shell/scope/scope.ts'
import { useCanCall } from '../../../shell/access/session.ts'
import { TableSkeleton } from '../../../ui/data-table/table-skeleton.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { useShortcut } from '../../../ui/keys/shortcuts.ts'
import { DeployState } from '../../versions/deploy-state.tsx'
import { WhyPanel } from '../../why/why-panel.tsx'
import { SimulateBar } from '../simulate/simulate-bar.tsx'
import { StrategyList } from './strategy-list.tsx'
import classes from './screen.module.css'

const TextDialog = lazy(async () => ({ default: (await import('./text-dialog.tsx')).TextDialog }))
const SettingDialog = lazy(async () => ({ default: (await import('./setting-dialog.tsx')).SettingDialog }))
const ManyDialog = lazy(async () => ({ default: (await import('../many/many-dialog.tsx')).ManyDialog }))
const VsrList = lazy(async () => ({ default: (await import('../../vsr-rules/vsr-list.tsx')).VsrList }))

/**
 * Which CDN answers whom: the strategies of a domain in the order they are read, and the rules that place visitors
 * elsewhere.
 */
export function RoutingStrategiesScreen() {
  const { t } = useTranslation('routing-strategies')
  const { site, domain } = useScope()
  const { tab = 'strategies' } = useSearch({ from: '/shell/$site/{-$domain}/dem/routing-strategies' })
  const navigate = useNavigate()
  const isVsr = tab === 'vsr'
  const canCreate = useCanCall(routingStrategies.routes.create)
  const canCreateRule = useCanCall(vsrRules.routes.create)
  const canReplace = useCanCall(routingStrategies.routes.replace)
  const canSet = useCanCall(routingStrategies.routes.putSetting)
  const canClone = useCanCall(routingStrategies.routes.cloneAndReplace)
  const canBulk = useCanCall(routingStrategies.routes.bulkUpdate)
  const [open, setOpen] = useState<'text' | 'setting' | 'clone' | 'bulk' | null>(null)
  const add = () =>
    void navigate({
      to: isVsr
        ? '/$site/{-$domain}/dem/routing-strategies/vsrRule/add'
        : '/$site/{-$domain}/dem/routing-strategies/add',
      params: { site: site.domainName, domain: domain?.name },
    })
  const mayAdd = domain !== null && (isVsr ? canCreateRule : canCreate)
  useShortcut('c', t(isVsr ? 'addRule' : 'add'), add, mayAdd)
  const place = domain && { site: site.id, domain: domain.id }

  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        beside={domain && <DeployState site={site} />}
        actions={
          place && (
            <>
              {canSet && !isVsr && (
                <Button variant="default" onClick={() => setOpen('setting')}>
                  {t('setting.open')}
                </Button>
              )}
              {canReplace && !isVsr && (
                <Button variant="default" onClick={() => setOpen('text')}>
                  {t('text.open')}
                </Button>
              )}
              {(canClone || canBulk) && !isVsr && (
                <Menu position="bottom-end" width={250}>
                  <Menu.Target>
                    <Button variant="default" rightSection={<IconChevronDown size={15} stroke={1.8} />}>
                      {t('many.open')}
                    </Button>
                  </Menu.Target>
                  <Menu.Dropdown aria-label={t('many.open')}>
                    {canClone && <Menu.Item onClick={() => setOpen('clone')}>{t('many.openClone')}</Menu.Item>}
                    {canBulk && <Menu.Item onClick={() => setOpen('bulk')}>{t('many.openBulk')}</Menu.Item>}
                  </Menu.Dropdown>
                </Menu>
              )}
              {mayAdd && (
                <Button
                  leftSection={<IconPlus size={16} stroke={1.9} />}
                  renderRoot={(props) => (
                    <Link
                      {...props}
                      to={
                        isVsr
                          ? '/$site/{-$domain}/dem/routing-strategies/vsrRule/add'
                          : '/$site/{-$domain}/dem/routing-strategies/add'
                      }
                      params={{ site: site.domainName, domain: domain.name }}
                    />
                  )}
                >
                  {t(isVsr ? 'addRule' : 'add')}
                </Button>
              )}
            </>
          )
        }
      />
      <Gate route={routingStrategies.routes.list} meaning={t('meaning')}>
        {!domain || !place ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/dem/routing-strategies" />
        ) : (
          <>
            <Tabs
              value={tab}
              onChange={(next) =>
                void navigate({ to: '.', search: (before) => ({ ...before, tab: next === 'vsr' ? 'vsr' : undefined }) })
              }
              keepMounted={false}
            >
              <Tabs.List>
                <Tabs.Tab value="strategies">{t('tab.strategies')}</Tabs.Tab>
                <Tabs.Tab value="vsr">{t('tab.vsr')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="strategies" className={classes.panel}>
                <SimulateBar />
                <StrategyList place={place} />
              </Tabs.Panel>
              <Tabs.Panel value="vsr" className={classes.panel}>
                <Suspense fallback={<TableSkeleton columns={3} />}>
                  <VsrList place={place} />
                </Suspense>
              </Tabs.Panel>
            </Tabs>
            <WhyPanel host={domain.name} />
            <Suspense fallback={null}>
              {open === 'text' && <TextDialog place={place} onClose={() => setOpen(null)} />}
              {open === 'setting' && <SettingDialog place={place} onClose={() => setOpen(null)} />}
              {(open === 'clone' || open === 'bulk') && (
                <ManyDialog mode={open} place={place} onClose={() => setOpen(null)} />
              )}
            </Suspense>
          </>
        )}
      </Gate>
    </>
  )
}
