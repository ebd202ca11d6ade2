import { addSite, sites } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useCanCall } from '../access/session.ts'

/** An account without a site: what a site is, and the call that makes one. */
export function NoSite() {
  const { t } = useTranslation('shell')
  const canAdd = useCanCall(addSite.routes.create)
  const call = `curl -X POST ${window.location.origin}${sites.routes.create.path} \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H "Content-Type: application/json" \\\n  -d '{"domainName": "example.com"}'`
  return (
    <>
      <PageHeader title={t('noSite.title')} meaning={t('noSite.meaning')} />
      <EmptyTeach
        title={t('noSite.what')}
        steps={[t('noSite.step1'), t('noSite.step2'), t('noSite.step3')]}
        action={canAdd && <LinkButton to="/add-site">{t('addSite')}</LinkButton>}
      >
        <CodeSnippet label={t('noSite.call')} code={call} />
      </EmptyTeach>
    </>
  )
}
