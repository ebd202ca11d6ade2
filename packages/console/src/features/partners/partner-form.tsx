import { type Partner, PARTNER_FEATURES, partners } from '@fairway/contract'
import { Button, Checkbox, Switch, TextInput } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { ConfirmByName } from '../../ui/layers/confirm-by-name.tsx'
import { diffRows } from '../../ui/marks/diff-view.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { SaveBar } from '../../ui/layers/save-bar.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { useRefreshing } from '../operator/use-refreshing.ts'
import { LeakNotice } from '../white-label/leak-card.tsx'
import { ColorField } from './color-field.tsx'
import { type PartnerFields, fieldsOf, schemaOf, settingsOf } from './partner-fields.ts'
import { PartnerPictures } from './partner-pictures.tsx'
import classes from './partners.module.css'
import { ThemePreview } from './theme-preview.tsx'

const LINKS = ['termsLink', 'privacyPolicyLink', 'apiDocumentUrl'] as const
const SWITCHES = ['supportSignup', 'signupPhone', 'ignoreMaintenanceMode', 'sandboxMode', 'googleSignIn'] as const

export function PartnerForm({ partner }: { partner: Partner }) {
  const { t } = useTranslation('partners')
  const format = useFormat()
  const show = useSnackbar()
  const form = useZodForm<PartnerFields>(schemaOf(partner), fieldsOf(partner))
  const draft = { ...fieldsOf(partner), ...useWatch({ control: form.control }) } as PartnerFields
  const update = useRefreshing(
    partners.routes.update,
    '/operator/v2/partners/',
    (saved) => {
      form.reset(fieldsOf(saved))
      show(`partner ${saved.id}`, { message: t('saved', { name: saved.companyName }) })
    },
    { ownError: true },
  )
  const submit = form.handleSubmit((values) =>
    update.mutate(
      { partner: partner.id, ...settingsOf(values) },
      { onError: (error) => void form.takeFieldErrors(error) },
    ),
  )
  const showValue = (_field: string, value: unknown): string =>
    typeof value === 'boolean'
      ? t(value ? 'operator:on' : 'operator:off')
      : Array.isArray(value)
        ? format.list(value.map((one) => t(`feature.${String(one)}.name`)))
        : String(value ?? '')
  const isRenamed = draft.hostName.trim().toLowerCase() !== (partner.hostName ?? '')
  const { passkeyCount } = partner
  const renamed = `${t('hostNameKept')}${passkeyCount > 0 ? ` ${t('passkeysEnd', { count: passkeyCount })}` : ''}`
  const changes = diffRows(fieldsOf(partner), draft, showValue, (field) => t(`field.${field}`))
  const text = (name: 'companyName' | 'hostName' | 'contactEmail' | (typeof LINKS)[number]) => ({
    label: t(`field.${name}`),
    error: form.problem(name),
    autoComplete: 'off',
    ...form.register(name),
  })
  return (
    <>
      <PageHeader
        title={partner.companyName}
        meaning={partner.isDefault ? t('defaultMeaning') : t('meaningOf', { host: partner.hostName })}
        actions={
          partner.hostName !== null && (
            <Button
              component="a"
              variant="default"
              href={`${location.protocol}//${partner.hostName}${location.port ? `:${location.port}` : ''}/`}
              target="_blank"
              rel="noreferrer"
              leftSection={<IconExternalLink size={16} stroke={1.65} />}
            >
              {t('visit')}
            </Button>
          )
        }
      />
      <LeakNotice partner={partner.id} />
      {update.error && <FailureNotice title={t('notSaved')} error={update.error} />}
      <form
        className={classes.columns}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        aria-label={partner.companyName}
      >
        <div className={classes.main}>
          <Card title={t('card.brand')}>
            <div className={classes.fields}>
              <TextInput {...text('companyName')} />
              {!partner.isDefault && (
                <TextInput
                  {...text('hostName')}
                  description={isRenamed ? renamed : t('hostNameHelp')}
                  spellCheck={false}
                  classNames={{ input: classes.mono }}
                />
              )}
              <Controller
                control={form.control}
                name="brandColor"
                render={({ field }) => (
                  <ColorField
                    value={field.value}
                    onChange={field.onChange}
                    onBlur={field.onBlur}
                    problem={form.problem('brandColor')}
                  />
                )}
              />
            </div>
          </Card>
          <PartnerPictures partner={partner} />
          <Card title={t('card.people')}>
            <div className={classes.fields}>
              <TextInput {...text('contactEmail')} type="email" description={t('contactHelp')} />
              <div className={classes.two}>
                {LINKS.map((name) => (
                  <TextInput key={name} {...text(name)} spellCheck={false} />
                ))}
              </div>
            </div>
          </Card>
          <Card title={t('card.features')} hint={t('featuresHint')}>
            <Controller
              control={form.control}
              name="hideFeature"
              render={({ field }) => (
                <Checkbox.Group
                  aria-label={t('card.features')}
                  value={[...field.value]}
                  onChange={(chosen) => field.onChange(PARTNER_FEATURES.filter((feature) => chosen.includes(feature)))}
                >
                  <div className={classes.features}>
                    {PARTNER_FEATURES.map((feature) => (
                      <Checkbox
                        key={feature}
                        value={feature}
                        label={t(`feature.${feature}.name`)}
                        description={t(`feature.${feature}.text`)}
                      />
                    ))}
                  </div>
                </Checkbox.Group>
              )}
            />
          </Card>
          <Card title={t('card.behaviour')}>
            <div className={classes.features}>
              {SWITCHES.map((name) => (
                <Controller
                  key={name}
                  control={form.control}
                  name={name}
                  render={({ field }) => (
                    <Switch
                      label={t(`field.${name}`)}
                      description={t(`switch.${name}`, {
                        // As Google is told it: of the host name that is saved.
                        address: `${location.protocol}//${partner.hostName ?? location.hostname}${location.port ? `:${location.port}` : ''}/oauth/google-callback`,
                      })}
                      checked={field.value}
                      onBlur={field.onBlur}
                      onChange={(event) => field.onChange(event.currentTarget.checked)}
                    />
                  )}
                />
              ))}
            </div>
          </Card>
          {!partner.isDefault && <RemovePartner partner={partner} />}
        </div>
        <div className={classes.side}>
          <Card title={t('preview.title')}>
            <ThemePreview
              name={draft.companyName}
              color={draft.brandColor}
              logo={partner.files.logoWord}
              white={partner.files.logoWordWhite}
            />
          </Card>
        </div>
      </form>
      <SaveBar
        changes={changes}
        busy={update.isPending}
        onSave={() => void submit()}
        onDiscard={() => form.reset(fieldsOf(partner))}
      />
    </>
  )
}

function RemovePartner({ partner }: { partner: Partner }) {
  const { t } = useTranslation('partners')
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const remove = useRefreshing(
    partners.routes.remove,
    '/operator/v2/partners/',
    () => void navigate({ to: '/operator/partners' }),
  )
  return (
    <Card title={t('remove.title')}>
      <div className={classes.pictureHead}>
        <span>
          {partner.organizationCount > 0 ? t('remove.used', { count: partner.organizationCount }) : t('remove.text')}
        </span>
        {partner.organizationCount === 0 && (
          <Button color="red" variant="default" onClick={() => setAsking(true)}>
            {t('remove.verb')}
          </Button>
        )}
      </div>
      <ConfirmByName
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('remove.ask', { name: partner.companyName })}
        name={partner.companyName}
        verb={t('remove.verb')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ partner: partner.id })}
      >
        {t('remove.text')}
      </ConfirmByName>
    </Card>
  )
}
