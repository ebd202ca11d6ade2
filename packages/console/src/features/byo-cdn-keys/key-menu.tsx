import { type ByoCdnKey, byoCdnKeys } from '@fairway/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPlugConnected, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../ui/layers/confirm-by-name.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useRefreshing } from '../operator/use-refreshing.ts'

const PATH = '/account/v2/byo-cdn-keys/'

export function KeyMenu({ row: { id, name } }: { row: ByoCdnKey }) {
  const { t } = useTranslation('byo-cdn-keys')
  const show = useSnackbar()
  const [asking, setAsking] = useState(false)
  const test = useRefreshing(byoCdnKeys.routes.test, PATH, ({ problem }) =>
    show(
      `key ${id}`,
      problem === null
        ? { message: t('worksNamed', { name }) }
        : { message: `${name}: ${t(`problem.${problem}`)}`, tone: 'bad' },
    ),
  )
  const remove = useRefreshing(byoCdnKeys.routes.remove, PATH, () => {
    setAsking(false)
    show(`key ${id}`, { message: t('removed', { name }) })
  })
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon aria-label={t('menu', { name })} loading={test.isPending}>
            <IconDots size={16} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('menu', { name })}>
          <Menu.Item leftSection={<IconPlugConnected size={15} stroke={1.65} />} onClick={() => test.mutate({ id })}>
            {t('test')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={15} stroke={1.65} />} onClick={() => setAsking(true)}>
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmByName
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('removeTitle', { name })}
        name={name}
        verb={t('removeVerb')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
      >
        {t('removeText')}
      </ConfirmByName>
    </>
  )
}
