import { LIMITS } from '@fairway/contract'
import type { DomainOrigin } from '@fairway/contract'
import { ActionIcon, Button, NumberInput, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { validationText } from '../../i18n/validation.ts'
import { Card } from '../../ui/page/card.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import classes from './screen.module.css'

export type OriginDraft = Omit<DomainOrigin, 'type'>

type OriginFieldsProps = {
  draft: OriginDraft
  type: DomainOrigin['type']
  /** Message keys by field. */
  problems: Readonly<Record<string, string>>
  disabled: boolean
  onType: (type: DomainOrigin['type']) => void
  onChange: (change: Partial<OriginDraft>) => void
}

const USUAL_PORTS = { http: 80, https: 443 } as const

export function OriginFields({ draft, type, problems, disabled, onType, onChange }: OriginFieldsProps) {
  const { t } = useTranslation(['general-settings', 'validation'])
  const problem = (field: string) => validationText(t, problems[field])
  const place = type !== 'fqdn' ? '203.0.113.10' : 'origin.example.com'
  const setSpare = (index: number, value: string) =>
    onChange({ spareAddresses: draft.spareAddresses.map((one, at) => (at === index ? value : one)) })
  const setProtocol = (protocol: OriginDraft['protocol']) =>
    onChange({ protocol, ...(draft.port === USUAL_PORTS[draft.protocol] ? { port: USUAL_PORTS[protocol] } : {}) })
  return (
    <>
      <Card title={t('card.addresses')}>
        <div className={classes.stack}>
          <Segmented
            label={t('origin.type')}
            value={type === 'fqdn' ? 'fqdn' : 'ipv4'}
            onChange={onType}
            options={(['ipv4', 'fqdn'] as const).map((value) => ({ value, label: t(`type.${value}`), disabled }))}
          />
          <TextInput
            label={t('origin.address')}
            description={t('whyOrigin.address')}
            placeholder={place}
            value={draft.address}
            disabled={disabled}
            error={problem('address')}
            onChange={({ currentTarget }) => onChange({ address: currentTarget.value })}
            spellCheck={false}
          />
          {draft.spareAddresses.map((address, index) => (
            // Rows have no other identity than their place.
            <div key={index} className={classes.address}>
              <TextInput
                aria-label={t('origin.another', { number: index + 2 })}
                placeholder={place}
                value={address}
                disabled={disabled}
                error={problem(`spareAddresses.${index}`)}
                onChange={({ currentTarget }) => setSpare(index, currentTarget.value)}
                spellCheck={false}
              />
              <ActionIcon
                variant="subtle"
                size={34}
                disabled={disabled}
                aria-label={t('origin.removeAddress', { number: index + 2 })}
                onClick={() => onChange({ spareAddresses: draft.spareAddresses.filter((_, at) => at !== index) })}
              >
                <IconX size={16} />
              </ActionIcon>
            </div>
          ))}
          {!disabled && draft.spareAddresses.length < LIMITS.addressesPerOrigin - 1 && (
            <div>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} />}
                onClick={() => onChange({ spareAddresses: [...draft.spareAddresses, ''] })}
              >
                {t('origin.addAddress')}
              </Button>
            </div>
          )}
          {draft.spareAddresses.length > 0 && (
            <div className={classes.group}>
              <span className={classes.label}>{t('origin.balance')}</span>
              <div>
                <Segmented
                  label={t('origin.balance')}
                  value={draft.balance}
                  onChange={(balance) => onChange({ balance })}
                  options={(['failover', 'round-robin', 'ip-hash'] as const).map((value) => ({
                    value,
                    label: t(`balance.${value}`),
                    disabled,
                  }))}
                />
              </div>
              <span className={classes.quiet}>{t(`whyBalance.${draft.balance}`)}</span>
            </div>
          )}
          <TextInput
            label={t('origin.fallbackAddress')}
            description={t('whyOrigin.fallbackAddress')}
            value={draft.fallbackAddress ?? ''}
            disabled={disabled}
            error={problem('fallbackAddress')}
            onChange={({ currentTarget }) =>
              onChange({ fallbackAddress: currentTarget.value === '' ? null : currentTarget.value })
            }
            spellCheck={false}
          />
        </div>
      </Card>
      <Card title={t('card.connection')}>
        <div className={classes.fields}>
          <div className={classes.group}>
            <span className={classes.label}>{t('origin.protocol')}</span>
            <div>
              <Segmented
                label={t('origin.protocol')}
                value={draft.protocol}
                onChange={setProtocol}
                options={[
                  { value: 'http', label: 'HTTP', disabled },
                  { value: 'https', label: 'HTTPS', disabled },
                ]}
              />
            </div>
          </div>
          <NumberInput
            label={t('origin.port')}
            value={draft.port}
            min={0}
            max={65_535}
            clampBehavior="none"
            allowDecimal={false}
            disabled={disabled}
            error={problem('port')}
            onChange={(port) => onChange({ port: Number(port) })}
          />
          <div className={classes.wide}>
            <TextInput
              label={t('origin.hostHeader')}
              description={t('whyOrigin.hostHeader')}
              value={draft.hostHeader}
              disabled={disabled}
              error={problem('hostHeader')}
              onChange={({ currentTarget }) => onChange({ hostHeader: currentTarget.value })}
              spellCheck={false}
            />
          </div>
          <div className={classes.wide}>
            <NumberInput
              label={t('origin.keepaliveSeconds')}
              description={t('whyOrigin.keepaliveSeconds')}
              value={draft.keepaliveSeconds}
              min={LIMITS.keepaliveSeconds.min}
              max={LIMITS.keepaliveSeconds.max}
              clampBehavior="none"
              allowDecimal={false}
              suffix=" s"
              disabled={disabled}
              error={problem('keepaliveSeconds')}
              onChange={(seconds) => onChange({ keepaliveSeconds: Number(seconds) })}
            />
          </div>
          {draft.protocol === 'https' && (
            <div className={classes.wide}>
              <SwitchRow
                label={t('origin.verifyCertificate')}
                text={t('whyOrigin.verifyCertificate')}
                checked={draft.verifyCertificate}
                disabled={disabled}
                onChange={(verifyCertificate) => onChange({ verifyCertificate })}
              />
            </div>
          )}
        </div>
      </Card>
    </>
  )
}
