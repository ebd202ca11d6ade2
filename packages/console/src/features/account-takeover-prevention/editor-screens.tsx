import { credentialStuffing, failedLogin } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import backClasses from '../routing-strategies/editor/strategy-editor.module.css'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { FailedLoginEditor } from './failed-login-editor.tsx'
import { StuffingEditor } from './stuffing-editor.tsx'

const AT = '/shell/$site/{-$domain}/origin-shield/account-takeover-prevention'

export function AddFailedLoginScreen() {
  return <Frame>{(place) => <FailedLoginEditor place={place} rule={null} />}</Frame>
}

export function AddStuffingScreen() {
  return <Frame>{(place) => <StuffingEditor place={place} rule={null} />}</Frame>
}

export function EditFailedLoginScreen() {
  const { id } = useParams({ from: `${AT}/failed-login/edit/$id` })
  return <Frame>{(place) => <ExistingFailedLogin key={id} place={place} id={id} />}</Frame>
}

export function EditStuffingScreen() {
  const { id } = useParams({ from: `${AT}/credential-stuffing/edit/$id` })
  return <Frame>{(place) => <ExistingStuffing key={id} place={place} id={id} />}</Frame>
}

function ExistingFailedLogin({ place, id }: { place: Place; id: string }) {
  const { data, error, refetch } = useRead(failedLogin.routes.get, { ...place, id })
  if (data) return <FailedLoginEditor place={place} rule={data} />
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={480} radius="lg" />
}

function ExistingStuffing({ place, id }: { place: Place; id: string }) {
  const { data, error, refetch } = useRead(credentialStuffing.routes.get, { ...place, id })
  if (data) return <StuffingEditor place={place} rule={data} />
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={480} radius="lg" />
}

/** Says what is in the way, else shows the form. */
function Frame({ children }: { children: (place: Place) => ReactNode }) {
  const { t } = useTranslation('account-takeover-prevention')
  const { site, domain } = useScope()
  if (!domain)
    return <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/account-takeover-prevention" />
  return (
    <Gate route={failedLogin.routes.update} meaning={t('meaning')}>
      <Link
        className={backClasses.back}
        to="/$site/{-$domain}/origin-shield/account-takeover-prevention"
        params={{ site: site.domainName, domain: domain.name }}
      >
        <IconArrowLeft size={15} stroke={1.8} aria-hidden />
        {t('title')}
      </Link>
      <ShieldNotice domain={domain} />
      {children({ site: site.id, domain: domain.id })}
    </Gate>
  )
}
