import { type RouteOutput, type Site, sites } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { accountRead } from '../../shell/access/session.ts'
import { ConfirmByName } from '../../ui/layers/confirm-by-name.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'

type DeleteSiteProps = {
  site: Site
  opened: boolean
  onClose: () => void
  /** Away from a screen that cannot be without the site; the shell leaves its own by itself. */
  leave?: () => Promise<void>
}

/** Takes a site away for good: its name has to be typed. */
export function DeleteSite({ site, opened, onClose, leave }: DeleteSiteProps) {
  const { t } = useTranslation('sites')
  const show = useSnackbar()
  const queryClient = useQueryClient()
  const remove = useChange(sites.routes.remove, {
    subject: 'site',
    onDone: async () => {
      onClose()
      show('site', { message: t('deleted', { site: site.domainName }) })
      // The guards lead who has no site to where one is added.
      queryClient.setQueryData(
        accountRead.queryKey,
        (old) => old && { ...old, siteCount: Math.max(0, old.siteCount - 1) },
      )
      // Leave first: the screen below is about a site that is not there any more.
      await leave?.()
      queryClient.setQueriesData<RouteOutput<typeof sites.routes.list>>({ queryKey: [sites.routes.list.path] }, (old) =>
        old?.data.some(({ id }) => id === site.id)
          ? { ...old, data: old.data.filter(({ id }) => id !== site.id) }
          : undefined,
      )
    },
  })
  return (
    <ConfirmByName
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { site: site.domainName })}
      name={site.domainName}
      verb={t('deleteVerb')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ site: site.id, confirmName: site.domainName })}
    >
      {t(site.zoneStatus === 0 ? 'deleteDraftText' : 'deleteText', { count: site.recordCount })}
    </ConfirmByName>
  )
}
