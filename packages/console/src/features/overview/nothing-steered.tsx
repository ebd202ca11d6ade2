import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../shell/scope/scope.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'

/** Before the first CDN is attached. */
export function NothingSteered() {
  const { t } = useTranslation('overview')
  const { site, domain } = useScope()
  return (
    <Card>
      <EmptyTeach
        title={t('empty.title')}
        text={t('empty.text')}
        steps={[t('empty.step1'), t('empty.step2'), t('empty.step3')]}
        action={
          <Button
            renderRoot={(props) => (
              <Link
                {...props}
                to="/$site/{-$domain}/multi-cdn/cdn-management"
                params={{ site: site.domainName, domain: domain?.name }}
              />
            )}
          >
            {t('empty.action')}
          </Button>
        }
      />
    </Card>
  )
}
