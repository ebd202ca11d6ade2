import { account } from '@fairway/contract'
import { SITUATION_OF_CODE } from '@fairway/contract/lean'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { read } from '../../api/queries.ts'

/** A failure with which people turn to support: the ticket then knows which call it was. Nothing for all others. */
export function AskForHelp({ error }: { error: unknown }) {
  const { t } = useTranslation('errors')
  const known = useQueryClient().getQueryData(read(account.routes.info, {}).queryKey)
  if (!(error instanceof ApiError) || SITUATION_OF_CODE[error.code] === undefined) return null
  // A partner may do without tickets.
  if (known === undefined || known.hideFeature.includes('support')) return null
  const search = new URLSearchParams({ code: String(error.code) })
  if (error.requestId !== null) search.set('request', error.requestId)
  return (
    <Button component="a" variant="default" size="xs" href={`/support?${search.toString()}`}>
      {t('askForHelp')}
    </Button>
  )
}
