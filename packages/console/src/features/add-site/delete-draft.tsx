import { type Site, sites } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCanCall } from '../../shell/access/session.ts'
import { DeleteSite } from '../sites/delete-site.tsx'

/** Gives a draft up; nothing of it was ever served. */
export function DeleteDraft({ site }: { site: Site }) {
  const { t } = useTranslation('add-site')
  const [opened, setOpened] = useState(false)
  const navigate = useNavigate()
  if (!useCanCall(sites.routes.remove)) return null
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => setOpened(true)}>
        {t('deleteDraft')}
      </Button>
      <DeleteSite
        site={site}
        opened={opened}
        onClose={() => setOpened(false)}
        leave={() => navigate({ to: '/add-site' })}
      />
    </>
  )
}
