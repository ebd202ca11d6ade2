import { supportTickets } from '@fairway/contract'
import { Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconExternalLink, IconLifebuoy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'

/** My tickets, where they lie at a help desk outside: its pages open signed in, by a token made for this visit. */
export function HelpDeskItem({ provider }: { provider: string }) {
  const { t } = useTranslation('shell')
  const report = useReportFailure()
  const open = useMutation({
    mutationFn: () => api(supportTickets.routes.token, { provider }),
    onSuccess: ({ url }) => void window.open(url, '_blank', 'noopener'),
    onError: (error) => report('help desk', error),
  })
  return (
    <Menu.Item
      leftSection={<IconLifebuoy size={16} stroke={1.65} />}
      rightSection={<IconExternalLink size={14} stroke={1.65} aria-hidden />}
      onClick={() => open.mutate()}
    >
      {t('account.myTickets')}
    </Menu.Item>
  )
}
