import { operatorArea } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'

/** Another machine joins with one command; the invitation is shown once. */
export function InviteNode() {
  const { t } = useTranslation('operator')
  const format = useFormat()
  const invite = useChange(operatorArea.routes.inviteNode)
  return (
    <>
      <Button
        leftSection={<IconPlus size={16} stroke={1.9} />}
        loading={invite.isPending}
        onClick={() => invite.mutate({})}
      >
        {t('nodes.invite')}
      </Button>
      <Dialog opened={invite.data !== undefined} onClose={() => invite.reset()} title={t('nodes.invite')} size={560}>
        {invite.data && (
          <>
            <p>{t('nodes.inviteText', { time: format.dateTime(Date.parse(invite.data.expiresAt)) })}</p>
            <CodeSnippet label={t('nodes.inviteCommand')} code={invite.data.command} />
            <p>{t('nodes.inviteEdge')}</p>
          </>
        )}
      </Dialog>
    </>
  )
}
