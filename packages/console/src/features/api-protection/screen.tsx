import { apiProtection } from '@fairway/contract'
import type { ApiRule, RouteInput } from '@fairway/contract'
import { Button, Skeleton, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { change } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from './screen.module.css'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { DeployState } from '../versions/deploy-state.tsx'
import { PathRules } from '../web-security/path-rules.tsx'
import { QuotaLine } from '../web-security/quota.tsx'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { TryButton } from '../web-security/try-button.tsx'
import { useRuleChange } from '../web-security/use-path-rules.ts'

const EndpointsTab = lazy(async () => ({ default: (await import('../api-schema/endpoints-tab.tsx')).EndpointsTab }))

/** Paths of a domain that answer to those only who carry a token of the customer's own server. */
export function ApiProtectionScreen() {
  const { t } = useTranslation('api-protection')
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const { tab = 'tokens' } = useSearch({ from: '/shell/$site/{-$domain}/origin-shield/api-protection' })
  const mayAdd = useCanCall(apiProtection.routes.create) && domain !== null && tab === 'tokens'
  const add = () =>
    void navigate({
      to: '/$site/{-$domain}/origin-shield/api-protection/create',
      params: { site: site.domainName, domain: domain?.name },
    })
  useShortcut('c', t('add'), add, mayAdd)
  const addButton = mayAdd && (
    <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={add}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t(tab === 'endpoints' ? 'meaningEndpoints' : 'meaning')}
        beside={domain && <DeployState site={site} />}
        actions={
          domain && (
            <>
              <TryButton place={{ site: site.id, domain: domain.id }} />
              {addButton}
            </>
          )
        }
      />
      <Gate route={{ ...apiProtection.routes.list, planFeature: 'waf.enable' }} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/api-protection" />
        ) : (
          <>
            <ShieldNotice domain={domain} />
            <Tabs
              value={tab}
              onChange={(next) =>
                void navigate({
                  to: '/$site/{-$domain}/origin-shield/api-protection',
                  params: { site: site.domainName, domain: domain.name },
                  search: next === 'endpoints' ? { tab: next } : {},
                  replace: true,
                })
              }
              keepMounted={false}
            >
              <Tabs.List>
                <Tabs.Tab value="tokens">{t('tab.tokens')}</Tabs.Tab>
                <Tabs.Tab value="endpoints">{t('tab.endpoints')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="tokens" className={classes.panel}>
                <QuotaLine place={{ site: site.id, domain: domain.id }} part="api-protection" />
                <Rules place={{ site: site.id, domain: domain.id }} action={addButton} />
              </Tabs.Panel>
              <Tabs.Panel value="endpoints" className={classes.panel}>
                <Suspense fallback={<Skeleton height={320} radius="lg" />}>
                  <EndpointsTab key={domain.id} place={{ site: site.id, domain: domain.id }} />
                </Suspense>
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Gate>
    </>
  )
}

function Rules({ place, action }: { place: Place; action: React.ReactNode }) {
  const { t } = useTranslation('api-protection')
  const { site, domain } = useScope()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useRead(apiProtection.routes.list, { ...place, page_size: -1 })
  const mayEdit = useCanCall(apiProtection.routes.update)
  const carryOut = useRuleChange(place.site, 'api-rule')
  const { update, remove, reorder } = apiProtection.routes
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={190} radius="lg" aria-busy="true" />
  const rules = data.data
  if (rules.length === 0)
    return (
      <div data-empty>
        <Card>
          <EmptyTeach title={t('empty.title')} text={t('empty.text')} action={action} />
        </Card>
      </div>
    )
  return (
    <PathRules
      label={t('title')}
      rules={rules.map((rule) => ({
        ...rule,
        does: t(`does.${rule.mode}`, { parameter: rule.parameter, count: rule.rateLimitQueries }),
      }))}
      link={({ id, name }) => (
        <Link
          to="/$site/{-$domain}/origin-shield/api-protection/detail/$id"
          params={{ site: site.domainName, domain: domain?.name, id }}
        >
          {name}
        </Link>
      )}
      {...(mayEdit
        ? {
            edit: {
              flip: ({ id, name }, enabled) => {
                const rule = rules.find((one) => one.id === id)
                if (rule)
                  void carryOut(enabled ? 'turnedOn' : 'turnedOff', name, () =>
                    change(queryClient, update, { ...place, ...inputOf(rule), enabled }),
                  )
              },
              remove: ({ id, name }) =>
                void carryOut('removed', name, () => change(queryClient, remove, { ...place, id })),
              order: (ids) => void carryOut('reordered', '', () => change(queryClient, reorder, { ...place, ids })),
            },
          }
        : {})}
    />
  )
}

/** What a call sends of a rule: its key stays. */
function inputOf({
  position: _position,
  createdAt: _createdAt,
  ...rule
}: ApiRule): Omit<RouteInput<typeof apiProtection.routes.update>, 'site' | 'domain'> {
  return rule
}
