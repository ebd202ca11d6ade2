import { vsrRules } from '@fairway/contract'
import type { VsrRule } from '@fairway/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'

export function VsrMenu({ place, rule: { id, name } }: { place: Place; rule: VsrRule }) {
  const { t } = useTranslation('vsr-rules')
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const canEdit = useCanCall(vsrRules.routes.update)
  const remove = useChange(vsrRules.routes.remove, {
    onDone: ({ meta }) => show(`vsr ${id}`, { message: t('removed', { name }), ...undo(meta.version) }),
  })
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon aria-label={t('menu', { name })} onClick={(event) => event.stopPropagation()}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('menu', { name })} onClick={(event) => event.stopPropagation()}>
        {canEdit && (
          <>
            <Menu.Item
              leftSection={<IconPencil size={15} stroke={1.65} />}
              onClick={() =>
                void navigate({
                  to: '/$site/{-$domain}/dem/routing-strategies/vsrRule/edit/$id',
                  params: { site: site.domainName, domain: domain?.name, id },
                })
              }
            >
              {t('edit')}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={15} stroke={1.65} />}
          onClick={() => remove.mutate({ ...place, id })}
        >
          {t('remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
