import { type AccountInfo, billing } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconBuildingStore, IconCircleCheck } from '@tabler/icons-react'
import { useLocation, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { BlankLayout } from '../../shell/layouts/blank-layout.tsx'
import { canCall } from '../../shell/access/can-call.ts'
import { MessagePage } from '../../shell/errors/message-page.tsx'
import { PATHS } from '../../shell/nav/paths.ts'
import { accountRead, useKnownAccount } from '../../shell/access/session.ts'
import { useIsBuilt } from '../../shell/nav/use-navigation.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import classes from './screen.module.css'

const icon = <IconBuildingStore className={classes.icon} size={32} stroke={1.4} aria-hidden />

/**
 * Where a cloud marketplace sends a buyer: to an account first, then to the link between the purchase and the
 * organisation.
 */
export function MarketplaceLandingScreen() {
  const { t } = useTranslation('marketplace-landing')
  const { token } = useSearch({ from: '/redirect/third-party-marketplace' })
  const account = useKnownAccount()
  const next = useLocation({ select: ({ href }) => href })
  const isBuilt = useIsBuilt()
  if (account === null) {
    return (
      <BlankLayout wayIn={false}>
        <MessagePage
          title={t('title')}
          icon={icon}
          text={t('signInFirst')}
          actions={
            <>
              {isBuilt(PATHS.signup) && <LinkButton to={PATHS.signup}>{t('signUp')}</LinkButton>}
              <LinkButton to="/login" search={{ next }} variant="default">
                {t('signIn')}
              </LinkButton>
            </>
          }
        />
      </BlankLayout>
    )
  }
  return (
    <BlankLayout>
      <Linking account={account} token={token ?? ''} />
    </BlankLayout>
  )
}

function Linking({ account, token }: { account: AccountInfo; token: string }) {
  const { t } = useTranslation(['marketplace-landing', 'errors', 'validation'])
  const queryClient = useQueryClient()
  const link = useChange(billing.routes.linkMarketplace, {
    subject: null,
    onDone: () => void queryClient.fetchQuery({ ...accountRead, staleTime: 0 }),
  })
  const tokenProblem = link.error instanceof ApiError ? link.error.fields[0]?.message : undefined
  const organization = account.organizationName
  const home = (
    <LinkButton to="/home" variant="default">
      {t('home')}
    </LinkButton>
  )
  if (link.isSuccess || account.organizationAwsCustomerId !== null) {
    return (
      <MessagePage
        title={t('linked')}
        icon={<IconCircleCheck className={classes.done} size={32} stroke={1.4} aria-hidden />}
        text={t('linkedText', { organization })}
        actions={<LinkButton to="/home">{t('home')}</LinkButton>}
      />
    )
  }
  if (token === '') return <MessagePage title={t('noToken')} icon={icon} text={t('noTokenText')} actions={home} />
  if (!canCall(account, billing.routes.linkMarketplace))
    return <MessagePage title={t('title')} icon={icon} text={t('notYours', { organization })} actions={home} />
  return (
    <MessagePage
      title={t('title')}
      icon={icon}
      text={t('ask', { organization })}
      actions={
        <>
          <Button loading={link.isPending} onClick={() => link.mutate({ token })}>
            {t('link', { organization })}
          </Button>
          {home}
        </>
      }
    >
      {link.isError && <Notice tone="bad">{validationText(t, tokenProblem) ?? failureText(t, link.error)}</Notice>}
    </MessagePage>
  )
}
