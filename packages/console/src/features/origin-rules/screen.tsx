import { originRules } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DeployState } from '../versions/deploy-state.tsx'
import { QuotaLine } from '../web-security/quota.tsx'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { TryButton } from '../web-security/try-button.tsx'
import { OriginRuleList } from './origin-rule-list.tsx'

export function OriginRulesScreen() {
  const { t } = useTranslation('origin-rules')
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const mayAdd = useCanCall(originRules.routes.create) && domain !== null
  const add = () =>
    void navigate({
      to: '/$site/{-$domain}/origin-shield/origin-rules/add',
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
              <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={add}>
                {t('add')}
              </Button>
            )}
          </>
        }
      />
      <Gate route={{ ...originRules.routes.list, planFeature: 'waf.enable' }} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/origin-rules" />
        ) : (
          <>
            <ShieldNotice domain={domain} />
            <QuotaLine place={{ site: site.id, domain: domain.id }} part="origin-rules" />
            <OriginRuleList place={{ site: site.id, domain: domain.id }} onAdd={mayAdd ? add : null} />
          </>
        )}
      </Gate>
    </>
  )
}
