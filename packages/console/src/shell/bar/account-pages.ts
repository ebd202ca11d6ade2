import type { AccountInfo, PartnerFeature, Permission } from '@fairway/contract'
import {
  IconBell,
  IconCloudDataConnection,
  IconCreditCard,
  IconHistory,
  IconLifebuoy,
  IconServerCog,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { canCall } from '../access/can-call.ts'
import { ENTERPRISE } from '../guards/guards.ts'

export type AccountPage = {
  /** Text: `shell:account.<key>`. */
  key: string
  to: string
  icon: typeof IconUser
  permission?: Permission
  partnerFeature?: PartnerFeature
  shownTo?: (user: AccountInfo) => boolean
}

/** Pages of the account menu, in its order. */
const PAGES: readonly AccountPage[] = [
  { key: 'userProfile', to: '/account/user-profile', icon: IconUser, partnerFeature: 'account' },
  {
    key: 'teammate',
    to: '/account/teammate',
    icon: IconUsers,
    permission: 'ViewUser',
    shownTo: ({ plan }) => plan.ability.includes('teammate.enable'),
  },
  {
    key: 'billing',
    to: '/account/billing',
    icon: IconCreditCard,
    permission: 'ViewSubscription',
    partnerFeature: 'billing',
  },
  { key: 'auditLog', to: '/account/audit-log', icon: IconHistory, permission: 'ViewAuditLog' },
  { key: 'informationCenter', to: '/account/information-center', icon: IconBell },
  { key: 'myTickets', to: '/support', icon: IconLifebuoy, partnerFeature: 'support' },
  {
    key: 'bringMyCdn',
    to: '/account/bring-my-cdn-account',
    icon: IconCloudDataConnection,
    shownTo: ({ organizationCode }) => organizationCode === ENTERPRISE,
  },
  {
    key: 'operator',
    to: '/operator',
    icon: IconServerCog,
    shownTo: ({ isOperator, administersPartner }) => isOperator || administersPartner,
  },
]

/** The pages that this user finds in the account menu. */
export function accountPagesFor({
  user,
  isBuilt,
}: {
  user: AccountInfo
  isBuilt: (path: string) => boolean
}): AccountPage[] {
  return PAGES.filter(
    ({ to, permission, partnerFeature, shownTo }) =>
      isBuilt(to) &&
      !(partnerFeature !== undefined && user.hideFeature.includes(partnerFeature)) &&
      (permission === undefined || canCall(user, { permission })) &&
      (shownTo?.(user) ?? true),
  )
}
