import { routingStrategies } from '@fairway/contract'
import type { RoutingStrategy } from '@fairway/contract'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconArrowsMoveVertical,
  IconCopy,
  IconDots,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../../api/use-change.ts'
import { useScope } from '../../../shell/scope/scope.ts'
import { useSnackbar } from '../../../ui/layers/snackbar.tsx'
import { useUndoVersion } from '../../versions/use-undo-version.ts'
import type { Place } from '../strategies-read.ts'

type RowMenuProps = {
  place: Place
  strategy: RoutingStrategy
  position?: number
  total?: number
  onMove?: (to: number) => void
  onMoveTo?: () => void
  onDuplicate?: (() => void) | undefined
}

export function RowMenu({
  place,
  strategy: { id, name },
  position = 1,
  total = 1,
  onMove,
  onMoveTo,
  onDuplicate,
}: RowMenuProps) {
  const { t } = useTranslation('routing-strategies')
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const edit = () =>
    void navigate({
      to: '/$site/{-$domain}/dem/routing-strategies/edit/$id',
      params: { site: site.domainName, domain: domain?.name, id },
    })
  const remove = useChange(routingStrategies.routes.remove, {
    onDone: ({ meta }) => show(`strategy ${id}`, { message: t('removed', { name }), ...undo(meta.version) }),
  })
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon aria-label={t('menu', { name })}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('menu', { name })}>
        <Menu.Item leftSection={<IconPencil size={15} stroke={1.65} />} onClick={edit}>
          {t('edit')}
        </Menu.Item>
        {onDuplicate && (
          <Menu.Item leftSection={<IconCopy size={15} stroke={1.65} />} onClick={onDuplicate}>
            {t('duplicate.open')}
          </Menu.Item>
        )}
        {onMove && onMoveTo && (
          <>
            <Menu.Item
              leftSection={<IconArrowUp size={15} stroke={1.65} />}
              rightSection={<kbd>Alt ↑</kbd>}
              disabled={position === 1}
              onClick={() => onMove(position - 2)}
            >
              {t('moveUp')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={15} stroke={1.65} />}
              rightSection={<kbd>Alt ↓</kbd>}
              disabled={position === total}
              onClick={() => onMove(position)}
            >
              {t('moveDown')}
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowsMoveVertical size={15} stroke={1.65} />} onClick={onMoveTo}>
              {t('moveTo')}
            </Menu.Item>
          </>
        )}
        <Menu.Divider />
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
