import { type Site, type ZoneFileFormat, zoneFiles } from '@fairway/contract'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconFileDownload, IconFileText, IconFileUpload, IconTable } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { buildCall } from '../../api/client.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { onDemand } from '../../ui/pace/on-demand.tsx'

const ImportDrawer = onDemand(async () => (await import('./import-drawer.tsx')).ImportDrawer)

type ZoneFileActionsProps = {
  site: Site
  isFetched: boolean
  /** Which of the two is open; the address keeps it. */
  open: 'import' | 'export' | undefined
  onOpen: (open: 'import' | 'export' | undefined) => void
}

/** Import and Export of a site's records as files, for the head of its page. */
export function ZoneFileActions({ site, isFetched, open, onOpen }: ZoneFileActionsProps) {
  const { t } = useTranslation('zone-files')
  const canImport = useCanCall(zoneFiles.routes.apply) && !isFetched
  // A link, so that the browser saves what the API sends under the name it gives.
  const link = (format: ZoneFileFormat) => ({
    component: 'a' as const,
    href: buildCall(zoneFiles.routes.export, { site: site.id, format }).url,
    download: true,
  })
  return (
    <>
      {canImport && (
        <Button
          variant="default"
          leftSection={<IconFileUpload size={16} stroke={1.65} />}
          onClick={() => onOpen('import')}
        >
          {t('open')}
        </Button>
      )}
      <Menu
        position="bottom-end"
        opened={open === 'export'}
        onChange={(isOpen) => onOpen(isOpen ? 'export' : undefined)}
      >
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconFileDownload size={16} stroke={1.65} />}
            rightSection={<IconChevronDown size={14} stroke={1.65} />}
          >
            {t('export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFileText size={16} stroke={1.65} />} {...link('bind')}>
            {t('format.bind')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTable size={16} stroke={1.65} />} {...link('csv')}>
            {t('format.csv')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {canImport && <ImportDrawer site={site} opened={open === 'import'} onClose={() => onOpen(undefined)} />}
    </>
  )
}
