import { bulkConfigure, domains } from '@fairway/contract'
import { IconAdjustments } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DomainList } from './domain-list.tsx'

/** Every domain of every site, by what is wrong with it, where it belongs and which CDNs it has. */
export function DomainsScreen() {
  const { t } = useTranslation('domains')
  const search = useSearch({ from: '/shell/domains' })
  const navigate = useNavigate({ from: '/domains' })
  const { plan } = useAccount()
  const canBulk = useCanCall(bulkConfigure.routes.create) && plan.ability.includes('bulkConfig.enable')
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          canBulk && (
            <LinkButton
              to="/domains/bulk-configure"
              variant="default"
              leftSection={<IconAdjustments size={16} stroke={1.65} />}
            >
              {t('bulk')}
            </LinkButton>
          )
        }
      />
      <Gate route={domains.routes.all} meaning={t('meaning')}>
        <DomainList
          search={search}
          onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
          onOpen={({ siteName, name }) =>
            void navigate({ to: '/$site/{-$domain}/home', params: { site: siteName, domain: name } })
          }
        />
      </Gate>
    </>
  )
}
