import { IconBuildingStore } from '@tabler/icons-react'
import { useLocation, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { BlankLayout } from '../../shell/blank-layout.tsx'
import { MessagePage } from '../../shell/message-page.tsx'
import { usePartner } from '../../shell/partner.ts'
import { PATHS } from '../../shell/paths.ts'
import { useKnownAccount } from '../../shell/session.ts'
import { useIsBuilt } from '../../shell/use-navigation.ts'
import { CodeSnippet } from '../../ui/code-snippet.tsx'
import { LinkButton } from '../../ui/links.tsx'
import classes from './screen.module.css'

/** Where a cloud marketplace sends a buyer: to an account first, then to the link between the purchase and the organisation. */
export function MarketplaceLandingScreen() {
  const { t } = useTranslation('marketplace-landing')
  const { token } = useSearch({ from: '/redirect/third-party-marketplace' })
  const account = useKnownAccount()
  const next = useLocation({ select: ({ href }) => href })
  const contact = usePartner()?.contactEmail ?? null
  const isBuilt = useIsBuilt()
  const icon = <IconBuildingStore className={classes.icon} size={32} stroke={1.4} aria-hidden />
  if (account === null) {
    return (
      <BlankLayout wayIn={false}>
        <MessagePage title={t('title')} icon={icon} text={t('signInFirst')} actions={(
          <>
            {isBuilt(PATHS.signup) && <LinkButton to={PATHS.signup}>{t('signUp')}</LinkButton>}
            <LinkButton to="/login" search={{ next }} variant="default">{t('signIn')}</LinkButton>
          </>
        )} />
      </BlankLayout>
    )
  }
  if (account.organizationAwsCustomerId !== null) {
    return <BlankLayout><MessagePage title={t('linked')} icon={icon} text={t('linkedText', { organization: account.organizationName })} actions={<LinkButton to="/home">{t('home')}</LinkButton>} /></BlankLayout>
  }
  return (
    <BlankLayout>
      <MessagePage title={t('title')} icon={icon} text={t('byHand', { organization: account.organizationName })} actions={(
        <>
          {isBuilt(PATHS.support) ? <LinkButton to={PATHS.support}>{t('support')}</LinkButton> : contact !== null && <LinkButton to="/home">{t('home')}</LinkButton>}
          {contact !== null && <a className="link" href={`mailto:${contact}`}>{contact}</a>}
        </>
      )}>
        {token !== undefined && <div className={classes.token}><CodeSnippet label={t('token')} code={token} /></div>}
      </MessagePage>
    </BlankLayout>
  )
}
