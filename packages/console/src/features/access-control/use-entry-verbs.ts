import { accessControl } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'

/** Takes entries off their list, with Undo. */
export function useRemoveEntries(place: Place): (ids: readonly string[], onDone?: () => void) => void {
  const { t } = useTranslation('access-control')
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const remove = useChange(accessControl.routes.removeMany)
  return (ids, onDone) =>
    remove.mutate(
      { ...place, ids: [...ids] },
      {
        onSuccess: ({ data, meta }) => {
          show('access-control', { message: t('removed', { count: data.removed }), ...undo(meta.version) })
          onDone?.()
        },
      },
    )
}
