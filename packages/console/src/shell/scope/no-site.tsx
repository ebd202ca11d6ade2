import { addSite, billing, sites } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useCanCall } from '../access/session.ts'

/** An account without a site, or whose sites are not this person's: what a site is, and the call that makes one. */
export function NoSite() {
  const { t } = useTranslation('shell')
  const canSee = useCanCall(sites.routes.get)
  const canAdd = useCanCall(addSite.routes.create)
  const canPay = useCanCall(billing.routes.invoices)
  const call = `curl -X POST ${window.location.origin}${sites.routes.create.path} \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H "Content-Type: application/json" \\\n  -d '{"domainName": "example.com"}'`
  return (
    <>
      <PageHeader title={t('noSite.title')} meaning={t('noSite.meaning')} />
      {canAdd ? (
        <EmptyTeach
          title={t('noSite.what')}
          steps={[t('noSite.step1'), t('noSite.step2'), t('noSite.step3')]}
          action={<LinkButton to="/add-site">{t('addSite')}</LinkButton>}
        >
          <CodeSnippet label={t('noSite.call')} code={call} />
        </EmptyTeach>
      ) : (
        <EmptyTeach
          title={t(canSee ? 'noSite.what' : 'noSite.notYours')}
          text={t(canSee ? 'noSite.askToAdd' : 'noSite.askToSee')}
          action={canPay ? <LinkButton to="/account/billing/{-$type}">{t('account.billing')}</LinkButton> : undefined}
        />
      )}
    </>
  )
}
