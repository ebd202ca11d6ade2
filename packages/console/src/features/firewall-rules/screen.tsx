import { firewallRules } from '@fairway/contract'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Button, Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DeployState } from '../versions/deploy-state.tsx'
import { TryButton } from '../web-security/try-button.tsx'
import { QuotaLine } from '../web-security/quota.tsx'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { FirewallList } from './firewall-list.tsx'

/** What becomes of which requests: the firewall rules of a domain in the order in which the edge reads them. */
export function FirewallRulesScreen() {
  const { t } = useTranslation('firewall-rules')
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const mayAdd = useCanCall(firewallRules.routes.create) && domain !== null
  const add = () =>
    void navigate({
      to: '/$site/{-$domain}/origin-shield/firewall-rules/add',
      params: { site: site.domainName, domain: domain?.name },
    })
  const addApi = () =>
    void navigate({
      to: '/$site/{-$domain}/origin-shield/api-protection/create',
      params: { site: site.domainName, domain: domain?.name },
    })
  useShortcut('c', t('add'), add, mayAdd)
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        beside={domain && <DeployState site={site} />}
        actions={
          <>
            {domain && <TryButton place={{ site: site.id, domain: domain.id }} />}
            {mayAdd && (
              <Menu position="bottom-end" width={210}>
                <Menu.Target>
                  <Button leftSection={<IconPlus size={16} stroke={1.9} />}>{t('add')}</Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={add}>{t('addFirewallRule')}</Menu.Item>
                  <Menu.Item onClick={addApi}>{t('addApiRule')}</Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </>
        }
      />
      <Gate route={{ ...firewallRules.routes.list, planFeature: 'waf.enable' }} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/firewall-rules" />
        ) : (
          <>
            <ShieldNotice domain={domain} />
            <QuotaLine place={{ site: site.id, domain: domain.id }} part="firewall-rules" />
            <FirewallList place={{ site: site.id, domain: domain.id }} onAdd={mayAdd ? add : null} />
          </>
        )}
      </Gate>
    </>
  )
}
