import { account } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { accountRead } from '../../shell/access/session.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'

/** Takes back that the organisation closes. */
export function useKeepOpen() {
  const { t } = useTranslation('account')
  const queryClient = useQueryClient()
  const show = useSnackbar()
  return useChange(account.routes.keepOpen, {
    onDone: () => {
      void queryClient.invalidateQueries({ queryKey: accountRead.queryKey })
      show('closing', { message: t('leaving.kept') })
    },
  })
}
