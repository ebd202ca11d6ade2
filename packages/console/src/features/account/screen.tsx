import { account } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ApiKeysCard } from './api-keys-card.tsx'
import { ConsoleCard } from './console-card.tsx'
import { DetailsForm } from './details-form.tsx'
import { LeaveCard } from './leave-card.tsx'
import { OrganizationLeaveCard } from './organization-leave-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { ProfileDialogs } from './profile-dialogs.tsx'
import classes from './screen.module.css'
import { SecurityCard } from './security-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** Who one is, and how one signs in. */
export function UserProfileScreen() {
  const { t } = useTranslation('account')
  const profile = useRead(account.routes.profile, {})
  const organization = useRead(account.routes.organization, {})
  const failed = profile.isError ? profile : organization.isError ? organization : null
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} />
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && (!profile.data || !organization.data) && (
        <div className={classes.stack}>
          {[220, 260, 160].map((height) => (
            <Card key={height}>
              <Skeleton height={height} />
            </Card>
          ))}
        </div>
      )}
      {!failed && profile.data && organization.data && (
        <div className={classes.stack}>
          <DetailsForm profile={profile.data} organization={organization.data} />
          <ConsoleCard />
          <SecurityCard profile={profile.data} />
          <PasskeysCard />
          <SessionsCard />
          <ApiKeysCard />
          {organization.data.mayExport && <OrganizationLeaveCard mayClose={organization.data.mayClose} />}
          {(profile.data.mayLeave || organization.data.mayExport) && (
            <LeaveCard mayLeave={profile.data.mayLeave} mayClose={organization.data.mayClose} />
          )}
          <ProfileDialogs profile={profile.data} organization={organization.data} />
        </div>
      )}
    </>
  )
}
