import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { Copy } from '../../ui/marks/copy.tsx'
import { usePageTitle } from '../../ui/page/page-header.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { isChunkFailure, reloadOnce } from './chunk-reload.ts'
import classes from './error-page.module.css'
import { Nearest } from './nearest.tsx'
import { openPalette } from '../palette/palette-store.ts'
import { usePartner } from '../partner.ts'
import { PATHS } from '../nav/paths.ts'
import { reportError, statusOf } from './report-error.ts'
import { useKnownAccount } from '../access/session.ts'
import { useIsBuilt } from '../nav/use-navigation.ts'

/** What a screen could not handle. */
export function Explained({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation('errors')
  const router = useRouter()
  useEffect(() => {
    if (!(isChunkFailure(error) && reloadOnce())) reportError(error)
  }, [error])
  const status = statusOf(error)
  const { code, requestId } = error instanceof ApiError ? error : { code: status, requestId: null }
  const tryAgain = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Message
      status={status}
      code={code}
      title={status < 500 ? failureText(t, error) : t('page.wrong')}
      detail={status < 500 ? null : failureText(t, error)}
      requestId={requestId}
    >
      <Button onClick={tryAgain}>{t('page.tryAgain')}</Button>
    </Message>
  )
}

/** An address that leads nowhere. */
export function NotFoundMessage() {
  const { t } = useTranslation('errors')
  return <Message status={404} code={404} title={t('page.notFound')} detail={null} requestId={null} />
}

/** A page that the role, or the kind of customer, does not include. */
export function ForbiddenMessage() {
  const { t } = useTranslation('errors')
  return <Message status={403} code={403} title={t('errorMessage.403')} detail={null} requestId={null} />
}

type MessageProps = {
  status: number
  code: number
  title: string
  detail: string | null
  requestId: string | null
  children?: ReactNode
}

/** Status and code, plain words, what to try, the id to quote, and the ways on. */
function Message({ status, code, title, detail, requestId, children }: MessageProps) {
  const { t } = useTranslation('errors')
  const account = useKnownAccount()
  const isBuilt = useIsBuilt()
  const contact = usePartner()?.contactEmail ?? null
  const address = useRouterState({ select: ({ location }) => location.pathname })
  usePageTitle(title)
  const hasTickets = account !== null && !account.hideFeature.includes('support')
  return (
    <div className={classes.page} role="alert">
      <p className={classes.code}>
        <Link to="/docs/errors" hash={`code-${code === 0 ? status : code}`}>
          {status === code || code === 0 ? status : `${status} · ${code}`}
        </Link>
      </p>
      <h1 className={classes.title}>{title}</h1>
      {detail !== null && detail !== title && <p className={classes.advice}>{detail}</p>}
      {status === 403 && <p className={classes.advice}>{t('page.who')}</p>}
      {status === 403 || status === 404 ? (
        <p className={classes.id}>
          {t('page.address')} <code>{address}</code>
        </p>
      ) : (
        <p className={classes.advice}>{t('page.reload')}</p>
      )}
      {status === 404 && account !== null && <Nearest />}
      <p className={classes.advice}>
        {t('page.contact')} {/* A partner without tickets is written to. */}
        {hasTickets && (
          <Link
            className="link"
            to="/support"
            search={{ code: code === 0 ? undefined : code, request: requestId ?? undefined }}
          >
            {t('page.ticket')}
          </Link>
        )}
        {!hasTickets && contact !== null && (
          <a className="link" href={`mailto:${contact}`}>
            {contact}
          </a>
        )}
      </p>
      {requestId !== null && (
        <p className={classes.id}>
          {t('page.requestId')} <code>{requestId}</code>
          <Copy value={requestId} />
        </p>
      )}
      <div className={classes.actions}>
        {children}
        {account === null ? (
          <LinkButton to="/login" variant="default">
            {t('page.login')}
          </LinkButton>
        ) : (
          <>
            <LinkButton to="/home" variant="default">
              {t('page.home')}
            </LinkButton>
            {status === 404 ? (
              <Button variant="subtle" onClick={openPalette}>
                {t('page.search')}
              </Button>
            ) : (
              isBuilt(PATHS.userProfile) && (
                <LinkButton to={PATHS.userProfile} variant="subtle">
                  {t('page.profile')}
                </LinkButton>
              )
            )}
          </>
        )}
      </div>
    </div>
  )
}
