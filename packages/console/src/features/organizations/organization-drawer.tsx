import {
  type OrganizationRow,
  type OrganizationStatus,
  type Partner,
  type PlanData,
  OrganizationStatus as Status,
  organizations,
} from '@fairway/contract'
import { Button, Select, Skeleton, Switch } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useAccount } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import classes from '../operator/operator.module.css'
import { useRefreshing } from '../operator/use-refreshing.ts'
import { OrganizationState } from './organization-state.tsx'
import { UserLines } from './user-lines.tsx'

/** What was chosen and is not done yet. */
type Chosen =
  | { kind: 'plan' | 'partner' | 'bill'; id: string; name: string }
  | { kind: 'status'; id: OrganizationStatus; name: string }
type Choices = { plans: readonly PlanData[]; brands: readonly Partner[] }

/** One organisation: what it is, what may be changed of it, and its people. */
export function OrganizationDrawer({
  id,
  onClose,
  ...choices
}: { id: string | undefined; onClose: () => void } & Choices) {
  const kept = useRef(id)
  if (id !== undefined) kept.current = id
  const { data, error, refetch } = useRead(
    organizations.routes.get,
    { organization: kept.current ?? '' },
    { enabled: id !== undefined },
  )
  const shown = data?.id === kept.current ? data : undefined
  return (
    <SideDrawer opened={id !== undefined} onClose={onClose} title={shown?.name ?? ''}>
      {error && !shown && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!shown && !error && <Skeleton height={320} />}
      {shown && <Details key={shown.id} organization={shown} {...choices} />}
    </SideDrawer>
  )
}

