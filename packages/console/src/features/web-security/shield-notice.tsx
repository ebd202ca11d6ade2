import { domains } from '@fairway/contract'
import type { Domain } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Notice } from '../../ui/page/notice.tsx'

/** Rules look at nothing while the domain goes past its origin shield: says so, with the button that mends it. */
export function ShieldNotice({ domain }: { domain: Domain }) {
  const { t } = useTranslation('web-security')
  const mayEdit = useCanCall(domains.routes.update)
  const update = useChange(domains.routes.update)
  if (domain.settings.originShield === 'use') return null
  return (
    <Notice
      tone="warn"
      title={t('bypassTitle')}
      action={
        mayEdit && (
          <Button
            size="xs"
            loading={update.isPending}
            onClick={() => update.mutate({ site: domain.siteId, domain: domain.id, settings: { originShield: 'use' } })}
          >
            {t('use')}
          </Button>
        )
      }
    >
      {t('bypassText', { domain: domain.name })}
    </Notice>
  )
}
