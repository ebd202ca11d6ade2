import { organizations } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import classes from '../operator/operator.module.css'
import { UserMenu } from './user-menu.tsx'
import { UserPills } from './user-pills.tsx'

/** The people of one organisation. */
export function UserLines({ organization }: { organization: string }) {
  const { t } = useTranslation('organizations')
  const { data, error, refetch } = useRead(organizations.routes.users, {
    organization,
    page_size: 200,
    ordering: 'email',
  })
  return (
    <section className={classes.stack} aria-label={t('people')}>
      <h3 className={classes.strong}>{t('people')}</h3>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} />}
      <ul className={classes.lines}>
        {data?.data.map((user) => (
          <li key={user.id} className={classes.line}>
            <span className={classes.words}>
              <span className={classes.strong}>{user.email}</span>
              <br />
              <span className={classes.muted}>{`${user.firstName} ${user.lastName}`.trim()}</span>
            </span>
            <span className={classes.actions}>
              <UserPills user={user} />
              <UserMenu user={user} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