function Details({ organization, plans, brands }: { organization: OrganizationRow } & Choices) {
  const { t } = useTranslation('organizations')
  const show = useSnackbar()
  const format = useFormat()
  const { isOperator, organizationId } = useAccount()
  const [asking, setAsking] = useState(false)
  const [keeping, setKeeping] = useState(false)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const done = (row: OrganizationRow) => {
    setAsking(false)
    setKeeping(false)
    setChosen(null)
    show(`organization ${row.id}`, { message: t('changed', { name: row.name }) })
  }
  const update = useRefreshing(organizations.routes.update, '/operator/v2/', done)
  const manage = useRefreshing(organizations.routes.manage, '/operator/v2/', done)
  const keepOpen = useRefreshing(organizations.routes.keepOpen, '/operator/v2/', done)
  const { id, name, suspended, planId, partnerId, status, sandbox, may, closesAt, closedAt, closingProblem } =
    organization
  const isClosed = closedAt !== null
  // What is offered no more can be kept, and is the operator's to give.
  const givable = plans.filter((plan) => isOperator || plan.offered || plan.id === planId)
  const isOwn = id === organizationId
  return (
    <div className={classes.stack}>
      <dl className={classes.facts}>
        <dt>{t('state')}</dt>
        <dd>
          <OrganizationState organization={organization} />
        </dd>
        <dt>{t('partner')}</dt>
        <dd>{organization.partnerName}</dd>
        <dt>{t('billing')}</dt>
        <dd>{t(organization.billed ? 'billed' : 'notBilled')}</dd>
        <dt>{t('sites')}</dt>
        <dd className="num">{organization.siteCount}</dd>
        <dt>{t('id')}</dt>
        <dd className={classes.mono}>{id}</dd>
      </dl>
      {isClosed ? (
        <p className={classes.muted}>{t('closedOn', { date: format.dateTime(Date.parse(closedAt)) })}</p>
      ) : (
        closesAt !== null && (
          <p className={classes.muted}>
            {t(suspended ? 'closesLater' : 'closesOn', { date: format.dateTime(Date.parse(closesAt)) })}
          </p>
        )
      )}
      {may.keepOpen && (
        <Button variant="default" onClick={() => setKeeping(true)}>
          {t('keepOpen.open')}
        </Button>
      )}
      {closingProblem !== null && <p className={classes.muted}>{t('closingProblem', { problem: closingProblem })}</p>}
      {!may.plan && !isClosed && <p className={classes.muted}>{t('ofOperators')}</p>}
      {may.plan && plans.length > 0 && (
        <Select
          label={t('plan')}
          allowDeselect={false}
          data={givable.map((plan) => ({ value: plan.id, label: plan.name }))}
          value={planId}
          disabled={update.isPending}
          onChange={(next) => {
            const plan = givable.find((one) => one.id === next)
            if (plan && plan.id !== planId) setChosen({ kind: 'plan', id: plan.id, name: plan.name })
          }}
        />
      )}
      {may.bill && (
        <Button variant="default" onClick={() => setChosen({ kind: 'bill', id: planId, name: organization.planName })}>
          {t('change.bill.open')}
        </Button>
      )}
      {isOperator && !isClosed && (
        <>
          <Select
            label={t('status')}
            allowDeselect={false}
            data={Status.options.map((value) => ({ value, label: t(`states.${value}`) }))}
            value={status}
            disabled={manage.isPending}
            onChange={(next) => {
              if (isStatus(next) && next !== status) setChosen({ kind: 'status', id: next, name: t(`states.${next}`) })
            }}
          />
          <Select
            label={t('partner')}
            description={t('partnerHelp')}
            allowDeselect={false}
            data={brands.map((brand) => ({ value: brand.id, label: brand.companyName }))}
            value={partnerId}
            disabled={manage.isPending}
            onChange={(next) => {
              const brand = brands.find((one) => one.id === next)
              if (brand && brand.id !== partnerId) setChosen({ kind: 'partner', id: brand.id, name: brand.companyName })
            }}
          />
          {!isOwn && (
            <Switch
              label={t('sandbox')}
              description={t('sandboxHelp')}
              checked={sandbox}
              disabled={manage.isPending}
              onChange={(event) => manage.mutate({ organization: id, sandbox: event.currentTarget.checked })}
            />
          )}
        </>
      )}
      {may.suspend && (
        <Switch
          label={t('suspended')}
          description={t(suspended && !may.lift ? 'suspendedAbove' : 'suspendedHelp')}
          checked={suspended}
          disabled={update.isPending || (suspended && !may.lift)}
          onChange={(event) => {
            if (event.currentTarget.checked) setAsking(true)
            else update.mutate({ organization: id, suspended: false })
          }}
        />
      )}
      <UserLines organization={id} />
      <p>
        <Link className="link" to="/operator/audit" search={{ organization: id }}>
          {t('audit')}
        </Link>
      </p>
      <ConfirmChange
        name={name}
        chosen={chosen}
        onClose={() => setChosen(null)}
        busy={update.isPending || manage.isPending}
        onConfirm={(change) => {
          if (change.kind === 'status') manage.mutate({ organization: id, status: change.id })
          else if (change.kind === 'plan' || change.kind === 'bill')
            update.mutate({ organization: id, planId: change.id })
          else manage.mutate({ organization: id, partnerId: change.id })
        }}
      />
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('suspend.title', { name })}
        verb={t('suspend.verb')}
        danger
        busy={update.isPending}
        onConfirm={() => update.mutate({ organization: id, suspended: true })}
      >
        <p>{t('suspend.text')}</p>
      </Confirm>
      <Confirm
        opened={keeping}
        onClose={() => setKeeping(false)}
        title={t('keepOpen.title', { name })}
        verb={t('keepOpen.verb')}
        busy={keepOpen.isPending}
        onConfirm={() => keepOpen.mutate({ organization: id })}
      >
        <p>{t('keepOpen.text')}</p>
      </Confirm>
    </div>
  )
}

type ConfirmChangeProps = {
  name: string
  chosen: Chosen | null
  onClose: () => void
  busy: boolean
  onConfirm: (chosen: Chosen) => void
}

/** Asks before what a slip in a list would do to somebody's bill, service or data. */
function ConfirmChange({ name, chosen, onClose, busy, onConfirm }: ConfirmChangeProps) {
  const { t } = useTranslation('organizations')
  // The dialog keeps its words while it goes.
  const kept = useRef(chosen)
  if (chosen !== null) kept.current = chosen
  const shown = kept.current
  return (
    <Confirm
      opened={chosen !== null}
      onClose={onClose}
      title={shown === null ? '' : t(`change.${shown.kind}.title`, { name, to: shown.name })}
      verb={shown === null ? '' : t(`change.${shown.kind}.verb`)}
      busy={busy}
      onConfirm={() => {
        if (chosen !== null) onConfirm(chosen)
      }}
    >
      <p>
        {shown === null
          ? ''
          : shown.kind === 'status'
            ? t(`change.status.${shown.id}`)
            : t(`change.${shown.kind}.text`, { to: shown.name })}
      </p>
    </Confirm>
  )
}

const isStatus = (value: string | null): value is OrganizationStatus => Status.options.some((one) => one === value)
