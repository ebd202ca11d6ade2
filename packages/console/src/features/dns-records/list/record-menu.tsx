import { dnsRecords, routingStrategies } from '@fairway/contract'
import type { DnsRecord, Site } from '@fairway/contract'
import { absoluteName } from '@fairway/domain'
import { Menu } from '@mantine/core'
import { IconCopy, IconHelpCircle, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../../api/use-change.ts'
import { useCanCall } from '../../../shell/access/session.ts'
import { CellIconButton } from '../../../ui/data-table/cell-controls.tsx'
import { useSnackbar } from '../../../ui/layers/snackbar.tsx'
import { useUndoVersion } from '../../versions/use-undo-version.ts'
import { recordLabel } from '../filter-records.ts'
import type { RecordWords } from '../use-record-words.ts'

type RecordMenuProps = {
  site: Pick<Site, 'id' | 'domainName'>
  record: DnsRecord
  canEdit: boolean
  onEdit: () => void
  onHistory: () => void
  words: RecordWords
}

/** What can be done with a record. Of very many rows a few menus are opened: until then each is its button alone. */
export function RecordMenu(props: RecordMenuProps) {
  const [wasPressed, setPressed] = useState(false)
  if (wasPressed) return <PressedMenu {...props} />
  return (
    <CellIconButton
      icon="dots"
      aria-label={props.words.menuOf(recordLabel(props.record))}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setPressed(true)}
    />
  )
}

function PressedMenu({ site, record, canEdit, onEdit, onHistory, words }: RecordMenuProps) {
  const [opened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // The button that was pressed is gone: this one takes its focus first, so that closing gives it back.
  useEffect(() => {
    button.current?.focus({ preventScroll: true })
    setOpened(true)
  }, [])
  const { t } = useTranslation('dns-records')
  const show = useSnackbar()
  const undo = useUndoVersion(site.id)
  const name = recordLabel(record)
  const remove = useChange(dnsRecords.routes.remove, {
    onDone: ({ meta }) => show(`record ${record.id}`, { message: t('deleted', { name }), ...undo(meta.version) }),
  })
  const canAsk = useCanCall(routingStrategies.routes.why)
  const navigate = useNavigate()
  const askWhy = () =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, why: '', whyName: absoluteName(record.name, site.domainName) }),
    })
  const copyLine = async () => {
    const { zoneFileLine } = await import('../zone-file-line.ts')
    const line = zoneFileLine(record, site.domainName)
    navigator.clipboard.writeText(line).then(
      () => show('copy', { message: t('lineCopied') }),
      () => show('copy', { message: t('shell:cannotCopy'), tone: 'bad' }),
    )
  }
  return (
    <Menu position="bottom-end" width={210} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <CellIconButton ref={button} icon="dots" aria-label={words.menuOf(name)} />
      </Menu.Target>
      <Menu.Dropdown>
        {canEdit && (
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.65} />} onClick={onEdit}>
            {t('edit')}
          </Menu.Item>
        )}
        {record.multiCdn && canAsk && (
          <Menu.Item leftSection={<IconHelpCircle size={16} stroke={1.65} />} onClick={askWhy}>
            {t('why')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconHistory size={16} stroke={1.65} />} onClick={onHistory}>
          {t('historyOfRecord')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} stroke={1.65} />} onClick={() => void copyLine()}>
          {t('copyLine')}
        </Menu.Item>
        {canEdit && (
          <>
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} stroke={1.65} />}
              onClick={() => remove.mutate({ site: site.id, id: record.id })}
            >
              {t('delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
