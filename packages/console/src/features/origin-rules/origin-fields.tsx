import type { Domain, OriginOverride } from '@fairway/contract'
import { NumberInput, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../firewall-rules/editor.module.css'

type OriginFieldsProps = { origin: OriginOverride; domain: Domain; onChange: (origin: OriginOverride) => void }

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** Where the requests go instead; what is left empty stays as the domain says. */
export function OriginFields({ origin, domain, onChange }: OriginFieldsProps) {
  const { t } = useTranslation('origin-rules')
  const set = (change: Partial<OriginOverride>) => onChange({ ...origin, ...change })
  const { address, port, protocol } = domain.origin
  return (
    <div className={classes.fields}>
      <p className={classes.quiet}>{t('fieldsHelp')}</p>
      <TextInput
        label={t('field.address')}
        placeholder={address}
        value={origin.address ?? ''}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ address: orNull(currentTarget.value) })}
      />
      <div className={classes.figures}>
        <Select
          label={t('field.protocol')}
          placeholder={protocol.toUpperCase()}
          data={[
            { value: 'http', label: 'HTTP' },
            { value: 'https', label: 'HTTPS' },
          ]}
          value={origin.protocol}
          clearable
          onChange={(value) => set({ protocol: value === 'http' || value === 'https' ? value : null })}
        />
        <NumberInput
          label={t('field.port')}
          placeholder={String(port)}
          value={origin.port ?? ''}
          min={1}
          max={65_535}
          allowDecimal={false}
          onChange={(value) => set({ port: value === '' ? null : Number(value) })}
        />
      </div>
      <TextInput
        label={t('field.hostHeader')}
        description={t('help.hostHeader')}
        placeholder={domain.origin.hostHeader}
        value={origin.hostHeader ?? ''}
        spellCheck={false}
        onChange={({ currentTarget }) => set({ hostHeader: orNull(currentTarget.value) })}
      />
      <TextInput
        label={t('field.sni')}
        description={t('help.sni')}
        placeholder={origin.hostHeader ?? domain.origin.hostHeader}
        value={origin.sni ?? ''}
        spellCheck={false}
        onChange={({ currentTarget }) => set({ sni: orNull(currentTarget.value) })}
      />
    </div>
  )
}
