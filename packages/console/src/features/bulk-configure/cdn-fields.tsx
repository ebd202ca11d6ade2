import { cdnManagement } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { CDN_WISHES } from './draft.ts'
import classes from './bulk-configure.module.css'
import { Choice, type FormProps } from './fields.tsx'

/** What is to become of each CDN on the chosen domains. */
export function CdnFields(form: FormProps) {
  const { t } = useTranslation('bulk-configure')
  const { data, error, refetch } = useRead(cdnManagement.routes.platforms, { page_size: -1, ordering: 'name' })
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={160} radius="sm" />
  // A licence is one site's: there is no installing of many at once.
  const needsLicence = (category: string): boolean => category === 'china-cdn'
  return (
    <div className={classes.fields}>
      {data.data.map(({ id, name, category }) => (
        <Choice
          key={id}
          {...form}
          field={`cdn:${id}`}
          label={name}
          options={CDN_WISHES.filter((wish) => wish !== 'install' || !needsLicence(category)).map((value) => ({
            value,
            label: t(`cdn.${value}`),
          }))}
        />
      ))}
      {data.data.some(({ category }) => needsLicence(category)) && (
        <Notice
          tone="info"
          action={
            <LinkButton to="/marketplace/{-$category}/{-$childCategory}" variant="default" size="xs">
              {t('cdn.marketplace')}
            </LinkButton>
          }
        >
          {t('cdn.licence')}
        </Notice>
      )}
    </div>
  )
}
