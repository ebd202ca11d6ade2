import { cdnManagement } from '@fairway/contract'
import type { DomainCdn } from '@fairway/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconDots, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'

const IncrementDialog = onDemand(async () => (await import('./increment-dialog.tsx')).IncrementDialog)

export function CdnMenu({ place, cdn, share }: { place: Place; cdn: DomainCdn; share: number | null }) {
  const { t } = useTranslation('cdn-management')
  const format = useFormat()
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const [open, setOpen] = useState<'increment' | 'uninstall' | null>(null)
  const { id, name, strategyCount } = cdn
  const uninstall = useChange(cdnManagement.routes.uninstall, {
    onDone: ({ meta }) => show(`cdn ${id}`, { message: t('uninstalled', { name }), ...undo(meta.version) }),
  })
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon aria-label={t('menu', { name })}>
            <IconDots size={16} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('menu', { name })}>
          <Menu.Item
            leftSection={<IconAdjustmentsHorizontal size={15} stroke={1.65} />}
            onClick={() => setOpen('increment')}
          >
            {t('increment.open')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={15} stroke={1.65} />}
            onClick={() => setOpen('uninstall')}
          >
            {t('uninstall.open')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <IncrementDialog opened={open === 'increment'} onClose={() => setOpen(null)} place={place} cdn={cdn} />
      <Confirm
        opened={open === 'uninstall'}
        onClose={() => setOpen(null)}
        title={t('uninstall.title', { name })}
        verb={t('uninstall.verb')}
        danger
        onConfirm={() => {
          setOpen(null)
          uninstall.mutate({ ...place, id })
        }}
      >
        <p>
          {[
            share !== null && share >= 0.5 && t('uninstall.share', { share: format.percent(Math.round(share)) }),
            strategyCount > 0 && t('uninstall.strategies', { count: strategyCount }),
            t('uninstall.text'),
          ]
            .filter((part) => part !== false)
            .join(' ')}
        </p>
      </Confirm>
    </>
  )
}
