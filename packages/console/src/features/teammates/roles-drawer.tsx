import { type RoleId, type Teammate, teammates } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { nameOf } from './person-name.ts'
import { ReadyRoles } from './ready-roles.tsx'
import { RolesField } from './roles-field.tsx'

/** The roles of one person; it keeps what it shows while it slides out. */
export function RolesDrawer({ person, onClose }: { person: Teammate | undefined; onClose: () => void }) {
  const shown = useRef(person)
  if (person) shown.current = person
  return shown.current ? (
    <RolesForm
      key={`${shown.current.id} ${shown.current.roleIds.join()}`}
      person={shown.current}
      opened={person !== undefined}
      onClose={onClose}
    />
  ) : null
}

function RolesForm({ person, opened, onClose }: { person: Teammate; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('teammates')
  const show = useSnackbar()
  const [roleIds, setRoleIds] = useState<RoleId[]>(person.roleIds)
  const isChanged = roleIds.join() !== person.roleIds.join()
  const setRoles = useChange(teammates.routes.setRoles, { subject: null })
  // What was there before is one click away: a change of roles takes effect at once.
  const undo = () => setRoles.mutate({ id: person.id, roleIds: person.roleIds })
  const save = () => {
    if (!isChanged) return onClose()
    setRoles.mutate(
      { id: person.id, roleIds },
      {
        onSuccess: () => {
          show('roles', { message: t('roles.done', { name: nameOf(person) }), undo })
          onClose()
        },
      },
    )
  }
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t('roles.title', { name: nameOf(person) })}
      keepOpen={isChanged}
      onSubmit={save}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={setRoles.isPending}>
            {t('roles.verb')}
          </Button>
        </>
      }
    >
      {setRoles.error && <FailureNotice title={t('roles.failed')} error={setRoles.error} />}
      <ReadyRoles value={roleIds} onChange={setRoleIds} />
      <RolesField value={roleIds} onChange={setRoleIds} />
    </SideDrawer>
  )
}
