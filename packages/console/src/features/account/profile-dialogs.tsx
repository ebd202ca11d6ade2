import type { Organization, Profile } from '@fairway/contract'
import { LeaveDialog } from '../teammates/own-dialogs.tsx'
import { ApiKeyDialog } from './api-key-dialog.tsx'
import { CloseOrganizationDialog } from './close-organization-dialog.tsx'
import { EmailDialog } from './email-dialog.tsx'
import { MfaOffDialog } from './mfa-off-dialog.tsx'
import { MfaSetupDialog } from './mfa-setup-dialog.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { RecoveryDialog } from './recovery-dialog.tsx'
import { useOpenDialog } from './use-open-dialog.ts'

/** The dialog that the address names. */
export function ProfileDialogs({ profile, organization }: { profile: Profile; organization: Organization }) {
  const { opened, close } = useOpenDialog()
  switch (opened) {
    case 'password':
      return profile.hasPassword ? <PasswordDialog onClose={close} /> : null
    case 'email':
      return <EmailDialog profile={profile} onClose={close} />
    case 'mfa':
      return <MfaSetupDialog profile={profile} onClose={close} />
    case 'mfa-off':
      return profile.hasMfaEnabled ? <MfaOffDialog profile={profile} onClose={close} /> : null
    case 'recovery':
      return profile.hasMfaEnabled ? <RecoveryDialog profile={profile} onClose={close} /> : null
    case 'passkey':
      return <PasskeyDialog profile={profile} onClose={close} />
    case 'api-key':
      return <ApiKeyDialog onClose={close} />
    case 'leave':
      return profile.mayLeave ? <LeaveDialog email={profile.email} onClose={close} /> : null
    case 'close-organization':
      return organization.mayClose ? (
        <CloseOrganizationDialog profile={profile} name={organization.organizationName} onClose={close} />
      ) : null
    case null:
      return null
  }
}
