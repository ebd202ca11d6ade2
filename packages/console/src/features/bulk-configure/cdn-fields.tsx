import { cdnManagement } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { CDN_WISHES } from './draft.ts'
import classes from './bulk-configure.module.css'
import { Choice, type FormProps } from './fields.tsx'

/** What is to become of each CDN on the chosen domains. */
export function CdnFields(form: FormProps) {
  const { t } = useTranslation('bulk-configure')
  const { data, error, refetch } = useRead(cdnManagement.routes.platforms, { page_size: -1, ordering: 'name' })
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={160} radius="sm" />
  return (
    <div className={classes.fields}>
      {data.data.map(({ id, name }) => (
        <Choice
          key={id}
          {...form}
          field={`cdn:${id}`}
          label={name}
          options={CDN_WISHES.map((value) => ({ value, label: t(`cdn.${value}`) }))}
        />
      ))}
    </div>
  )
}
