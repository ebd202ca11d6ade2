import { type Site, addSite, sites } from '@fairway/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPlus, IconServer, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCanCall } from '../../shell/access/session.ts'
import { LinkMenuItem } from '../../ui/marks/links.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'

const DeleteSite = onDemand(async () => (await import('./delete-site.tsx')).DeleteSite)

/** What can be done with the site as a whole. */
export function SiteMenu({ site }: { site: Site }) {
  const { t } = useTranslation('sites')
  const [deleting, setDeleting] = useState(false)
  const canAddDomain = useCanCall(addSite.routes.addDomain)
  const canRemove = useCanCall(sites.routes.remove)
  return (
    <>
      <Menu position="bottom-start" width={230}>
        <Menu.Target>
          <ActionIcon size={26} aria-label={t('menu', { site: site.domainName })}>
            <IconDots size={16} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('menu', { site: site.domainName })}>
          {canAddDomain && (
            <LinkMenuItem
              to="/$site/{-$domain}/add-domain"
              params={{ site: site.domainName, domain: undefined }}
              leftSection={<IconPlus size={16} stroke={1.65} />}
            >
              {t('addDomain')}
            </LinkMenuItem>
          )}
          <LinkMenuItem
            to="/add-site/finish-setup"
            search={{ zone_id: site.id, zone_name: site.domainName }}
            leftSection={<IconServer size={16} stroke={1.65} />}
          >
            {t('setup')}
          </LinkMenuItem>
          {canRemove && (
            <>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} stroke={1.65} />}
                onClick={() => setDeleting(true)}
              >
                {t('delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <DeleteSite site={site} opened={deleting} onClose={() => setDeleting(false)} />
    </>
  )
}
